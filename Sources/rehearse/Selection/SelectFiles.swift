import Diagnostics
import Glibc
import Reports
import ScenarioPlan
import ScenarioRuns
import Values
import Verdicts

/// The files that selectors name, each with the scenarios wanted of it.
struct SelectedFiles {
  var files: [SuiteFile] = []
  /// The complaints about files that do not exist or cannot be read.
  var problems: [Diagnostic] = []
  private var scenariosLeftOut: LeftOutScenarios?
  /// The files in selected folders that are not read, with names nearly those of scenarios.
  private var nearNames: [String] = []

  /// No file is selected.
  init() {}

  /// Finds the files in the order of the selectors. A file that several selectors name is found
  /// once, with the scenarios of all of them.
  init(_ choice: ScenarioChoice, environment: ValueMap = ValueMap()) {
    for selector in choice.selectors { add(selector) }
    if !wanted.isEmpty { problems += emptyFolders.map(Diagnostic.emptyFolder) }
    let portion = ScenarioPortion.make(choice, environment)
    problems += portion.diagnostics
    let leftOut = LeftOutScenarios()
    scenariosLeftOut = leftOut
    let admits = { @Sendable (plan: ScenarioPlan, row: RowPlan?, path: String) in
      guard let reason = portion.value.reasonToLeaveOut(plan, row, in: path) else { return true }
      leftOut.note(plan, row, of: path, by: reason)
      return false
    }
    files = wanted.map { path, wishes in
      var file = SuiteFile(
        path: path,
        wants: { plan, row, sources in
          guard wishes.contains(where: { $0.admits(plan, row, sources) }) else { return false }
          guard choice.tags.admits(plan.tags) else {
            let reason = choice.tagsPlace == nil ? LeftOut.Reason.tags : .configuration
            leftOut.note(plan, row, of: path, by: reason)
            return false
          }
          return admits(plan, row, path)
        },
        wantsBroken: { outline, row, sources in
          wishes.contains { $0.admitsBroken(outline, row, sources) }
            && admits(outline, row, path)
        })
      file.pipedText = piped[path]
      return file
    }
    if choice.failed == .first { putFailedFirst() }
  }

  /// True if scenarios were selected that all belong to other machines. It is known once the files
  /// were loaded.
  var isOfOtherShards: Bool { leftOut[.shard] > 0 }

  /// The scenarios of loaded files that the selection has left out.
  var leftOut: LeftOut { scenariosLeftOut?.count ?? LeftOut() }

  /// The note about files that are not read; empty if there are none.
  var notes: [Diagnostic] {
    let unread = nearNames.filter { places[identity(of: $0)] == nil }
    return unread.isEmpty ? [] : [.nearNames(unread)]
  }

  /// Puts the files in which something failed last before the others.
  private mutating func putFailedFirst() {
    guard let failed = LastFailures.read() else { return }
    let hasFailed = { (file: SuiteFile) in
      let start = runName("", row: nil, in: file.path)
      return failed.contains { $0.hasPrefix(start) }
    }
    files = files.filter(hasFailed) + files.filter { !hasFailed($0) }
  }

  /// Returns complaints about selected scenarios that a file, read without errors, does not have.
  func missing(in plans: [ScenarioPlan], of path: String, _ sources: SourceMap) -> [Diagnostic] {
    guard let place = placesByPath[path] else { return [] }
    return wanted[place].wishes.compactMap { $0.complaint(plans, path, sources) }
  }

  func missing(in file: FileResult) -> [Diagnostic] {
    guard file.problem == nil, !file.diagnostics.hasErrors else { return [] }
    return missing(in: file.plans.map(\.plan), of: file.path, file.sources)
  }

  /// The texts of pipes, by their paths.
  private var piped: [String: [UInt8]] = [:]
  private var wanted: [(path: String, wishes: [Wish])] = []
  /// The folders in which there is no scenario. Beside others, each of them is a mistake.
  private var emptyFolders: [Selector] = []
  /// The place of a file in `wanted`, by its identity.
  private var places: [String: Int] = [:]
  /// The same by the paths that lead to it.
  private var placesByPath: [String: Int] = [:]
  /// By folder: its path without links.
  private var folders: [String: String] = [:]

  private mutating func add(_ selector: Selector) {
    // A file may be called what would otherwise be a pattern or a place in a file.
    if access(selector.text, F_OK) == 0 { return add(selector.text, .all, selector) }
    switch selector.selection {
    case .path(let path): add(path, .all, selector)
    case .pattern(let pattern):
      let paths = expand(pattern)
      if paths.isEmpty { problems.append(.noSuchFile(selector)) }
      for path in paths { add(path, .all, selector) }
    case .line(let path, let line): add(path, .line(line), selector)
    case .title(let path, let title): add(path, .title(title), selector)
    case .row(let path, let title, let row): add(path, .row(title, row), selector)
    }
  }

