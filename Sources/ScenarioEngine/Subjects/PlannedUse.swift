import Diagnostics
import ScenarioPlan

/// The use that the scripts of a plan make of its reactors, apart from the reactors' own scripts.
///
/// If an object plays a reactor, its own scripts do not run.
package struct PlannedUse {
  /// The actions that something sends, with the first place that does.
  package private(set) var actions: [(action: ActionID, range: SourceRange)] = []
  /// The nodes that a step writes, with the first place that does.
  package private(set) var writes: [(node: NodeID, range: SourceRange)] = []
  /// The nodes that a step loads, with the first place that does.
  package private(set) var loads: [(node: NodeID, range: SourceRange)] = []
  /// The nodes that only the reactors' own scripts write.
  package private(set) var ownWrites: Set<NodeID> = []
  /// The lists that a step loads from a provider.
  package private(set) var lists: [(list: ListID, range: SourceRange)] = []
  /// The streams that a step sends to.
  package private(set) var subjects: [(stream: StreamID, range: SourceRange)] = []
  private let plan: ScenarioPlan

  /// Finds the use, without the scripts of some reactors. Nothing but steps sends the actions of
  /// those that are governed by an object.
  package init(
    of plan: ScenarioPlan, without reactors: [ReactorID],
    governed: (ReactorID) -> Bool = { _ in false }
  ) {
    self.plan = plan
    var own: Set<ScriptID> = []
    for reactor in reactors {
      for action in plan.reactors[reactor].actions {
        plan.collectScripts(from: plan.actions[action].frame.script, into: &own)
      }
    }
    for action in plan.follows.map(\.action) + plan.starts
    where !governed(plan.actions[action].reactor) {
      use(action, plan.actions[action].range)
    }
    for (id, script) in plan.scripts.withIDs where !own.contains(id) {
      for step in script.steps { read(step) }
    }
    for script in own { noteWrites(of: plan.scripts[script]) }
    ownWrites.subtract((writes + loads).map(\.node))
  }

  private mutating func noteWrites(of script: ScriptPlan) {
    for case .acting(let acting) in script.steps.map(\.kind) {
      switch acting {
      case .set(let writes):
        for case .node(let node) in writes.map(\.target) { ownWrites.insert(node) }
      case .load(let loads):
        for case .node(let node) in loads.map(\.target) { ownWrites.insert(node) }
      case .transaction, .send, .sendAndWait, .terminate, .connect, .disconnect, .serve, .network,
        .suspend, .request, .refresh, .sql:
        break
      }
    }
  }

  private mutating func read(_ step: StepPlan) {
    guard case .acting(let acting) = step.kind else { return }
    switch acting {
    case .set(let writes): for write in writes { read(write, step) }
    case .send(let messages): for message in messages { read(message) }
    case .sendAndWait(let messages):
      for message in messages { use(message.action, message.range) }
    case .load(let loads):
      for load in loads { read(load) }
    case .transaction, .terminate, .connect, .disconnect, .serve, .network, .suspend, .request,
      .refresh, .sql:
      break
    }
  }

  private mutating func read(_ write: SetPlan, _ step: StepPlan) {
    switch write.target {
    case .node(let node): self.write(node, step.range)
    case .binding(let action, _): use(action, step.range)
    }
  }

  private mutating func read(_ message: SendPlan) {
    switch message.target {
    case .action(let action): use(action, message.range)
    case .subject(let stream): subjects.append((stream, message.range))
    case .connection, .program: break
    }
  }

  private mutating func read(_ load: LoadPlan) {
    switch load.target {
    case .node(let node): self.load(node, load.range)
    case .list(let list): lists.append((list, load.range))
    }
  }

  private mutating func use(_ action: ActionID, _ range: SourceRange) {
    if !actions.contains(where: { $0.action == action }) { actions.append((action, range)) }
  }

  private mutating func load(_ node: NodeID, _ range: SourceRange) {
    if !loads.contains(where: { $0.node == node }) { loads.append((node, range)) }
  }

  private mutating func write(_ node: NodeID, _ range: SourceRange) {
    if !writes.contains(where: { $0.node == node }) { writes.append((node, range)) }
  }
}

extension ScenarioPlan {
  /// Adds a script and all that are inside of it.
  fileprivate func collectScripts(from script: ScriptID, into found: inout Set<ScriptID>) {
    guard found.insert(script).inserted else { return }
    for step in scripts[script].steps {
      for inner in step.kind.innerScripts { collectScripts(from: inner, into: &found) }
    }
  }
}
