import Events
import ScenarioPlan
import TextSearch

/// The parts of the scenario that a run never used.
///
/// Parts of components and included files are left out: a scenario need not use all that they can
/// do.
extension RunParts {
  var unusedParts: [UnusedPart] {
    guard !supervisor.isStopped else { return [] }
    let scripts = ReachedScripts(plan: plan, progress: progress)
    let bodies = ownScripts.flatMap { scripts.unused(of: $0, namesBodies: true) }
    return (bodies + unusedStageParts(scripts)).filter { $0.range.file == plan.range.file }
  }

  /// The scripts of the scenario itself.
  var ownScripts: [ScriptID] { [plan.steps.script] + (plan.finally.map { [$0.script] } ?? []) }

  private func unusedStageParts(_ scripts: ReachedScripts) -> [UnusedPart] {
    if isServing { return [] }
    var parts: [UnusedPart] = []
    for mock in endpoints.mocks where subjects?.plays(mock.endpoint) != true {
      parts += mock.unusedParts(scripts)
    }
    return parts + stage.unreadFailures
  }
}

extension MockServer {
  fileprivate func unusedParts(_ scripts: ReachedScripts) -> [UnusedPart] {
    var parts: [UnusedPart] = []
    for (number, route) in plan.routes.enumerated() {
      guard turns.hasAnswered(number) else {
        parts.append(
          UnusedPart(.route(endpoint, method: route.method, path: route.path), at: route.range))
        continue
      }
      if case .script(let script) = route.answers {
        parts += scripts.unused(of: script, namesBodies: false)
      }
    }
    for kind in [ConversationKind.eventStream, .lines, .webSocket] {
      for (number, entry) in plan.conversations(kind).enumerated() {
        // A route that was never called is named already.
        if let route = entry.route, !turns.hasAnswered(route) { continue }
        guard turns.hasServed(kind, number) else {
          parts.append(UnusedPart(.entry(endpoint), at: entry.range))
          continue
        }
        if case .accept(_, let script) = entry.kind {
          parts += scripts.unused(of: script, namesBodies: false)
        }
      }
    }
    return parts
  }
}

extension LiveStage {
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
