import Events
import ScenarioPlan
import TextSearch

/// All parts of the stage that a run can reach, also those of components.
extension RunParts {
  /// The parts, or nil if nobody asks for them.
  var stageParts: [StagePart]? {
    guard inputs.options.notesParts else { return nil }
    let scripts = ReachedScripts(plan: plan, progress: progress)
    var parts = ownScripts.flatMap(scripts.bodies)
    for mock in endpoints.mocks where subjects?.plays(mock.endpoint) != true {
      parts += mock.parts(scripts)
    }
    for (id, action) in plan.actions.withIDs {
      let script = action.frame.script
      // An action without steps leaves nothing by which it could be seen.
      if plan.scripts[script].steps.isEmpty { continue }
      parts.append(
        StagePart(.action(id), at: action.range, isReached: scripts.isReached(script)))
      parts += scripts.bodies(of: script)
    }
    return parts + stage.computedParts
  }
}

extension MockServer {
  fileprivate func parts(_ scripts: ReachedScripts) -> [StagePart] {
    var parts: [StagePart] = []
    for (number, route) in plan.routes.enumerated() {
      parts.append(
        StagePart(
          .route(endpoint, method: route.method, path: route.path), at: route.range,
          isReached: turns.hasAnswered(number)))
      if case .script(let script) = route.answers { parts += scripts.bodies(of: script) }
    }
    for kind in [ConversationKind.eventStream, .lines, .webSocket] {
      for (number, entry) in plan.conversations(kind).enumerated() {
        // An entry of a route is its route.
        if entry.route == nil {
          let isReached = turns.hasServed(kind, number)
          parts.append(StagePart(.entry(endpoint), at: entry.range, isReached: isReached))
        }
        if case .accept(_, let script) = entry.kind { parts += scripts.bodies(of: script) }
      }
    }
    return parts
  }
}

extension LiveStage {
  fileprivate var computedParts: [StagePart] {
    plan.nodes.withIDs.compactMap { id, node in
      guard case .computed = node.rule else { return nil }
      return StagePart(.computed(id), at: node.range, isReached: recomputes(of: id) > 0)
    }
  }
}
