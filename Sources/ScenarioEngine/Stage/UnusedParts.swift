import Events
import ScenarioPlan

/// The progress of the scripts of actions and mocks: the number of steps that any run of a script
/// has begun.
final class ScriptProgress {
  /// Empty until a script begins, since many scenarios have none of these scripts.
  @exclusivity(unchecked) private var begun: [Int32] = []
  private let scriptCount: Int

  init(_ shared: SharedPlan) { scriptCount = shared.plan.scripts.count }

  /// Notes that a script has begun this many of its steps.
  func note(_ count: Int, of script: ScriptID) {
    if begun.isEmpty { begun = Array(filledWith: 0, count: scriptCount) }
    if begun[script.index] < count { begun[script.index] = Int32(count) }
  }

  func stepsBegun(of script: ScriptID) -> Int { begun.isEmpty ? 0 : Int(begun[script.index]) }
}

/// The parts of the stage that a run never used.
///
/// Parts of components are left out: a scenario need not use all that a component can do.
extension ScenarioRun {
  var unusedParts: [UnusedPart] {
    guard !isServing, !supervisor.isStopped else { return [] }
    var parts: [UnusedPart] = []
    for mock in endpoints.mocks where subjects?.plays(mock.endpoint) != true {
      parts += mock.unusedParts(progress)
    }
    return (parts + stage.unreadFailures).filter { $0.range.file == plan.range.file }
  }
}

extension MockServer {
  fileprivate func unusedParts(_ progress: ScriptProgress) -> [UnusedPart] {
    var parts: [UnusedPart] = []
    for (number, route) in plan.routes.enumerated() {
      guard turns.calls(of: number) > 0 else {
        parts.append(
          UnusedPart(.route(endpoint, method: route.method, path: route.path), at: route.range))
        continue
      }
      if case .script(let script) = route.answers { parts += unusedSteps(of: script, progress) }
    }
    for kind in [ConversationKind.eventStream, .lines, .webSocket] {
      for (number, entry) in plan.conversations(kind).enumerated() {
        // A route that was never called is named already.
        if let route = entry.route, turns.calls(of: route) == 0 { continue }
        guard turns.hasServed(kind, number) else {
          parts.append(UnusedPart(.entry(endpoint), at: entry.range))
          continue
        }
        if case .accept(_, let script) = entry.kind { parts += unusedSteps(of: script, progress) }
      }
    }
    return parts
  }

  /// The first step that no run of a script has begun, and those of the scripts inside the others.
  private func unusedSteps(of script: ScriptID, _ progress: ScriptProgress) -> [UnusedPart] {
    let steps = environment.stage.plan.scripts[script].steps
    let begun = progress.stepsBegun(of: script)
    let inside = steps.prefix(begun).flatMap { step in
      step.kind.innerScripts.flatMap { unusedSteps(of: $0, progress) }
    }
    guard begun < steps.count else { return inside }
    return inside + [UnusedPart(.step(verb: steps[begun].verb), at: steps[begun].verbRange)]
  }
}

extension Stage {
  /// The computed nodes that nothing has read, and that have no value now.
  fileprivate var unreadFailures: [UnusedPart] {
    let unread = plan.nodes.indices.filter { isComputed($0) && recomputes(of: $0) == 0 }
    if unread.isEmpty { return [] }
    let reader = ValueReader(self)
    return unread.compactMap { id in
      let node = plan.nodes[id]
      guard case .computed(let rule) = node.rule,
        case .failure(let failure) = evaluate(rule, in: reader)
      else { return nil }
      return UnusedPart(.failingNode(id, failure), at: node.range)
    }
  }
}
