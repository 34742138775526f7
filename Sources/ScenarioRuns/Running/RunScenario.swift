import Diagnostics
import Events
import ScenarioEngine
import ScenarioPlan
import ScenarioSpec
import Values
import Verdicts
import World
import YAMLSyntax

/// What a file's text was made into: plans ready to run, and all that is to be said about it.
package struct LoadedFile: Sendable {
  package var sources: SourceMap
  /// The scenarios without errors.
  package var plans: [ScenarioPlan]
  /// Secrets in them are masked; those in lines that are quoted are not.
  package var diagnostics: [Diagnostic]
  /// Hides the secrets of the file, also those of scenarios with errors.
  package var mask: SecretMask
  /// Whether the file is a component, of which there is nothing to run.
  package var isComponent = false
  /// Whether it holds steps for others to include, and nothing to run either.
  package var isSteps = false
}

/// Text → tree → document → plan; each stage hands on what it understood and adds its complaints.
package func loadScenarios(
  _ file: SourceFile, inputs: PlanInputs = PlanInputs(), components: ComponentFiles = .onDisk
) -> LoadedFile {
  var sources = SourceMap()
  let tree = parseYAML(file, index: sources.add(file))
  if isComponentFile(file.path) || isComponent(tree.value) {
    return loadComponent(tree, of: file, in: sources, inputs: inputs, components: components)
  }
  if isStepsFile(file.path) {
    return loadSteps(tree, of: file, in: sources, inputs: inputs, components: components)
  }
  let tables = TableLoader(sources, files: components, folder: folder(of: file.path))
  var documents = decodeScenarios(
    tree.value, in: sources, tables: TableFiles { tables.open($0) })
  let loader = ComponentLoader(tables.sources, files: components)
  documents.value.fillIn { loader.load(&$0, of: file.path) }
  sources = loader.sources
  var inputs = inputs
  inputs.paths = sources.files.map(\.path)
  inputs.readJSON = readJSON
  let plans = documents.value.whole.map { [inputs] in compileScenario($0, inputs: inputs) }
  // Where YAML read something else than was meant, names may be missing that are there.
  let more =
    tree.diagnostics.isEmpty
    ? documents.value.partial.flatMap { diagnose($0, inputs, in: sources) } : []
  var shelved = plans.compactMap { $0.value.flatMap { isWhole($0, tree.diagnostics) ? $0 : nil } }
    .withSnapshots(of: file.path, components)
  let later =
    documents.diagnostics + loader.diagnostics + plans.flatMap(\.diagnostics) + more
    + shelved.diagnostics
  let complaints = foldComplaints(tree.diagnostics, later.onceInOtherFiles())
  var known: Set<String> = []
  let found = findSecrets(in: tree.value + loader.trees, inputs: inputs)
  let secrets = (shelved.value.flatMap(\.secrets) + found).filter { known.insert($0).inserted }
  // Reports quote the lines of a file, and with them the secrets of other scenarios, and those that
  // were replaced from outside.
  for index in shelved.value.indices { shelved.value[index].secrets = secrets }
  let mask = SecretMask(secrets)
  return LoadedFile(
    sources: sources, plans: shelved.value, diagnostics: complaints.map { mask.masked($0) },
    mask: mask)
}

/// Whether all of a scenario's text could be read; what was left out of it might have mattered.
private func isWhole(_ plan: ScenarioPlan, _ diagnostics: [Diagnostic]) -> Bool {
  !diagnostics.contains { complaint in
    guard complaint.severity == .error, let place = complaint.labels.first?.range else {
      return false
    }
    return plan.extent.start <= place.start && place.start <= plan.extent.end
  }
}

/// Plan → live objects → events → verdict.
package func runScenario(
  _ plan: ScenarioPlan, inputs: RunInputs, sources: SourceMap = SourceMap(),
  in kind: WorldKind = .mock, updatesSnapshots: Bool = false
) -> JudgedRun {
  if let reason = plan.skip {
    return JudgedRun(log: EventLog(), verdict: Verdict(.skipped(reason: reason)))
  }
  switch makeWorld(kind, for: plan) {
  case .failure(let problem):
    return JudgedRun(log: EventLog(), verdict: Verdict(.couldNotRun, failures: [problem.reason]))
  case .success(let world):
    return run(plan, inputs, sources, in: world, updatesSnapshots: updatesSnapshots) {
      rerunCommand(plan, inputs: inputs, sources: sources, in: kind)
    }
  }
}

private func run(
  _ plan: ScenarioPlan, _ inputs: RunInputs, _ sources: SourceMap, in world: RunWorld,
  updatesSnapshots: Bool, rerun: () -> String?
) -> JudgedRun {
  let judge = ScenarioJudge(plan, updatesSnapshots: updatesSnapshots)
  var inputs = inputs
  if let row = inputs.row, plan.takesSnapshots { inputs.rowName = rowName(row, of: plan) }
  inputs.readFile = { path in
    readFile(path).mapError { FileFailure(isMissing: $0.isMissing, message: $0.message) }
  }
  let log = runScenario(plan, inputs: inputs, judge: judge, in: world)
  return JudgedRun(log: log, verdict: judge.verdict(on: log, sources: sources, rerun: rerun()))
}

/// Everything that happened in a run, and what it comes to.
package struct JudgedRun: Sendable {
  package var log: EventLog
  package var verdict: Verdict
}

/// The command that repeats a run, whatever its scenario or row is called.
private func rerunCommand(
  _ plan: ScenarioPlan, inputs: RunInputs, sources: SourceMap, in kind: WorldKind
) -> String? {
  guard let file = sources.file(of: plan.range) else { return nil }
  var range = plan.range
  var place: String
  if let row = inputs.row, row.range.file != plan.range.file {
    place = "\(file.path)::\(plan.title)::\(row.id)"
  } else {
    range = inputs.row?.range ?? range
    place = "\(file.path):\(file.place(of: Int(range.start)).line)"
  }
  place = asTyped(place)
  var world = kind == .mock ? "" : " --against \(kind.name)"
  if case .real(let settings) = kind {
    let options = settings.curlOptions + (settings.ignoresDrift ? ["--no-drift"] : [])
    world += options.map { " " + asTyped($0) }.joined()
  }
  return "rehearse run \(place) --seed \(UInt64(bitPattern: Int64(inputs.seed)))\(world)"
}

/// In quotes where a shell would take it apart.
private func asTyped(_ word: String) -> String {
  let isPlain = word.unicodeScalars.allSatisfy {
    !$0.isASCII || $0.properties.isAlphabetic || ("0"..."9").contains($0)
      || "/._-:+,@%=".unicodeScalars.contains($0)
  }
  if isPlain { return word }
  let parts = word.split(separator: "'", omittingEmptySubsequences: false)
  return "'" + parts.joined(separator: "'\\''") + "'"
}
