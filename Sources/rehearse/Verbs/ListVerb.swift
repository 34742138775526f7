import Diagnostics
import Glibc
import Reports
import ScenarioPlan
import ScenarioRuns
import Secrets
import Values
import Verdicts

/// Prints the selected scenarios, each with the selector that names it, or the components that come
/// with the program.
func listVerb(_ arguments: ListArguments) -> ExitCode {
  arguments.scenarios.selectors.map(\.text) == ["std"]
    ? Terminal.show(listOfComponents(arguments.format), as: arguments.format.form)
    : listScenarios(arguments)
}

private func listScenarios(_ arguments: ListArguments) -> ExitCode {
  let inputs = loadInputs()
  let style = arguments.color.complaintStyle
  var scenarios = arguments.scenarios
  let (selected, configurations) = scenarios.select(inputs.value)
  if configurations.complain(style) { return .badInput }
  var listed: [ListedScenario] = []
  var hasErrors = false
  var missing: [Diagnostic] = []
  let stream = ListingStream(arguments.format)
  let problems = loadAll(selected, inputs: inputs.value, configurations) { file, loaded in
    let first = listed.count
    for plan in loaded.plans { listed += entries(of: plan, file, loaded) }
    for broken in loaded.broken { listed += entries(of: broken, file, loaded) }
    listed.sort(from: first)
    let errors = file.wantedDiagnostics(of: loaded).filter { $0.severity == .error }
      .sortedForReport()
    hasErrors = hasErrors || !errors.isEmpty
    if errors.isEmpty {
      missing += selected.missing(in: loaded.plans, of: file.path, loaded.sources)
    }
    for error in errors {
      Terminal.complain(
        render(error, in: loaded.sources, style: style, hiding: loaded.mask.places(in:)))
    }
    stream.write(listed[first...])
    stream.write(errors, path: file.path, in: loaded.sources, loaded.mask)
  }
  let broken = listed.count { $0.errors > 0 }
  if broken > 0 {
    Terminal.complain("\(broken) of \(counted(listed.count, "scenario")) cannot run")
  }
  Terminal.complain(problems + missing + selected.notes, style)
  stream.write(problems + missing, path: nil, in: SourceMap(), SecretMask([]))
  let output = text(of: listed, arguments.format)
  guard Terminal.show(output, as: arguments.format.form) == .passed else { return .couldNotRun }
  if hasErrors || !problems.isEmpty { return .badInput }
  if !selected.leftOut.texts.isEmpty {
    Terminal.complain(selected.leftOut.texts.joined(separator: ", "))
  }
  guard listed.isEmpty, missing.isEmpty else {
    return missing.isEmpty ? .passed : .nothingSelected
  }
  return complainOfNothing(in: selected, by: scenarios)
}

private func complainOfNothing(in selected: SelectedFiles, by choice: ScenarioChoice) -> ExitCode {
  if selected.isOfOtherShards {
    Terminal.complain(emptyShardLine(choice))
    return .passed
  }
  Terminal.complain(render(.nothingSelected(by: choice), in: SourceMap()))
  return .nothingSelected
}

private func text(of listed: [ListedScenario], _ format: ListingFormat) -> String {
  switch format {
  case .human: listed.map { $0.text + "\n" }.joined()
  case .json: Value.list(listed.map(\.value)).json(pretty: true) + "\n"
  // Each file was written when it was read.
  case .ndjson: ""
  }
}

/// The list as a line for each scenario, written as soon as its file is read. A file with errors
/// has a line with its diagnostics behind them.
private struct ListingStream {
  private let isWritten: Bool

  init(_ format: ListingFormat) { isWritten = format == .ndjson }

  func write(_ listed: ArraySlice<ListedScenario>) {
    if isWritten { Terminal.say(listed.map { $0.value.json() + "\n" }.joined(), as: .json) }
  }

