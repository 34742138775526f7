import ScenarioPlan
import Values

/// The last awaited step, by which the end of a disturbed run is judged.
package struct LastAwaited: Sendable {
  /// The assertions after which a disturbed run may recover. Behind the last of them, nothing waits
  /// any more.
  package fileprivate(set) var pauses: Set<AssertionID> = []
  /// The conditions behind the last step that awaits events, which the end must meet.
  package fileprivate(set) var checks: Set<AssertionID> = []
}

/// The plan of disturbed runs.
package struct RelaxedPlan: Sendable {
  package var plan: ScenarioPlan
  package var awaited: LastAwaited
}

extension ScenarioPlan {
  /// Returns the plan of disturbed runs: their expectations wait for their events in any order, let
  /// others pass, and in virtual time have as much time as the run has to recover.
  package func relaxedForSweep(isInRealTime: Bool = false) -> RelaxedPlan {
    let settle = sweep.settleTime(isInRealTime: isInRealTime)
    let pauses = lastPauses
    var awaited = LastAwaited(pauses: pauses.assertions, checks: pauses.checks)
    let relaxed = changed { plan in
      plan.sweep.settle = settle
      // Nobody waits for virtual time.
      if !isInRealTime { plan.timeout = max(timeout, settle) }
      if let never = sweep.never { plan.invariants.append(never) }
      for assertion in plan.assertions.indices {
        plan.assertions[assertion] =
          sweep.demandsExpect
          ? assertions[assertion].without(sweep.allowed) : assertions[assertion].relaxed()
      }
      for place in pauses.places {
        let step = plan.scripts[plan.steps.script].steps[place]
        let pause = AssertionID(plan.assertions.count)
        plan.assertions.append(.pause(behind: step))
        awaited.pauses.insert(pause)
        plan.scripts[plan.steps.script].steps.insert(
          StepPlan(
            kind: .assertion(.assert(pause)), verb: step.verb, verbRange: step.verbRange,
            range: step.range),
          at: place + 1)
      }
    }
    return RelaxedPlan(plan: relaxed, awaited: awaited)
  }

  /// The conditions that the end of a disturbed run must meet.
  package var checksOfEnd: Set<AssertionID> { lastPauses.checks }

  /// The places at which a disturbed run may recover: behind the last step that waits, and behind
  /// each one before it up to the last that awaits events, if conditions come between them.
  private var lastPauses: LastPauses {
    let steps = scripts[self.steps.script].steps
    var pauses = LastPauses()
    for (place, step) in steps.enumerated().reversed() {
      switch pause(of: step) {
      case .condition(let id): pauses.meet(id)
      case .awaits(let id):
        if case .eventually = assertions[id].kind { pauses.checks.insert(id) }
        if pauses.isWanted { pauses.assertions.insert(id) }
        return pauses
      case .waits: pauses.add(behind: place)
      case .none: continue
      }
    }
    // Where nothing waits, the run recovers behind all that acts.
    guard pauses.isWanted, let last = steps.lastIndex(where: { !isCondition($0) }) else {
      return pauses
    }
    pauses.add(behind: last)
    pauses.checks = Set(steps[(last + 1)...].compactMap(\.condition))
    return pauses
  }

  private enum Pause {
    case condition(AssertionID)
    case awaits(AssertionID)
    case waits
    case none
  }

  private func pause(of step: StepPlan) -> Pause {
    switch step.kind {
    case .assertion(.assert(let id)):
      switch assertions[id].kind {
      case .check, .snapshot: .condition(id)
      case .eventually, .expectMap, .expectList, .never: .awaits(id)
      case .retry, .fails, .receive, .answer: .none
      }
    case .structure(.wait), .acting(.suspend), .acting(.sendAndWait), .assertion(.retry): .waits
    case .structure, .acting, .assertion, .mock, .action:
      step.kind.innerScripts.contains(where: waits) ? .waits : .none
    }
  }

  /// Returns whether a step of a script waits.
  private func waits(_ script: ScriptID) -> Bool {
    scripts[script].steps.contains { step in
      switch pause(of: step) {
      case .awaits, .waits: true
      case .condition, .none: false
      }
    }
  }

  private func isCondition(_ step: StepPlan) -> Bool {
    switch step.kind {
    case .assertion: true
    case .acting, .structure, .mock, .action: false
    }
  }
}

extension StepPlan {
  fileprivate var condition: AssertionID? {
    if case .assertion(.assert(let id)) = kind { id } else { nil }
  }
}

/// The places at which a disturbed run may recover, found from the end of its script.
private struct LastPauses {
  /// The assertions that are such a place.
  var assertions: Set<AssertionID> = []
  /// The steps behind which one is inserted; the last comes first.
  var places: [Int] = []
  var checks: Set<AssertionID> = []
  /// True if nothing waits between here and the conditions behind.
  var isWanted = true

  mutating func meet(_ condition: AssertionID) {
    checks.insert(condition)
    isWanted = true
  }

  mutating func add(behind place: Int) {
    guard isWanted else { return }
    places.append(place)
    isWanted = false
  }
}

extension AssertionPlan {
  /// An assertion that holds at once, so that the run may recover behind a step.
  fileprivate static func pause(behind step: StepPlan) -> AssertionPlan {
    AssertionPlan(
      kind: .never([], duration: 0), reads: [], verb: step.verb, verbRange: step.verbRange,
      range: step.range)
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
