import Diagnostics
import Events
import ScenarioPlan
import Verdicts

// What a scenario demands of the values at the end of a disturbed run, and what it could demand.
extension ScenarioPlan {
  /// True if the scenario demands no value that could differ in a disturbed run. Its courses are
  /// not judged then, unless something goes wrong that no scenario allows.
  package var demandsNothing: Bool {
    let isDemanding = !sweep.same.isEmpty || sweep.demandsExpect || sweep.never != nil
    return !isDemanding && invariants.isEmpty && !checksOfEnd.contains(where: readsSomething)
      && !assertions.contains(where: \.isAboutAnswer)
  }

  /// A condition without a value of the stage is true in each run.
  private func readsSomething(_ check: AssertionID) -> Bool {
    if case .snapshot = assertions[check].kind { return true }
    return !assertions[check].reads.isEmpty
  }

  /// Returns the sources whose last values the scenario could demand: of those that its steps
  /// expect, the values that the side under test makes. If there are none, those of others of its
  /// sources, and at last the events of its connections.
  func sourcesToDemand(in log: EventLog) -> [SourceID] {
    var emitting: Set<SourceID> = []
    for event in log.events {
      if case .source(.emitted(let source, _)) = event.kind { emitting.insert(source) }
    }
    let expected = Set(assertions.flatMap(\.kind.sources))
    let candidates = sources.indices.filter { emitting.contains($0) }
    let choices = [
      candidates.filter { expected.contains($0) && isOfClient($0) },
      candidates.filter { isOfClient($0) },
      candidates.filter { expected.contains($0) && isConnection($0) },
      candidates.filter { isConnection($0) },
    ]
    return Array((choices.first { !$0.isEmpty } ?? []).prefix(mostProposed))
  }

  /// True for values that stay: nodes, streams, and what programs report.
  private func isOfClient(_ source: SourceID) -> Bool {
    switch sources[source].kind {
    case .node(let node): !sources[source].name.hasSuffix(".state") || !isStateOfConnection(node)
    case .stream: true
    case .program(_, let kind): kind == .lines || kind == .declared
    case .endpoint, .reactorEvents, .componentEvents, .allEvents, .connection, .connectivity,
      .declared:
      false
    }
  }

  /// The names of the sources that show what clients do, and servers with it. Others show the
  /// disturbance itself.
  var namesOfClients: Set<String> {
    let shown = sources.filter { source in
      switch source.kind {
      case .node(let node): !isStateOfConnection(node)
      case .stream, .program: true
      case .endpoint, .reactorEvents, .componentEvents, .allEvents, .connection, .connectivity,
        .declared:
        false
      }
    }
    return Set(shown.map(\.name))
  }

  /// A line that breaks shows in the state of its connection.
  private func isStateOfConnection(_ node: NodeID) -> Bool {
    connections.contains { "\($0.name).state" == nodes[node].name }
  }

  private func isConnection(_ source: SourceID) -> Bool {
    if case .connection = sources[source].kind { true } else { false }
  }

  /// Returns the plan that demands the last values of some sources.
  func demanding(_ sources: [SourceID]) -> ScenarioPlan {
    changed { plan in
      plan.sweep.same = sources
      for source in sources {
        if !plan.isUnasked.isEmpty { plan.isUnasked[source] = false }
        if !plan.isForgotten.isEmpty { plan.isForgotten[source] = false }
      }
    }
  }
}

/// The most sources that are proposed.
private let mostProposed = 4

extension AssertionPlan {
  /// True if it is about the answer to a request of the scenario, or the end of a step.
  fileprivate var isAboutAnswer: Bool {
    switch kind {
    case .answer(let answer): answer.isAssertion
    case .retry, .fails: true
    case .expectMap, .expectList, .never, .check, .eventually, .snapshot, .receive: false
    }
  }
}