  private mutating func add(_ path: String, _ wish: Wish, _ selector: Selector) {
    if path == "/dev/stdin" { return addPiped(standardInputPath, wish) }
    if isPiped(path) { return addPiped(path, wish) }
    switch findFiles(at: path, noting: { nearNames.append($0) }) {
    case .missing: problems.append(.noSuchFile(selector))
    case .unreadable(let reason): problems.append(.unreadable(path, reason))
    case .files(let paths):
      if paths.isEmpty { emptyFolders.append(selector) }
      for path in paths { want(path, wish) }
    }
  }

  private mutating func addPiped(_ path: String, _ wish: Wish) {
    if piped[path] == nil {
      switch readInput(path) {
      case .failure(let problem): return problems.append(.unreadable(path, problem.message))
      case .success(let text): piped[path] = text
      }
    }
    want(path, wish)
  }

  private mutating func want(_ path: String, _ wish: Wish) {
    let identity = identityInFolder(path)
    let place = places[identity] ?? wanted.count
    if place == wanted.count { wanted.append((path, [])) }
    wanted[place].wishes.append(wish)
    places[identity] = place
    placesByPath[path] = place
  }

  /// Returns the identity of a file. Of the files of a folder, each takes one call of the system.
  private mutating func identityInFolder(_ path: String) -> String {
    var target: CChar = 0
    if readlink(path, &target, 1) >= 0 { return identity(of: path) }
    let folder = enclosingFolder(of: path)
    let real = folders[folder] ?? identity(of: folder.isEmpty ? "." : folder)
    folders[folder] = real
    return (real == "/" ? "" : real) + "/" + path.split(separator: "/").suffix(1).joined()
  }
}

/// Returns one text for all paths that lead to the same file.
func identity(of path: String) -> String {
  guard let real = realpath(path, nil) else { return path }
  defer { free(real) }
  return String(cString: real)
}

/// The scenarios of a file that one selector selects.
private enum Wish: Sendable {
  case all
  case line(Int)
  case title(String)
  case row(String, String)

  func admits(_ plan: ScenarioPlan, _ row: RowPlan?, _ sources: SourceMap) -> Bool {
    switch self {
    case .all: return true
    case .title(let title): return plan.title == title
    case .row(let title, let id): return plan.title == title && row?.id == id
    case .line(let line):
      guard plan.extent.holds(line, in: sources) else { return false }
      // Rows in a file of their own have lines there.
      guard let row, row.range.file == plan.extent.file else { return true }
      let namesRow = plan.rows.contains { $0.range.holds(line, in: sources) }
      return !namesRow || row.range.holds(line, in: sources)
    }
  }

  /// Returns whether a scenario with errors is selected, or may be if all of it could be read.
  func admitsBroken(_ outline: ScenarioPlan, _ row: RowPlan?, _ sources: SourceMap) -> Bool {
    switch self {
    case .all, .line: admits(outline, row, sources)
    case .title(let title): outline.hasUnreadTitle || outline.title == title
    case .row(let title, let id):
      outline.hasUnreadTitle || (outline.title == title && (row == nil || row?.id == id))
    }
  }

  /// Returns a complaint if none of a file's scenarios is selected.
  func complaint(
    _ plans: [ScenarioPlan], _ path: String, _ sources: SourceMap
  ) -> Diagnostic? {
    switch self {
    case .all: return nil
    case .line(let line):
      return plans.contains { $0.extent.holds(line, in: sources) } ? nil : .emptyLine(line, path)
    case .title(let title), .row(let title, _):
      let named = plans.filter { $0.title == title }
      if named.isEmpty { return .noSuchTitle(title, path, known: plans.map(\.title)) }
      guard case .row(_, let row) = self else { return nil }
      let rows = named.flatMap { $0.rows.map(\.id) }
      return rows.contains(row) ? nil : .noSuchRow(row, title, known: rows)
    }
  }
}

extension Selector {
  /// The place in a configuration that names the path, and what such a path begins at.
  fileprivate var helpWithPlace: String? {
    place.map { "\($0) names it under `paths`, which begin at the folder of that file" }
  }

  /// How to write the text as the value of the option before it, if there is one.
  fileprivate var helpWithValue: String? {
    optionBefore.map { "the value of `--\($0.rawValue)` follows a `=`: `--\($0.rawValue)=\(text)`" }
  }
}

extension SourceRange {
  /// Returns whether the range covers a line, counted from 1.
  fileprivate func holds(_ line: Int, in sources: SourceMap) -> Bool {
    guard let file = sources.file(of: self) else { return false }
    let last = file.place(of: max(Int(start), Int(end) - 1)).line
    return file.place(of: Int(start)).line <= line && line <= last
  }
}

private func expand(_ pattern: String) -> [String] {
  var found = glob_t()
  defer { globfree(&found) }
  guard glob(pattern, 0, nil, &found) == 0 else { return [] }
  return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
}

extension Diagnostic {
  fileprivate static func noSuchFile(_ selector: Selector) -> Diagnostic {
    var diagnostic = noSuchFile(selector.text)
    diagnostic.help = selector.helpWithPlace ?? selector.helpWithValue ?? diagnostic.help
    return diagnostic
  }

