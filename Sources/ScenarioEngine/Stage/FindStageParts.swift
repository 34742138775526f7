import Events
import ScenarioPlan

/// All parts of the stage that a run can reach, also those of components.
extension ScenarioRun {
  /// The parts, or nil if nobody asks for them.
  var stageParts: [StagePart]? {
    guard inputs.notesParts else { return nil }
    let scripts = ReachedScripts(plan: plan, progress: progress)
    var parts: [StagePart] = []
    for mock in endpoints.mocks where subjects?.plays(mock.endpoint) != true {
      parts += mock.parts(scripts)
    }
    for (id, action) in plan.actions.withIDs {
      let script = action.frame.script
      // An action without steps leaves nothing by which it could be seen.
      if plan.scripts[script].steps.isEmpty { continue }
      parts.append(
        StagePart(.action(id), at: action.range, isReached: scripts.isReached(script)))
      parts += scripts.branches(of: script)
    }
    return parts + stage.computedParts
  }
}

/// The scripts of a plan, and how far any run of them has come.
private struct ReachedScripts {
  let plan: ScenarioPlan
  let progress: ScriptProgress

  func isReached(_ script: ScriptID) -> Bool { progress.stepsBegun(of: script) > 0 }

  /// Returns the branches in a script and in the scripts inside it.
  func branches(of script: ScriptID) -> [StagePart] {
    plan.scripts[script].steps.flatMap { step in
      step.kind.branches.compactMap { branch($0.word, $0.script) }
        + step.kind.innerScripts.flatMap { branches(of: $0) }
    }
  }

  private func branch(_ word: String, _ script: ScriptID) -> StagePart? {
    guard let first = plan.scripts[script].steps.first else { return nil }
    return StagePart(.branch(word), at: first.verbRange, isReached: isReached(script))
  }
}

extension StepPlanKind {
  /// The scripts of which a run may take one or none.
  fileprivate var branches: [(word: String, script: ScriptID)] {
    switch self {
    case .structure(.if(_, let then, let other)):
      [("then", then)] + (other.map { [("else", $0)] } ?? [])
    case .structure(.attempt(_, let handler, _)): handler.map { [("catch", $0)] } ?? []
    case .acting, .structure, .assertion, .mock, .action: []
    }
  }
}

extension MockServer {
  fileprivate func parts(_ scripts: ReachedScripts) -> [StagePart] {
    var parts: [StagePart] = []
    for (number, route) in plan.routes.enumerated() {
      parts.append(
        StagePart(
          .route(endpoint, method: route.method, path: route.path), at: route.range,
          isReached: turns.calls(of: number) > 0))
      if case .script(let script) = route.answers { parts += scripts.branches(of: script) }
    }
    for kind in [ConversationKind.eventStream, .lines, .webSocket] {
      for (number, entry) in plan.conversations(kind).enumerated() {
        // An entry of a route is its route.
        if entry.route == nil {
          let isReached = turns.hasServed(kind, number)
          parts.append(StagePart(.entry(endpoint), at: entry.range, isReached: isReached))
        }
        if case .accept(_, let script) = entry.kind { parts += scripts.branches(of: script) }
      }
    }
    return parts
  }
}

extension Stage {
  fileprivate var computedParts: [StagePart] {
    plan.nodes.withIDs.compactMap { id, node in
      guard case .computed = node.rule else { return nil }
      return StagePart(.computed(id), at: node.range, isReached: recomputes(of: id) > 0)
    }
  }
}
