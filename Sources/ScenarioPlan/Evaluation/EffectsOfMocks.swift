extension ScenarioPlan {
  /// The sources that scripts of mocks set or emit. In a replay no mock runs: it comes from the
  /// trace.
  package var effectsOfMocks: Set<SourceID> {
    Set(endpoints.flatMap(\.scripts).flatMap(effects))
  }

  private func effects(of script: ScriptID) -> [SourceID] {
    scripts[script].steps.flatMap { step in
      var found = step.kind.innerScripts.flatMap(effects)
      switch step.kind {
      case .acting(.set(let sets)):
        for case .node(let node) in sets.map(\.target) { found.append(nodes[node].source) }
      case .action(.emit(let event)): found += event.sources
      case .acting, .structure, .assertion, .mock, .action: break
      }
      return found
    }
  }
}

extension EndpointPlan {
  /// The scripts of the mock.
  fileprivate var scripts: [ScriptID] {
    let answers = routes.compactMap { route in
      if case .script(let script) = route.answers { script } else { nil }
    }
    let conversations = (eventStreams + lines + webSockets).compactMap { entry in
      if case .accept(_, let script) = entry.kind { script } else { nil }
    }
    return answers + conversations
  }
}
