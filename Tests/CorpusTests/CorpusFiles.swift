import Diagnostics
import ScenarioEngine
import ScenarioPlan
import TestKit
import Verdicts
import World

@testable import ScenarioRuns

/// The files of `scenarios/`, by the result they must have.
enum Corpus {
  /// The files that load and pass.
  static let passing = filePaths(below: "scenarios").filter { $0.hasSuffix(".scenario.yaml") }
  /// The files whose runs are recorded, judged again, replayed and imported: all of them, and every
  /// tenth in a debug build, which takes ten times as long. Build servers run both.
  static let recorded = sample(of: replayable, every: 10)
  /// The files without programs, which no replay starts.
  static let replayable = passing.filter { !$0.hasPrefix("scenarios/programs/") }

  /// True if a tenth of the files, the mutants or the faults stands for all.
  static var everyTenth: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  /// Returns each file of this distance in a debug build, and all of them in an optimised one.
  static func sample(of files: [String], every distance: Int) -> [String] {
    guard everyTenth else { return files }
    return stride(from: 0, to: files.count, by: distance).map { files[$0] }
  }

  /// The files whose runs are compared with other runs of themselves.
  static let compared = sample(of: passing + failing, every: 10)

  static let failing = filePaths(below: "scenarios/failing").filter(isScenario)
  static let broken = filePaths(below: "scenarios/broken").filter(isScenario)
  /// The components that are right by themselves: all but the examples of mistakes.
  static let components = filePaths(below: "scenarios").filter {
    $0.hasSuffix(".component.yaml") && !$0.hasPrefix("scenarios/broken")
  }
  static let expectedTexts = ["scenarios/failing", "scenarios/broken"].flatMap { folder in
    filePaths(below: folder).filter { $0.hasSuffix(".expected") }
  }

  /// Loads a file under its path from the root, as reports name it.
  static func load(_ path: String) -> LoadedFile {
    loadScenarios(
      SourceFile(path: path, bytes: fileBytes(path) ?? []), components: disk,
      configuration: configuration(of: path))
  }

  /// Returns what the configurations of the repository give to a file.
  static func configuration(of path: String) -> Configuration {
    Configurations(of: [path], inputs: PlanInputs(), files: disk).configuration(of: path)
  }

  /// The components on disk, by their paths from the root.
  static let disk = ComponentFiles(
    read: { ComponentFiles.onDisk.read("\(packageRoot)/\($0)") },
    names: { ComponentFiles.onDisk.names("\(packageRoot)/\($0)") })

  private static func isScenario(_ path: String) -> Bool {
    path.hasSuffix(".yaml") && !path.hasSuffix(".component.yaml") && !path.hasSuffix(".steps.yaml")
  }

  /// Returns the runs of a loaded file: one for each scenario, or for each row of its table.
  static func runs(of file: LoadedFile) -> [CorpusRun] {
    file.plans.flatMap { plan in
      let rows: [RowPlan?] = plan.columns.isEmpty ? [nil] : plan.rows
      return rows.map { CorpusRun(plan: plan, row: $0, sources: file.sources) }
    }
  }
}

/// A scenario, or a row of one, that can be run again and again.
struct CorpusRun {
  var plan: ScenarioPlan
  var row: RowPlan?
  var sources: SourceMap

  var title: String { plan.title + (row.map { " [\($0.id)]" } ?? "") }

  func run(in world: WorldKind = .mock) -> JudgedRun { run(over: LineConditions(), in: world) }

  /// Runs it with these conditions on all lines between clients and endpoints.
  func run(
    over line: LineConditions, seed: Int? = nil, in world: WorldKind = .mock
  ) -> JudgedRun {
    var inputs = RunInputs(seed: seed ?? plan.seed ?? Suite.defaultSeed, row: row)
    inputs.line = line
    return runScenario(plan, inputs: inputs, sources: sources, in: world)
  }
}