  fileprivate static func emptyFolder(_ selector: Selector) -> Diagnostic {
    var diagnostic = nothingSelected([selector])
    diagnostic.help = selector.helpWithValue ?? diagnostic.help
    return diagnostic
  }

  static func noSuchFile(_ path: String) -> Diagnostic {
    Diagnostic(
      "no-such-file", "there is no file or folder `\(path)`",
      help: path.contains("\u{FFFD}")
        ? "names of files must be UTF-8"
        : path == "scenarios"
          ? "`rehearse init` writes a first suite; `rehearse run FILE` runs a file"
          : "paths are relative to the folder the command is run in")
  }

  static func noSuchTitle(_ title: String, _ path: String, known: [String]) -> Diagnostic {
    let nearest = nearestName(to: title, among: known).map { "did you mean `\($0)`?" }
    return Diagnostic(
      "nothing-selected", "`\(path)` has no scenario `\(title)`",
      help: nearest ?? "`rehearse list` shows what there is")
  }

  static func noSuchRow(_ row: String, _ title: String, known: [String]) -> Diagnostic {
    let nearest = nearestName(to: row, among: known).map { "did you mean `\($0)`?" }
    let all = known.isEmpty ? "it has no `cases`" : "`rehearse list` shows what there is"
    return Diagnostic(
      "nothing-selected", "the scenario `\(title)` has no row `\(row)`", help: nearest ?? all)
  }

  static func emptyLine(_ line: Int, _ path: String) -> Diagnostic {
    Diagnostic(
      "nothing-selected", "line \(line) of `\(path)` belongs to no scenario",
      help: "`rehearse list` shows where scenarios begin")
  }

  /// Makes the note about files in a folder that look like scenarios and are not read.
  fileprivate static func nearNames(_ paths: [String]) -> Diagnostic {
    let shown = paths.prefix(3).map { "`\($0)`" }.joined(separator: ", ")
    let more = paths.count > 3 ? " and \(paths.count - 3) more" : ""
    return Diagnostic(
      "near-file-name", severity: .note,
      "\(shown)\(more) \(paths.count == 1 ? "is" : "are") not read: the names of scenarios in "
        + "folders end with `.scenario.yaml`",
      help: "rename them, or name the files themselves")
  }

  static func unusableCertificate(_ reason: String) -> Diagnostic {
    Diagnostic(
      "unusable-certificate", "`--cacert`, `--cert` or `--key` cannot be used: \(reason)",
      help: "these are files of text (PEM), with a key that asks for no pass phrase")
  }

  static func unreadable(_ path: String, _ reason: String) -> Diagnostic {
    Diagnostic("unreadable-file", "`\(path)` cannot be read: \(reason)")
  }

  /// Makes the diagnostic of a choice that no scenario fits.
  static func nothingSelected(by choice: ScenarioChoice) -> Diagnostic {
    var diagnostic = nothingSelected(choice.selectors)
    let tags = choice.tags.wanted + choice.tags.excluded.map { "!" + $0 }
    let options =
      tags.map { "`--tag \($0)`" } + choice.titles.texts.map { "`--grep \($0)`" }
      + (choice.failed == .only ? ["`--failed`"] : [])
    guard !options.isEmpty else { return diagnostic }
    if let place = choice.tagsPlace, options.count == tags.count {
      let words = tags.map { "`\($0)`" }.joined(separator: ", ")
      diagnostic.message += ", because of the tags \(words) at `\(place)`"
      diagnostic.help = "`--tag NAME` on the command line takes precedence over them"
      return diagnostic
    }
    diagnostic.message += " with " + options.joined(separator: ", ")
    if !tags.isEmpty {
      diagnostic.help =
        "`rehearse list` shows the tags; a scenario has one of the tags, and none with `!`"
    } else if choice.failed == .only {
      diagnostic.help =
        "`.rehearse/last-failures.json` has what failed; name the files as that run did"
    }
    return diagnostic
  }

  /// Returns the help for a file that is no scenario by its name.
  private static func helpForOtherFile(_ path: String) -> String? {
    if path.hasSuffix(".component.yaml") || path.hasSuffix(".component.yml") {
      return "`\(path)` is a component: scenarios `use` it, and `rehearse validate` checks it"
    }
    if path.hasSuffix(".steps.yaml") || path.hasSuffix(".steps.yml") {
      return "`\(path)` holds steps: scenarios `include` it, and `rehearse validate` checks it"
    }
    let isConfiguration = configurationNames.contains { path == $0 || path.hasSuffix("/" + $0) }
    return isConfiguration
      ? "`\(path)` is a configuration: it gives to the scenarios of its folder" : nil
  }

  static func nothingSelected(_ selectors: [Selector]) -> Diagnostic {
    let names = selectors.map { "`\($0.text)`" }.joined(separator: ", ")
    return Diagnostic(
      "nothing-selected", "no scenario was selected by \(names)",
      help: selectors.lazy.compactMap { helpForOtherFile($0.text) }.first
        ?? "`rehearse list` shows what there is; in folders, scenarios are in `*.scenario.yaml`")
  }
}
