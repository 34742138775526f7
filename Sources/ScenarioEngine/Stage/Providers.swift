import CEL
import Publishers
import ScenarioPlan
import Values
import World

/// The providers of one run, and the parts that calls of them use.
final class Providers {
  let run: RunParts
  let client: ScenarioClient
  let databases: LiveDatabases
  /// The random numbers of each provider's retries, once it has drawn one.
  private var retryChances: [String: SeededRandom] = [:]

  init(_ run: RunParts, _ client: ScenarioClient, _ databases: LiveDatabases) {
    self.run = run
    self.client = client
    self.databases = databases
  }

  /// Returns a provider's values. Each subscriber starts a new request; live providers continue.
  func publisher(of provider: ProviderID, _ locals: [Value]) -> ValuePublisher {
    if isPlayed(provider) {
      return ProviderPublisher(providers: self, provider: provider, locals: locals)
        .eraseToAnyPublisher()
    }
    return switch run.plan.providers[provider].origin {
    case .query(let statement, isLive: true):
      databases.rows(of: statement, locals) { [unowned self] rows in
        selection(of: provider, ["json": rows], else: rows, locals)
      }
    case .stream(let source):
      run.streams?.publisherWithPresentValue(of: source) ?? eventsFromNode(source)
    case .items, .request, .file, .query:
      ProviderPublisher(providers: self, provider: provider, locals: locals)
        .eraseToAnyPublisher()
    }
  }

  /// Returns whether a Swift object plays a provider.
  func isPlayed(_ provider: ProviderID) -> Bool { run.subjects?.plays(provider) ?? false }

  /// The values of a provider's parameters, by name.
  func arguments(of provider: ProviderID, _ locals: [Value]) -> ValueMap {
    var arguments = ValueMap()
    for (name, local) in run.plan.providers[provider].parameters {
      arguments[name] = locals[local.index]
    }
    return arguments
  }

  /// The events of a source from now on. A node begins with its value.
  func eventsFromNode(_ source: SourceID) -> ValuePublisher {
    run.streams?.publisherFromNode(source)
      ?? Empty(completeImmediately: false).eraseToAnyPublisher()
  }

  /// The locals of a provider that is called: what the caller gives for its parameters.
  func locals(
    of call: ProviderCallPlan, in slots: some CELSlots
  ) -> Result<[Value], EvaluationFailure> {
    var locals = [Value](filledWith: .null, count: run.plan.providers[call.provider].localCount)
    for argument in call.arguments {
      switch evaluate(argument.value, in: slots) {
      case .success(let value): locals[argument.local.index] = value
      case .failure(let failure): return .failure(failure)
      }
    }
    return .success(locals)
  }

  /// The locals of a provider that a list calls when the stage is built.
  func initialLocals(of call: ProviderCallPlan) -> [Value] {
    switch locals(of: call, in: ValueReader(run.stage)) {
    case .success(let locals): return locals
    case .failure(let failure):
      run.supervisor.fail(failure)
      return [Value](filledWith: .null, count: run.plan.providers[call.provider].localCount)
    }
  }

  /// Returns the part of an answer that a provider provides.
  func selection(
    of provider: ProviderID, _ response: Value, else whole: Value, _ locals: [Value]
  ) -> Result<Value, StreamFailure> {
    let provider = run.plan.providers[provider]
    guard let selection = provider.value else { return .success(whole) }
    var locals = locals
    locals[provider.response.index] = response
    return evaluate(selection, in: ValueReader(run.stage, locals)).mapError(StreamFailure.init)
  }

  /// The data of a JSON file, or an error with its path.
  func readJSON(_ path: String, in folder: String) -> Result<Value, StreamFailure> {
    switch run.inputs.readFile(resolve(path, in: folder)) {
    case .failure(let failure):
      let reason = failure.isMissing ? "fileNotFound" : "fileUnreadable"
      return .failure(fileError(reason, path, failure.message))
    case .success(let bytes):
      return parseJSON(bytes, refusingDuplicateKeys: true).mapError {
        fileError("malformedJSON", path, $0.text(in: bytes))
      }
    }
  }

  private func fileError(_ reason: String, _ path: String, _ message: String) -> StreamFailure {
    StreamFailure(value: [
      "reason": .string(reason), "path": .string(path), "message": .string(message),
    ])
  }

  /// Returns a random number for the pauses between attempts; each provider has its own sequence,
  /// and streams have one.
  func retryChance(of name: String) -> Double {
    var own = retryChances[name] ?? run.chance.stream("retry " + name)
    defer { retryChances[name] = own }
    return own.double()
  }
}
