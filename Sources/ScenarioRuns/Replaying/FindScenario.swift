import Diagnostics
import ScenarioPlan
import Secrets
import Traces
import Values

/// The scenario that a trace names, as it is now.
struct ScenarioOfTrace {
  let loaded: LoadedFile
  /// Nil if the file does not have the scenario any more, or it has errors.
  let plan: ScenarioPlan?
  let row: RowPlan?
  let path: String
  /// The title that the trace names.
  private let title: String?
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
      let path = options.scenario ?? run.header.scenario?.path.map({ straightPath($0, in: folder) })
    else { return .failure(.noName) }
    switch readFile(path) {
    case .failure(let problem): return .failure(.unreadable(path, problem.message))
    case .success(let bytes):
      let inputs = options.inputs(for: run.header)
      let loaded = loadScenarios(
        SourceFile(path: path, bytes: bytes), inputs: inputs,
        configuration: Configurations(of: [path], inputs: inputs).configuration(of: path))
      return .success(ScenarioOfTrace(loaded, run, path, folder))
    }
  }

  private init(_ loaded: LoadedFile, _ run: TraceRun, _ path: String, _ folder: String) {
    self.loaded = loaded
    self.path = path
    let named = run.header.scenario
    title = named?.title
    let plan = loaded.plans.first {
      named?.title == nil || $0.secretMask.masked($0.title) == named?.title
        || $0.title == named?.title
    }
    self.plan = plan
    row = plan?.rows.first { $0.id == named?.row }
    changedFiles = run.header.files.compactMap { name, hash in
      guard case .string(let recorded) = hash else { return nil }
      let isScenario = name.plainText == named?.path
      let file = isScenario ? path : straightPath(name.plainText, in: folder)
      let known = loaded.sources.files.first { $0.path == file }
      let bytes = known?.bytes ?? (try? readFile(file).get()) ?? []
      return SHA256.digest(of: bytes) == recorded ? nil : file
    }.sorted()
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
      recorded.append(
        PlanInputs.Variable(name: name.plainText, text: value.plainText, value: value))
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
