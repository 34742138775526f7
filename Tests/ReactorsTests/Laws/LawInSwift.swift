import Reactors
import StateGraph

/// A law's reactor, written with the library.
final class LawReactor: CallbackReactor {
  struct State: Equatable {
    var last = ""
    var result = AsyncLoad<String>.none
  }

  struct Action {
    let definition: LawAction
    let run: String
  }

  private struct Status: Error, Equatable {
    let code: Int
  }

  let context: ReactorContext<State>
  private let law: ReactorLaw
  private let jobs: Jobs
  private var log: [String] = []
  private var runs: [String: ActionRun] = [:]
  private var shown = State()

  init(_ law: ReactorLaw, _ jobs: Jobs = Jobs()) {
    self.law = law
    self.jobs = jobs
    context = ReactorContext(State(), in: Graph()) { jobs.add($0) }
  }

  /// Takes the law's script and returns the log.
  func run() -> [String] {
    let token = context.node.onChange { [unowned self] in show($0) }
    for message in law.script {
      jobs.advance(to: message.time)
      take(message)
    }
    jobs.advance(to: jobs.time + 1_000)
    token.cancel()
    return log + outcomes
  }

  /// The library knows which runs were cancelled.
  private var outcomes: [String] {
    let open = law.runs.filter { runs[$0]?.isOver != true }.map { "\($0) is not over" }
    return open
      + law.outcomes { name, what in
        what == "began"
          ? log.contains { $0.hasSuffix(" \(name) began") } : runs[name]?.isCancelled == false
      }
  }

  private func take(_ message: LawMessage) {
    switch message {
    case .send(_, let action, let run): send(action, run)
    case .endLifecycle: cancelLifecycleTasks()
    }
    jobs.drain()
  }

  private func send(_ name: String, _ run: String) {
    guard let action = law.actions.first(where: { $0.name == name }) else { return }
    let message = Action(definition: action, run: run)
    let lifecycle: CancelMode = action.endsWithLifecycle ? .lifecycle : []
    runs[run] =
      switch action.overlap {
      case .allowed: send(message, id: CancelID(name, mode: lifecycle))
      case .inFlight(let id): send(message, id: CancelID(id, mode: lifecycle.union(.inFlight)))
      case .join(let id): send(message, joining: CancelID(id, mode: lifecycle.union(.inFlight)))
      }
  }

  func action(_ action: Action, in run: ActionRun) {
    report("\(action.run) began")
    perform(action.definition.steps[...], of: action.run, in: run)
  }

  /// Takes steps up to one that waits, and the others after it.
  private func perform(
    _ steps: ArraySlice<LawStep>, of name: String, in run: ActionRun
  ) {
    guard let step = steps.first else { return report("\(name) ended") }
    let others = { self.perform(steps.dropFirst(), of: name, in: run) }
    switch step {
    case .note(let word): report("\(name) \(word)")
    case .set: state.last = name
    case .send(let action, let other): send(action, other)
    case .endLifecycle: cancelLifecycleTasks()
    case .fail: return report("\(name) failed")
    case .wait(let time): return run.effect({ jobs.wait(time, $0) }, then: { _ in others() })
    case .load(let time): return load(time, .loaded(name), in: run, then: others)
    case .loadFailing(let time):
      return load(time, .error(Status(code: 503)), in: run, then: others)
    }
    others()
  }

  private func load(
    _ time: Int, _ result: AsyncLoad<String>, in run: ActionRun,
    then proceed: @escaping () -> Void
  ) {
    state.result = .loading
    run.effect(
      { jobs.wait(time, $0) },
      then: { _ in
        self.state.result = result
        proceed()
      })
  }

  private func show(_ state: State) {
    if state.last != shown.last { report("last = \(state.last)") }
    if state.result != shown.result { report("result = \(text(of: state.result))") }
    shown = state
  }

  private func report(_ line: String) {
    log.append("\(jobs.time) \(line)")
  }

  private func text(of result: AsyncLoad<String>) -> String {
    switch result {
    case .none: "none"
    case .loading: "loading"
    case .loaded(let item): "loaded \(item)"
    case .error(let error): "error \((error as? Status)?.code ?? 0)"
    }
  }
}
