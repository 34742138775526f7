import Diagnostics
import Glibc
import ScenarioPlan
import ScenarioRuns
import Values

/// The scenarios of a file or folder, in the order of paths, and one for each row of a table.
///
/// They are the arguments of a test:
///
/// ```swift
/// @Test(arguments: Scenarios(in: "scenarios/licensing"))
/// func `licensing holds`(_ scenario: Scenario) async { await stage.test(scenario) }
/// ```
///
/// What cannot be read is a scenario that fails, so that no test passes because there is nothing
/// to run.
public struct Scenarios: RandomAccessCollection, Sendable {
  private let all: [Scenario]

  /// Loads scenarios. A relative path is one of the working folder, or of a folder around the file
  /// of the test.
  ///
  /// The given values replace variables of the same name.
  public init(
    in path: String, variables: [String: Value] = [:], file: StaticString = #filePath
  ) {
    let path = resolved(path, near: "\(file)")
    var inputs = PlanInputs()
    inputs.variables = variables.sorted { $0.key < $1.key }.map { name, value in
      PlanInputs.Variable(name: name, text: value.plainText, value: value)
    }
    inputs.environment = processEnvironment()
    switch findFiles(at: path) {
    case .files(let files) where !files.isEmpty:
      all = load(files, inputs)
    case .files: all = [.init(unreadable: path, .noScenarios(path))]
    case .missing:
      all = [.init(unreadable: path, .unreadable(path, "there is no such file or folder"))]
    case .unreadable(let reason): all = [.init(unreadable: path, .unreadable(path, reason))]
    }
  }

  /// Makes scenarios of the text of a file.
  public init(text: String, path: String = "<text>") {
    all = scenarios(SourceFile(path: path, text: text), PlanInputs(), at: path)
  }

  /// The place of the first scenario.
  public var startIndex: Int { 0 }
  /// The place behind the last scenario.
  public var endIndex: Int { all.count }
  /// Returns the scenario at a place.
  public subscript(place: Int) -> Scenario { all[place] }
}

/// Loads files with their configurations, whose set-ups run once.
private func load(_ files: [String], _ inputs: PlanInputs) -> [Scenario] {
  var suite = Suite(files: files.map { SuiteFile(path: $0) }, inputs: inputs)
  suite.configurations = Configurations(of: files, inputs: inputs)
  let failures = SetupFailures()
  if !suite.configurations.haveErrors { suite.runSetups(failures) }
  let wrong = suite.configurations.loaded.filter(\.diagnostics.hasErrors).map { file in
    Scenario(broken: file, file.diagnostics.filter { $0.severity == .error })
  }
  let unreadable = suite.configurations.unreadable.map { path, problem in
    Scenario(unreadable: path, .unreadable(path, problem.message))
  }
  let failed = failures.all.map { Scenario(failed: $0.file, $0.problems) }
  let problems = wrong + unreadable + failed
  if suite.configurations.haveErrors { return problems }
  return problems + files.flatMap { load($0, inputs, suite.configurations) }
}

private func load(
  _ path: String, _ inputs: PlanInputs, _ configurations: Configurations
) -> [Scenario] {
  switch readFile(path) {
  case .failure(let problem): [.init(unreadable: path, .unreadable(path, problem.message))]
  case .success(let bytes):
    scenarios(
      SourceFile(path: path, bytes: bytes), inputs, at: path,
      configurations.configuration(of: path))
  }
}

private func scenarios(
  _ source: SourceFile, _ inputs: PlanInputs, at path: String,
  _ configuration: Configuration = .none
) -> [Scenario] {
  let file = loadScenarios(source, inputs: inputs, configuration: configuration)
  var found: [(start: Int32, Scenario)] = []
  for plan in file.plans {
    let shared = SharedPlan(plan)
    let rows: [RowPlan?] = plan.columns.isEmpty ? [nil] : plan.rows
    found += rows.map { (plan.extent.start, Scenario(shared, $0, in: file, at: path)) }
  }
  for broken in file.broken {
    let line = file.sources.line(of: broken.outline.range)
    found += broken.rows.map { row in
      let scenario = Scenario(
        broken: broken.outline.title, row: row, line: line, broken.errors, in: file, at: path)
      return (broken.outline.extent.start, scenario)
    }
  }
  let all = found.enumerated().sorted {
    ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
  }.map(\.element.1)
  if !all.isEmpty { return all }
  let errors = file.diagnostics.filter { $0.severity == .error }
  let reasons = errors.isEmpty ? [.noScenarios(path)] : errors
  return [Scenario(broken: path, row: nil, line: 1, reasons, in: file, at: path)]
}

/// Finds a relative path in the working folder, or in a folder around a file.
func resolved(_ path: String, near file: String) -> String {
  if path.hasPrefix("/") || access(path, F_OK) == 0 { return path }
  var folder = Substring(file)
  while let slash = folder.lastIndex(of: "/") {
    folder = folder[..<slash]
    let candidate = "\(folder)/\(path)"
    if access(candidate, F_OK) == 0 { return candidate }
  }
  return path
}

private func processEnvironment() -> ValueMap {
  var map = ValueMap()
  var next = environ
  while let entry = next.pointee {
    let parts = String(cString: entry).split(separator: "=", maxSplits: 1)
    if let name = parts.first {
      map[String(name)] = .string(parts.count > 1 ? String(parts[1]) : "")
    }
    next += 1
  }
  return map
}

extension Diagnostic {
  fileprivate static func unreadable(_ path: String, _ reason: String) -> Diagnostic {
    Diagnostic("scenarios-not-found", "`\(path)` cannot be read: \(reason)")
  }

  fileprivate static func noScenarios(_ path: String) -> Diagnostic {
    Diagnostic(
      "scenarios-not-found", "`\(path)` has no scenario", help: "name a file or folder with one")
  }
}
