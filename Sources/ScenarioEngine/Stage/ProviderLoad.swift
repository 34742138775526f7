import ReactorPolicies
import ScenarioPlan
import Values

/// Filling fields from providers.
extension ScriptRun {
  /// All fields load side by side; the step is over when the last of them is filled.
  func load(_ loads: [LoadPlan]) -> Flow {
    var started: [ProviderLoad] = []
    var lists: [(ListID, ProviderID, [Value])] = []
    for load in loads {
      switch run.suppliers.providers.locals(of: load.call, in: self) {
      case .failure(let failure): return .fails(scriptFailure(failure))
      case .success(let locals):
        switch load.target {
        case .node(let node):
          started.append(ProviderLoad(run.suppliers.providers, node, load.call.provider, locals))
        case .list(let list): lists.append((list, load.call.provider, locals))
        }
      }
    }
    for (list, provider, locals) in lists {
      run.emitter.change { run.suppliers.lists.load(list, from: provider, locals) }
    }
    return begin(started)
  }

  private func begin(_ loads: [ProviderLoad]) -> Flow {
    var open = loads.count
    guard open > 0 else { return .next }
    onCancel = { for load in loads { load.cancel() } }
    for load in loads {
      load.onEnd = { [weak self, unowned load] in
        open -= 1
        guard let self else { return }
        waitBeforeRetry(load.retryAfter)
        guard open == 0 else { return }
        onCancel = nil
        resume()
      }
    }
    for load in loads { load.begin() }
    return .waits
  }

  /// Keeps the next try of a `retry` until the server of an answer wants to be asked again.
  private func waitBeforeRetry(_ pause: Microseconds?) {
    guard let pause else { return }
    let (time, isNever) = run.loop.now.addingReportingOverflow(pause)
    notBefore = max(notBefore, isNever ? .max : time)
  }
}

/// The load of one field: `loading` at once, then `loaded` or `error`.
final class ProviderLoad {
  private let emitter: SourceEmitter
  private let node: NodeID
  private let call: ProviderCall
  var onEnd: (() -> Void)?

  init(_ providers: Providers, _ node: NodeID, _ provider: ProviderID, _ locals: [Value]) {
    emitter = providers.run.emitter
    self.node = node
    call = ProviderCall(providers, provider, locals)
  }

  /// The pause that the last answer asked for.
  var retryAfter: Microseconds? { call.retryAfter }

  func begin() {
    write(.loading)
    call.begin { [self] result in finish(result) }
  }

  func cancel() {
    onEnd = nil
    call.cancel()
  }

  private func finish(_ result: Result<Value, StreamFailure>) {
    switch result {
    case .success(let value): write(.loaded(value))
    case .failure(let failure): write(.error(failure))
    }
    let handler = onEnd
    onEnd = nil
    handler?()
  }

  private func write(_ state: AsyncLoad<Value>) {
    emitter.write([(node, state.value)])
  }
}

extension AsyncLoad<Value> {
  /// The state as a field has it.
  var value: Value {
    switch self {
    case .none: "none"
    case .loading: "loading"
    case .loaded(let item): ["loaded": item]
    case .error(let error):
      ["error": (error as? StreamFailure)?.value ?? .string("\(error)")]
    }
  }
}