  func write(_ errors: [Diagnostic], path: String?, in sources: SourceMap, _ mask: SecretMask) {
    guard isWritten, !errors.isEmpty else { return }
    let file = FileReport(
      path: path ?? "", sources: sources, diagnostics: errors, scenarios: [], mask: mask)
    let line = JSONWriter.object { writer in
      if let path { writer.member("path", path) }
      writer.addDiagnostics(of: file)
    }
    Terminal.say(line + "\n", as: .json)
  }
}

private func entries(
  of plan: ScenarioPlan, _ file: SuiteFile, _ loaded: LoadedFile
) -> [ListedScenario] {
  let rows: [RowPlan?] = plan.columns.isEmpty ? [nil] : plan.rows
  let (sources, mask) = (loaded.sources, loaded.mask)
  return rows.filter { file.wants(plan, $0, sources) }.map {
    ListedScenario(
      path: file.path, line: line(of: plan, $0, sources), title: mask.masked(plan.title),
      row: $0.map { mask.masked($0.id) },
      tags: plan.tags.map { mask.masked($0) }, skip: plan.skip.map { mask.masked($0) },
      only: plan.only.map(\.rawValue))
  }
}

/// Returns the line that names a row, or the scenario if the row is in another file.
private func line(of plan: ScenarioPlan, _ row: RowPlan?, _ sources: SourceMap) -> Int {
  let isApart = row.map { $0.range.file != plan.range.file } ?? true
  return sources.line(of: isApart ? plan.range : row?.range ?? plan.range)
}

private func entries(
  of broken: BrokenScenario, _ file: SuiteFile, _ loaded: LoadedFile
) -> [ListedScenario] {
  let (plan, mask) = (broken.outline, loaded.mask)
  return file.wantedRows(of: broken, loaded.sources).map {
    ListedScenario(
      path: file.path, line: line(of: plan, $0, loaded.sources), title: mask.masked(plan.title),
      row: $0.map { mask.masked($0.id) }, tags: plan.tags.map { mask.masked($0) },
      skip: plan.skip.map { mask.masked($0) }, only: plan.only.map(\.rawValue),
      errors: broken.errors.count)
  }
}

extension [ListedScenario] {
  /// Sorts the entries of the last file by line. Rows of one scenario keep their order.
  fileprivate mutating func sort(from first: Int) {
    let sorted = self[first...].enumerated().sorted {
      ($0.element.line, $0.offset) < ($1.element.line, $1.offset)
    }
    replaceSubrange(first..., with: sorted.map(\.element))
  }
}

/// A scenario, or one row of its table, as `list` shows it.
private struct ListedScenario {
  var path: String
  var line: Int
  var title: String
  var row: String?
  var tags: [String]
  var skip: String?
  /// The names of the worlds that it runs in; empty means all of them.
  var only: [String]
  /// The number of errors that keep it from running.
  var errors = 0

  var value: Value {
    var map = ValueMap()
    map["id"] = .string(runName(title, row: row, in: path))
    map["path"] = .string(path)
    map["line"] = .int(line)
    map["title"] = .string(title)
    if let row { map["row"] = .string(row) }
    map["tags"] = .list(tags.map { .string($0) })
    if let skip { map["skip"] = .string(skip) }
    if !only.isEmpty { map["only"] = .list(only.map { .string($0) }) }
    if errors > 0 { map["errors"] = .int(errors) }
    return .map(map)
  }
}

extension ListedScenario {
  /// The line `path:line  title [row]  #tag #tag  (skipped: reason)  (only: mock)`.
  fileprivate var text: String {
    var text = "\(path):\(line)  \(title)"
    if let row { text += " [\(row)]" }
    if !tags.isEmpty { text += "  " + tags.map { "#\($0)" }.joined(separator: " ") }
    if let skip { text += "  (skipped: \(skip))" }
    if !only.isEmpty { text += "  (only: \(only.joined(separator: ", ")))" }
    if errors > 0 { text += "  (\(counted(errors, "error")))" }
    return visibleText(text)
  }
}
