import Diagnostics
import ScenarioPlan
import Secrets
import Synchronization
import TraceRecording
import Traces
import Values

/// The scenario files of traces that are replayed together. A file is loaded once for all of its
/// traces that were recorded with the same variables.
final class LoadedScenarios: Sendable {
  struct Key: Equatable {
    var path: String
    var variables: ValueMap
    var spellings: ValueMap
    var secrets: [String]
  }

  struct Loaded: Sendable {
    var file: LoadedFile
    var steps: TracedSteps

    init(_ file: LoadedFile) { (self.file, steps) = (file, TracedSteps(file.sources)) }
  }

  /// The last ones: traces of one file follow each other.
  private let kept = Mutex<[(key: Key, loaded: Loaded)]>([])
  private static let mostKept = 8

  func loaded(_ key: Key, _ load: () -> LoadedFile) -> Loaded {
    if let known = kept.withLock({ $0.first { $0.key == key }?.loaded }) { return known }
    let loaded = Loaded(load())
    kept.withLock { kept in
      if kept.count >= LoadedScenarios.mostKept { kept.removeFirst() }
      kept.append((key, loaded))
    }
    return loaded
  }
}

/// The scenario that a trace names, as it is now.
struct ScenarioOfTrace {
  let loaded: LoadedFile
  /// Nil if the file does not have the scenario any more, or it has errors.
  let plan: ScenarioPlan?
  let row: RowPlan?
  let path: String
  /// The title that the trace names.
  let title: String?
  /// The identities of the scenario's steps.
  let steps: StepIdentities
  /// The files whose contents are not those of the recording.
  let changedFiles: [String]

  /// The reason why a trace has no scenario.
  enum Problem: Error {
    case noName
    case unreadable(String, String)

    func diagnostic(at place: TracePlace?, in file: Int32) -> Diagnostic {
      switch self {
      case .noName: .traceWithoutScenario("its header names no scenario", place, in: file)
      case .unreadable(let path, let reason):
        .traceWithoutScenario("`\(path)` cannot be read: \(reason)", place, in: file)
      }
    }
  }

  static func find(
    _ run: TraceRun, beside trace: String, _ options: ReplayOptions
  ) -> Result<ScenarioOfTrace, Problem> {
    let folder = enclosingFolder(of: trace)
    guard
      let path = options.choice.scenario
        ?? run.header.scenario?.path.map({ straightPath($0, in: folder) })
    else { return .failure(.noName) }
    switch readFile(path) {
    case .failure(let problem): return .failure(.unreadable(path, problem.message))
    case .success(let bytes):
      let key = LoadedScenarios.Key(
        path: path, variables: run.header.vars, spellings: run.header.spellings,
        secrets: run.header.secrets)
      let loaded = options.scenarios.loaded(key) {
        let inputs = options.inputs(for: run.header)
        return loadScenarios(
          SourceFile(path: path, bytes: bytes), inputs: inputs,
          configuration: Configurations(of: [path], inputs: inputs).configuration(of: path))
      }
      return .success(ScenarioOfTrace(loaded, run, path, folder))
    }
  }

  private init(
    _ known: LoadedScenarios.Loaded, _ run: TraceRun, _ path: String, _ folder: String
  ) {
    let (loaded, traced) = (known.file, known.steps)
    self.loaded = loaded
    self.path = path
    let named = run.header.scenario
    title = named?.title
    let plan = run.scenario(among: loaded.plans, traced)
    self.plan = plan
    steps = plan.map { traced.steps(of: $0) } ?? StepIdentities()
    row = plan.flatMap { run.row(of: $0) }
    changedFiles = run.header.files.compactMap { name, hash in
      guard case .string(let recorded) = hash else { return nil }
      let isScenario = name.plainText == named?.path
      let file = isScenario ? path : straightPath(name.plainText, in: folder)
      let known = loaded.sources.files.first {
        $0.path == ($0.isCarried ? name.plainText : file)
      }
      let bytes = known?.bytes ?? (try? readFile(file).get()) ?? []
      return SHA256.digest(of: bytes) == recorded ? nil : known?.path ?? file
    }.sorted()
  }

  /// Loads the file again, with the steps of another one behind the first steps of its scenario.
  ///
  /// - Parameter kept: The number of steps that stay.
  func continued(
    after kept: Int, with steps: String, _ header: TraceHeader, _ options: ReplayOptions
  ) -> LoadedFile? {
    guard let plan, case .success(let bytes) = readFile(path) else { return nil }
    var inputs = options.inputs(for: header)
    inputs.continuation = PlanInputs.Continuation(
      scenario: plan.range, kept: kept,
      file: TraceRecording.path(steps, from: enclosingFolder(of: path)))
    return loadScenarios(
      SourceFile(path: path, bytes: bytes), inputs: inputs,
      configuration: Configurations(of: [path], inputs: inputs).configuration(of: path))
  }

  func problems(at place: TracePlace?, in file: Int32) -> [Diagnostic] {
    let errors = loaded.diagnostics.filter { $0.severity == .error }
    guard errors.isEmpty else { return errors }
    let reason = "`\(path)` has no scenario" + (title.map { " `\($0)`" } ?? "")
    return [.traceWithoutScenario(reason, place, in: file)]
  }
}

extension ReplayOptions {
  /// Returns the inputs of a recorded run. The command line takes precedence, and a secret that it
  /// does not give is its placeholder.
  fileprivate func inputs(for header: TraceHeader) -> PlanInputs {
    var inputs = self.inputs
    inputs.allowsUnsetSecrets = true
    let given = Set(inputs.variables.map(\.name))
    var recorded: [PlanInputs.Variable] = []
    for (name, json) in header.vars where !given.contains(name.plainText) {
      guard case .success(let value) = TraceValue(json: json).decoded() else { continue }
      if header.secrets.contains(name.plainText) { continue }
      let text = header.spellings[name] ?? value
      recorded.append(
        PlanInputs.Variable(name: name.plainText, text: text.plainText, value: value))
    }
    for name in header.secrets where !given.contains(name) {
      let text = secretPlaceholder(name)
      let shape = header.vars[name].flatMap { try? TraceValue(json: $0).decoded().get() }
      var secret = PlanInputs.Variable(name: name, text: text, value: shape ?? .string(text))
      secret.isPlaceholder = true
      recorded.append(secret)
    }
    inputs.variables = recorded + inputs.variables
    return inputs
  }
}
