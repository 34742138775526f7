import Diagnostics
import ScenarioPlan

/// Warnings about parts that a trace lacks.
extension ScenarioJudge {
  /// Returns the warnings about a trace for which the scenario holds.
  package func warningsOfTrace(beside parts: [NeverExercised]) -> [Diagnostic] {
    let invariants = state.plan.invariants.filter { $0.kind.isAssertion }
    var warnings: [Diagnostic] = []
    if !invariants.isEmpty, !state.isAnyInvariantExercised {
      warnings.append(.noInvariantExercised(invariants.map(\.verbRange)))
    } else if let warning = nothingEvaluated(beside: parts) {
      warnings.append(warning)
    }
    let silent = state.namedSources.filter { !state.sourcesInTrace.contains($0.source) }
    if !silent.isEmpty { warnings.append(.sourcesWithoutEvents(silent, in: state.plan)) }
    return warnings
  }
}

extension AssertionState {
  /// The invariants that nothing in the run was about. In a trace, a condition is exercised once a
  /// source that it reads has an event.
  var unexercisedInvariants: [InvariantID] {
    let conditions = trace == nil ? [] : conditionsWithoutEvents
    return (invariants.neverTriggered + conditions).sorted()
  }

  var isAnyInvariantExercised: Bool {
    unexercisedInvariants.count < plan.invariants.count { $0.kind.isAssertion }
  }

  private var conditionsWithoutEvents: [InvariantID] {
    plan.invariants.withIDs.compactMap { id, invariant in
      switch invariant.kind {
      case .always, .never:
        let origins = invariant.reads.flatMap { plan.origins(of: $0) }
        return sourcesInTrace.isDisjoint(with: origins) ? id : nil
      case .leadsTo, .precededBy, .between, .unchanged, .count, .complete: return nil
      }
    }
  }

  /// The sources that must have events for the scenario to say anything, each at the first place
  /// that names it.
  fileprivate var namedSources: [(source: SourceID, range: SourceRange)] {
    var seen: Set<SourceID> = []
    let named =
      plan.invariants.flatMap(\.kind.demandedEvents).map { ($0.source, $0.range) }
      + plan.assertions.flatMap(\.kind.expectedSources)
    return named.filter { seen.insert($0.0).inserted }
  }
}

extension InvariantPlan.Kind {
  /// The events that it is about, without those that it forbids.
  fileprivate var demandedEvents: [SourceMatcherPlan] {
    switch self {
    case .between(let plan): plan.when + plan.until
    case .always, .never, .leadsTo, .precededBy, .unchanged, .count, .complete: matchers
    }
  }
}

extension AssertionPlan.Kind {
  fileprivate var expectedSources: [(SourceID, SourceRange)] {
    switch self {
    case .expectMap(let sequences):
      sequences.compactMap { sequence in
        if case .events(let events) = sequence.form, events.isEmpty { return nil }
        return (sequence.source, sequence.range)
      }
    case .expectList(let entries):
      entries.flatMap { entry in
        switch entry {
        case .event(let event): [(event.source, event.sourceRange)]
        case .anyOrder(let events, _): events.map { ($0.source, $0.sourceRange) }
        }
      }
    case .never, .check, .eventually, .retry, .fails, .snapshot, .receive, .answer: []
    }
  }
}

extension ScenarioPlan {
  /// The sources whose events make the value of a slot. A computed node without events of its own
  /// has those of what it reads.
  func origins(of slot: SlotID) -> [SourceID] {
    var seen: Set<SlotID> = []
    var open = [slot]
    var found: [SourceID] = []
    while let slot = open.popLast() {
      guard seen.insert(slot).inserted, let plan = slots[ifPresent: slot] else { continue }
      switch plan {
      case .node(let node):
        found.append(nodes[node].source)
        if case .computed(let rule) = nodes[node].rule { open += rule.readSlots }
      case .lastEvent(let source), .eventCount(let source), .events(let source):
        found.append(source)
      case .variable, .column, .capture, .local, .matched, .now, .recomputes, .address, .port,
        .temp,
        .drawn:
        break
      }
    }
    return found
  }
}

/// The most places that a warning shows.
private let mostPlacesShown = 10

extension Diagnostic {
  fileprivate static func noInvariantExercised(_ ranges: [SourceRange]) -> Diagnostic {
    let count = ranges.count == 1 ? "the invariant" : "none of the \(ranges.count) invariants"
    let verb = ranges.count == 1 ? "was not exercised" : "was exercised"
    return Diagnostic(
      "no-invariant-exercised", severity: .warning, "\(count) \(verb): the trace has no such event",
      labels: ranges.prefix(mostPlacesShown).map { .init($0, "judged nothing") },
      help: "compare the names and values with those of the trace: `rehearse trace show`")
  }

  fileprivate static func sourcesWithoutEvents(
    _ sources: [(source: SourceID, range: SourceRange)], in plan: ScenarioPlan
  ) -> Diagnostic {
    let names = sources.prefix(mostPlacesShown).map { "`\(plan.sources[$0.source].name)`" }
    let more = sources.count > mostPlacesShown ? ", …" : ""
    let count = sources.count == 1 ? "1 source" : "\(sources.count) sources"
    return Diagnostic(
      "source-without-events", severity: .warning,
      "the trace has no event of \(count) that the scenario is about: "
        + names.joined(separator: ", ") + more,
      labels: sources.prefix(mostPlacesShown).map { .init($0.range, "no event") },
      help: "if the trace has another name for it, write it as "
        + "`sources: { \(plan.sources[sources[0].source].name): { from: NAME } }`")
  }
}
