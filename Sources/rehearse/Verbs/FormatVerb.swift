import Diagnostics
import Glibc
import ScenarioRuns
import Secrets
import YAMLSyntax

/// Writes files in the one form, lists those that have another, or shows what would change.
func formatVerb(_ arguments: FormatArguments) -> ExitCode {
  var results = FormatResults()
  var seen: Set<String> = []
  for path in arguments.paths {
    switch filesToFormat(path) {
    case .missing: results.fail([.noSuchFile(path)])
    case .unreadable(let reason): results.fail([.unreadable(path, reason)])
    case .files(let files):
      for file in files where seen.insert(identity(of: file)).inserted {
        results.add(formatted(file, arguments))
      }
    }
  }
  if results.isEmpty {
    Terminal.complain(render(.nothingToFormat(arguments.paths), in: SourceMap()))
    return .nothingSelected
  }
  return results.show(arguments)
}

extension Diagnostic {
  fileprivate static func nothingToFormat(_ paths: [String]) -> Diagnostic {
    let names = paths.map { "`\($0)`" }.joined(separator: ", ")
    return Diagnostic(
      "nothing-selected", "there is no scenario, component or configuration in \(names)",
      help: "in folders, scenarios are in `*.scenario.yaml`")
  }
}

private func filesToFormat(_ path: String) -> FoundFiles {
  path == standardInputPath
    ? .files([path])
    : findFiles(
      at: path,
      ending: scenarioSuffixes + [".component.yaml", ".component.yml", ".steps.yaml", ".steps.yml"]
        + configurationNames)
}

/// The results of the files until now.
private struct FormatResults {
  private var output = ""
  private var complaints: [(problems: [Diagnostic], sources: SourceMap)] = []
  private var count = 0
  var isEmpty: Bool { count == 0 && complaints.isEmpty }
  private var changed = 0
  private var code = ExitCode.passed

  /// Notes the problems of one file.
  mutating func fail(_ problems: [Diagnostic], in sources: SourceMap = SourceMap()) {
    complaints.append((problems, sources))
    if problems.hasErrors { code = .badInput }
  }

  mutating func add(_ result: FormattedFile) {
    count += 1
    switch result {
    case .alike(let text): output += text
    case .differs(let text):
      changed += 1
      output += text
    case .refused(let problems, let sources):
      fail(problems, in: sources)
    case .unusable(let problem):
      complaints.append(([problem], SourceMap()))
      code = .couldNotRun
    }
  }

  func show(_ arguments: FormatArguments) -> ExitCode {
    let style = arguments.color.complaintStyle
    for (problems, sources) in complaints {
      // A file that cannot be read may have secrets, and its lines are shown.
      let mask = sources.files.first.map { loadScenarios($0).mask } ?? SecretMask()
      for problem in problems {
        let shown = mask.extent == .values ? problem.withoutValues : problem
        Terminal.complain(
          render(shown.hidden(by: mask), in: sources, style: style, hiding: mask.places(in:)))
      }
    }
    let isFile = arguments.paths == [standardInputPath] && arguments.mode == .write
    let shown = isFile ? Terminal.show(file: output) : Terminal.show(output)
    guard shown == .passed else { return .couldNotRun }
    if arguments.paths != [standardInputPath] { Terminal.complain(summary(arguments.mode)) }
    return code == .passed && changed > 0 && arguments.mode != .write ? .failed : code
  }

  private func summary(_ mode: FormatArguments.Mode) -> String {
    let files = counted(count, "file")
    switch mode {
    case .write: return "\(changed) of \(files) formatted"
    case .check, .diff:
      return changed == 0
        ? "\(files) in the one form"
        : "\(changed) of \(files) not in the one form; `rehearse fmt` writes them"
    }
  }
}

/// The result for one file, with the text to print.
private enum FormattedFile {
  case alike(String)
  case differs(String)
  case refused([Diagnostic], SourceMap)
  case unusable(Diagnostic)
}

private func formatted(_ path: String, _ arguments: FormatArguments) -> FormattedFile {
  let bytes: [UInt8]
  switch path == standardInputPath ? readInput(path) : readFile(path) {
  case .failure(let problem): return .unusable(.unreadable(path, problem.message))
  case .success(let read): bytes = read
  }
  let file = SourceFile(path: path, bytes: bytes)
  switch formatYAML(file, width: arguments.width) {
  case .refused(let problems):
    var sources = SourceMap()
    _ = sources.add(file)
    return .refused(problems, sources)
  case .formatted(let form):
    return put(form, instead: bytes, path, arguments.mode)
  }
}

private func put(
  _ form: [UInt8], instead bytes: [UInt8], _ path: String, _ mode: FormatArguments.Mode
) -> FormattedFile {
  let text = String(decoding: form, as: UTF8.self)
  if mode == .write, path == standardInputPath { return .alike(text) }
  guard form != bytes else { return .alike("") }
  switch mode {
  case .check: return .differs(path + "\n")
  case .diff:
    let old = String(decoding: bytes, as: UTF8.self)
    return .differs(UnifiedDiff(old, text).text(from: path, to: path))
  case .write:
    if let problem = writeFile(path, text) {
      return .unusable(.unwritable(path, problem.message))
    }
    return .differs(path + "\n")
  }
}
