import Diagnostics
import Glibc
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Verdicts
import World

/// The files of `scenarios/`, sorted by what is promised of them.
enum Corpus {
  /// Everything here loads and passes.
  static let passing: [String] = files(below: "scenarios").filter {
    $0.hasSuffix(".scenario.yaml")
  }
  static let failing = files(below: "scenarios/failing").filter(isScenario)
  static let broken = files(below: "scenarios/broken").filter(isScenario)
  /// Every component is right by itself, those for examples of mistakes aside.
  static let components = files(below: "scenarios").filter {
    $0.hasSuffix(".component.yaml") && !$0.hasPrefix("scenarios/broken")
  }
  static let expectedTexts = (files(below: "scenarios/failing") + files(below: "scenarios/broken"))
    .filter { $0.hasSuffix(".expected") }

  /// The package's root, found from where this file was compiled.
  static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }

  static func text(_ path: String) -> [UInt8]? { try? readFile("\(root)/\(path)").get() }

  /// A file under its path from the root, as reports name it.
  static func load(_ path: String) -> LoadedFile {
    loadScenarios(SourceFile(path: path, bytes: text(path) ?? []), components: disk)
  }

  /// Components as reports name them: by their paths from the root.
  static let disk = ComponentFiles(
    read: { ComponentFiles.onDisk.read("\(root)/\($0)") },
    names: { ComponentFiles.onDisk.names("\(root)/\($0)") })

  private static func isScenario(_ path: String) -> Bool {
    path.hasSuffix(".yaml") && !path.hasSuffix(".component.yaml") && !path.hasSuffix(".steps.yaml")
  }

  /// The runs of a loaded file: one for each scenario, or for each row of its table.
  static func runs(of file: LoadedFile) -> [CorpusRun] {
    file.plans.flatMap { plan in
      let rows: [RowPlan?] = plan.columns.isEmpty ? [nil] : plan.rows
      return rows.map { CorpusRun(plan: plan, row: $0, sources: file.sources) }
    }
  }

  private static func files(below folder: String) -> [String] {
    guard let directory = opendir("\(root)/\(folder)") else { return [] }
    defer { closedir(directory) }
    var paths: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard !name.hasPrefix(".") else { continue }
      let path = "\(folder)/\(name)"
      paths += name.contains(".") ? [path] : files(below: path)
    }
    return paths.sorted()
  }
}

/// A scenario, or a row of one, that can be run again and again.
struct CorpusRun {
  var plan: ScenarioPlan
  var row: RowPlan?
  var sources: SourceMap

  var title: String { plan.title + (row.map { " [\($0.id)]" } ?? "") }

  func run(in world: WorldKind = .mock) -> JudgedRun { run(over: LineConditions(), in: world) }

  /// With all lines between clients and endpoints like this at the start.
  func run(
    over line: LineConditions, seed: Int? = nil, in world: WorldKind = .mock
  ) -> JudgedRun {
    var inputs = RunInputs(seed: seed ?? plan.seed ?? Suite.defaultSeed, row: row)
    inputs.line = line
    return runScenario(plan, inputs: inputs, sources: sources, in: world)
  }
}
