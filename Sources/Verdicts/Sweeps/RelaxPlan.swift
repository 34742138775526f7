import ScenarioPlan
import Values

/// What the end of a disturbed run is judged by.
package struct LastAwaited: Sendable {
  /// The assertion after whose events a disturbed run may recover; nil if no step waits.
  package let assertion: AssertionID?
  /// The conditions behind it, which the end must meet.
  package let checks: Set<AssertionID>

  fileprivate init(assertion: AssertionID?, checks: [AssertionID]) {
    self.assertion = assertion
    self.checks = Set(checks)
  }
}

extension ScenarioPlan {
  /// Returns the plan of disturbed runs: their expectations wait for their events in any order, let
  /// others pass, and in virtual time have as much time as the run has to recover.
  package func relaxedForSweep(isInRealTime: Bool = false) -> ScenarioPlan {
    let settle = sweep.settleTime(isInRealTime: isInRealTime)
    return changed { plan in
      plan.sweep.settle = settle
      // Nobody waits for virtual time.
      if !isInRealTime { plan.timeout = max(timeout, settle) }
      if let never = sweep.never { plan.invariants.append(never) }
      for assertion in plan.assertions.indices {
        plan.assertions[assertion] =
          sweep.demandsExpect
          ? assertions[assertion].without(sweep.allowed) : assertions[assertion].relaxed()
      }
    }
  }

  /// The last of the scenario's own steps that waits, and the conditions behind it.
  package var lastAwaited: LastAwaited {
    var checks: [AssertionID] = []
    for step in scripts[steps.script].steps.reversed() {
      guard case .assertion(.assert(let id)) = step.kind else { continue }
      switch assertions[id].kind {
      case .check, .snapshot: checks.append(id)
      case .eventually: return LastAwaited(assertion: id, checks: checks + [id])
      case .expectMap, .expectList, .never: return LastAwaited(assertion: id, checks: checks)
      case .retry, .fails, .receive, .answer: continue
      }
    }
    return LastAwaited(assertion: nil, checks: checks)
  }
}

extension AssertionPlan {
  fileprivate func relaxed() -> AssertionPlan {
    var relaxed = self
    switch kind {
    case .expectMap(let sequences):
      relaxed.kind = .expectList(group(sequences.flatMap(\.entries)))
      relaxed.within = nil
    case .expectList(let entries):
      relaxed.kind = .expectList(group(entries.flatMap(\.members).map(\.relaxed)))
      relaxed.within = nil
    case .never(_, let duration): relaxed.kind = .never([], duration: duration)
    case .eventually: relaxed.within = nil
    case .check, .retry, .fails, .snapshot, .receive, .answer: break
    }
    return relaxed
  }

  private func group(_ entries: [EventEntryPlan]) -> [EntryPlan] {
    entries.count > 1 ? [.anyOrder(entries, range: range)] : entries.map { .event($0) }
  }

  /// Returns the assertion without what it says about some sources.
  fileprivate func without(_ sources: [SourceID]) -> AssertionPlan {
    guard !sources.isEmpty else { return self }
    var rest = self
    switch kind {
    case .expectMap(let sequences):
      rest.kind = .expectMap(sequences.filter { !sources.contains($0.source) })
    case .expectList(let entries):
      rest.kind = .expectList(entries.compactMap { $0.without(sources) })
    case .never(let entries, let duration):
      rest.kind = .never(entries.filter { !sources.contains($0.source) }, duration: duration)
    case .check, .eventually, .retry, .fails, .snapshot, .receive, .answer: break
    }
    return rest
  }
}

extension SequencePlan {
  /// The events that it awaits; none of a diagram, which is about their times.
  fileprivate var entries: [EventEntryPlan] {
    guard case .events(let matchers) = form else { return [] }
    return matchers.map {
      EventEntryPlan(
        source: source, matcher: $0, skips: true, sourceRange: range, range: $0.range)
    }
  }
}

extension EntryPlan {
  fileprivate func without(_ sources: [SourceID]) -> EntryPlan? {
    switch self {
    case .event(let entry): return sources.contains(entry.source) ? nil : self
    case .anyOrder(let entries, let range):
      let rest = entries.filter { !sources.contains($0.source) }
      return rest.isEmpty ? nil : .anyOrder(rest, range: range)
    }
  }
}

extension EventEntryPlan {
  fileprivate var relaxed: EventEntryPlan {
    var entry = self
    (entry.after, entry.within, entry.since, entry.skips) = (nil, nil, nil, true)
    return entry
  }
}
