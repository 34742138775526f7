import Diagnostics
import ScenarioSpec

/// Actions that would wait for themselves.
extension PlanCompiler {
  /// Refuses waits that can never end. Those that depend on a condition are left to the run.
  func refuseAwaitCircles() {
    var search = AwaitSearch(actions: plan.actions, scripts: plan.scripts)
    for action in plan.actions.indices { search.pass(action) }
    guard !search.awaits.isEmpty else { return }
    search.awaits.removeAll { refuseOwnTurn($0) }
    for circle in search.circles { report(.awaitCircle(circle, plan)) }
  }

  /// Returns whether a run under an id waits for another under the same id, which waits for the
  /// first.
  private func refuseOwnTurn(_ wait: AwaitSearch.Await) -> Bool {
    let (waiting, awaited) = (plan.actions[wait.action], plan.actions[wait.target])
    guard waiting.reactor == awaited.reactor,
      let id = waiting.idOfTurn(sharedWith: awaited)
    else { return false }
    report(.awaitsOwnTurn(waiting, awaited, id: id, at: wait.range))
    return true
  }
}

extension ActionPlan {
  /// Returns the id under which a run of another action waits for a run of this one; nil if it does
  /// not wait.
  fileprivate func idOfTurn(sharedWith other: ActionPlan) -> String? {
    // An id with and one without the lifecycle are two.
    guard endsWithLifecycle == other.endsWithLifecycle else { return nil }
    switch (policy, other.policy) {
    case (.queue(let id), .queue(let otherID)), (.join(let id), .join(let otherID)):
      guard case .constant(let value) = id.content, case .constant(value) = otherID.content else {
        return nil
      }
      return value.plainText
    case (.plain, _), (.inFlight, _), (.queue, _), (.join, _): return nil
    }
  }

  /// True if a new run cancels older ones, which then no longer wait.
  fileprivate var cancelsOthers: Bool { if case .inFlight = policy { true } else { false } }
}

/// Goes through the scripts of actions and notes which actions they wait for.
private struct AwaitSearch {
  /// A wait of one action for another.
  struct Await {
    var action: ActionID
    var target: ActionID
    var range: SourceRange
    /// True if each run of the action comes to it.
    var isCertain: Bool
  }

  private let actions: Table<ActionPlan>
  private let scripts: Table<ScriptPlan>
  var awaits: [Await] = []
  private var isCertain = true
  /// True if a step that may be skipped can end the script.
  private var mayEnd = false

  init(actions: Table<ActionPlan>, scripts: Table<ScriptPlan>) {
    self.actions = actions
    self.scripts = scripts
  }

  mutating func pass(_ action: ActionID) {
    (isCertain, mayEnd) = (true, false)
    pass(actions[action].frame.script, of: action)
  }

  private mutating func pass(_ script: ScriptID, of action: ActionID) {
    for step in scripts[script].steps { pass(step.kind, of: action) }
  }

  private mutating func pass(_ step: StepPlanKind, of action: ActionID) {
    switch step {
    case .acting(.sendAndWait(let messages)):
      awaits += messages.map {
        Await(action: action, target: $0.action, range: $0.range, isCertain: isCertain && !mayEnd)
      }
    case .structure(.parallel(let branches)): for branch in branches { pass(branch, of: action) }
    case .structure(.wait(nil)), .action(.fail): mayEnd = true
    case .structure(let structure):
      let outer = isCertain
      isCertain = false
      for script in structure.innerScripts { pass(script, of: action) }
      isCertain = outer
    case .acting, .assertion, .mock, .action(.emit): break
    }
  }

  /// The circles of waits that each run comes to, each once.
  var circles: [[Await]] {
    let certain = awaits.filter { $0.isCertain && !actions[$0.target].cancelsOthers }
    var closed: Set<ActionID> = []
    var circles: [[Await]] = []
    for first in certain where !closed.contains(first.action) {
      guard let circle = circle(from: first, among: certain) else { continue }
      closed.formUnion(circle.map(\.action))
      circles.append(circle)
    }
    return circles
  }

  /// Returns the shortest way from an action back to itself; nil if there is none.
  private func circle(from first: Await, among certain: [Await]) -> [Await]? {
    let next = Dictionary(grouping: certain, by: \.action)
    var ways: [ActionID: [Await]] = [first.target: [first]]
    var open = [first.target]
    while !open.isEmpty {
      let action = open.removeFirst()
      guard let way = ways[action] else { continue }
      if action == first.action { return way }
      for wait in next[action] ?? [] where ways[wait.target] == nil {
        ways[wait.target] = way + [wait]
        open.append(wait.target)
      }
    }
    return nil
  }
}

extension Diagnostic {
  fileprivate static func awaitCircle(
    _ circle: [AwaitSearch.Await], _ plan: PlanContents
  ) -> Diagnostic {
    let names = circle.map(\.action) + circle.prefix(1).map(\.action)
    let path = names.map { "`\(plan.actions[$0].name)`" }.joined(separator: " → ")
    return Diagnostic(
      "await-circle", "an action cannot wait for its own end",
      labels: circle.enumerated().map { .init($1.range, $0 == 0 ? path : "and here") },
      help: "leave out one `await`, or let an `if` end the circle")
  }

  fileprivate static func awaitsOwnTurn(
    _ waiting: ActionPlan, _ awaited: ActionPlan, id: String, at range: SourceRange
  ) -> Diagnostic {
    Diagnostic(
      "await-circle",
      "`\(waiting.name)` waits for `\(awaited.name)`, which waits for the run under way with the "
        + "id `\(id)`: that of `\(waiting.name)`",
      labels: [.init(range)], help: "leave out `await`, or give one of them another id")
  }

  static func awaitsNoAction(_ target: Located<String>, _ kind: String) -> Diagnostic {
    Diagnostic(
      "await-of-no-action",
      "`await` waits for the end of an action, and `\(target.value)` is \(kind)",
      labels: [.init(target.range)], help: "send to it without `await`")
  }
}
