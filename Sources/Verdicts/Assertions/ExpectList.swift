import Events
import ScenarioPlan
import Values

/// `expect` with a list: one order across all the sources it names.
extension AssertionState {
  mutating func begin(_ open: OpenAssertion, _ entries: [EntryPlan]) {
    for entry in entries {
      switch entry {
      case .event(let plan): name(plan, in: open)
      case .anyOrder(let plans, _): for plan in plans { name(plan, in: open) }
      }
    }
    advance(open, entries)
  }

  private mutating func name(_ plan: EventEntryPlan, in open: OpenAssertion) {
    if !open.sources.contains(plan.source) {
      open.sources.append(plan.source)
      watch(plan.source, for: open)
      buffer.tracks[plan.source].remaining = 0
      buffer.tracks[plan.source].passedEarly = -1
    }
    let (sum, overflow) = buffer.tracks[plan.source].remaining.addingReportingOverflow(
      Int32(clamping: plan.repetitions))
    buffer.tracks[plan.source].remaining = overflow ? .max : sum
  }

  /// Holds events that wait to be accounted for against the entries, in the order of the log.
  mutating func advance(_ open: OpenAssertion, _ entries: [EntryPlan]) {
    while open.state == .waiting {
      guard open.entry < entries.count else { return close(open, .met) }
      guard let place = nextPlace(open, entries) else { return failIfEnded(open, entries) }
      switch entries[open.entry] {
      case .event(let entry): take(place, open, entry, entries)
      case .anyOrder(let members, _): take(place, open, members, entries)
      }
    }
  }

  /// A source that has ended gives nothing any more, so that its entries cannot be met.
  private mutating func failIfEnded(_ open: OpenAssertion, _ entries: [EntryPlan]) {
    guard buffer.hasEndings else { return }
    let ended = open.sources.first { source in
      buffer.tracks[source].remaining > 0 && buffer.tracks[source].ending >= 0
    }
    if let ending = ended.flatMap(buffer.ending(of:)) { failEnded(ending, open, entries) }
  }

  mutating func failEnded(
    _ ending: EmissionBuffer.Emission, _ open: OpenAssertion, _ entries: [EntryPlan]
  ) {
    let awaited = awaited(of: ending.source, open, entries)
    fail(open, .streamEnded(awaited, event: ending.sequence), at: now)
  }

  /// The first event of a source that the list still awaits; events of sources it is done with are
  /// left for later expectations.
  private func nextPlace(_ open: OpenAssertion, _ entries: [EntryPlan]) -> Int? {
    var first: Int?
    for source in open.sources where buffer.tracks[source].remaining > 0 {
      if let place = buffer.nextInList(of: source), place < first ?? .max { first = place }
    }
    if realTime != nil, let place = first { return self.place(inRealTime: place, open, entries) }
    return first
  }

  private mutating func take(
    _ place: Int, _ open: OpenAssertion, _ entry: EventEntryPlan, _ entries: [EntryPlan]
  ) {
    let emission = buffer.emissions[place]
    if emission.source != entry.source {
      takeEarly(place, open, entries)
    } else if emission.isCompletion, !entry.matcher.awaitsCompletion {
      failEnded(emission, open, entries)
    } else if let mismatch = mismatch(of: emission.value, with: entry.matcher, in: open) {
      if entry.skips, mismatch.negatedFailure == nil { return pass(over: place, in: open) }
      let awaited = awaited(open, entries)
      let found = differences(mismatch, of: emission.value, with: entry.matcher, in: open)
      fail(open, .mismatch(awaited, found, event: emission.sequence), at: emission.time)
    } else if let kind = wrongTime(emission, open, entry, entries) {
      fail(open, kind, at: emission.time)
    } else {
      account(at: place, in: open)
      advance(open, past: entry, at: emission.time)
    }
  }

  private mutating func advance(
    _ open: OpenAssertion, past entry: EventEntryPlan, at time: Microseconds
  ) {
    buffer.tracks[entry.source].remaining -= 1
    open.matched(at: time)
    open.repeats += 1
    guard open.repeats == entry.repetitions else { return }
    if let mark = entry.mark { branches[open.step.branch].mark(mark, at: time) }
    open.repeats = 0
    beginNext(open)
  }

  /// Goes on to the next entry; what its `skip` has passed over early is accounted for now.
  mutating func beginNext(_ open: OpenAssertion) {
    open.entry += 1
    open.passedOver = 0
    // Most lists have no such events, and looking up the next entry costs more than matching it.
    guard open.hasPassedEarly, case .expectList(let entries) = kind(of: open),
      open.entry < entries.count
    else { return }
    for member in entries[open.entry].members where member.skips {
      let last = buffer.tracks[member.source].passedEarly
      guard last >= 0 else { continue }
      buffer.tracks[member.source].passedEarly = -1
      while let place = buffer.next(of: member.source), place <= last {
        pass(over: place, in: open)
      }
    }
  }

  /// `skip` accounts for an event without its being what was awaited.
  mutating func pass(over place: Int, in open: OpenAssertion) {
    slots.pendingCaptures.removeAll(keepingCapacity: true)
    open.passedOver += 1
    account(at: place, in: open)
  }

  /// An event whose turn has not come is out of order, unless its turn is at an entry with `skip`
  /// that it does not match.
  mutating func takeEarly(_ place: Int, _ open: OpenAssertion, _ entries: [EntryPlan]) {
    let emission = buffer.emissions[place]
    let ahead = entries[(open.entry + 1)...].lazy.map(\.members)
    let turn = ahead.first { $0.contains { $0.source == emission.source } } ?? []
    let own = turn.filter { $0.source == emission.source }
    if emission.isCompletion, !own.contains(where: \.matcher.awaitsCompletion) {
      return failEnded(emission, open, entries)
    }
    let isPassedOver =
      own.contains(where: \.skips)
      && own.allSatisfy { mismatch(of: emission.value, with: $0.matcher, in: open) != nil }
    slots.pendingCaptures.removeAll(keepingCapacity: true)
    if isPassedOver {
      open.hasPassedEarly = true
      buffer.tracks[emission.source].passedEarly = Int32(truncatingIfNeeded: place)
    } else {
      failOutOfOrder(emission, open, entries)
    }
  }

  private mutating func failOutOfOrder(
    _ emission: EmissionBuffer.Emission, _ open: OpenAssertion, _ entries: [EntryPlan]
  ) {
    let turn = nextPosition(of: emission.source, open, entries)
    fail(
      open, .outOfOrder(awaited(open, entries), event: emission.sequence, turn: turn),
      at: emission.time)
  }

  private func wrongTime(
    _ emission: EmissionBuffer.Emission, _ open: OpenAssertion, _ entry: EventEntryPlan,
    _ entries: [EntryPlan]
  ) -> Failure.Kind? {
    if entry.after == nil, entry.within == nil, assertions[open.assertion].within == nil {
      return nil
    }
    if let due = due(entry, open), !isDue(emission.time, by: due) {
      return .wrongTime(awaited(open, entries), event: emission.sequence, due)
    }
    guard let limit = exceededLimit(emission.time, open, ofEntry: entry.within) else { return nil }
    return .tooLate(awaited(open, entries), event: emission.sequence, limit)
  }
}

extension EventEntryPlan {
  var repetitions: Int { max(1, times) }
}

/// The current entry of a list, for reports.
extension AssertionState {
  /// The entry that is awaited; of a group, the first that has not been matched.
  func awaited(_ open: OpenAssertion, _ entries: [EntryPlan]) -> Awaited {
    let place = open.group?.firstUnmatched ?? 0
    return awaited(open, entries, turn: open.entry, member: place)
  }

  /// The first entry of a source that has not been matched.
  private func awaited(
    of source: SourceID, _ open: OpenAssertion, _ entries: [EntryPlan]
  ) -> Awaited {
    for turn in open.entry..<entries.count {
      let group = turn == open.entry ? open.group : nil
      let members = entries[turn].members
      let member = members.indices.first { member in
        members[member].source == source && group?.isMatched(member) != true
      }
      if let member { return awaited(open, entries, turn: turn, member: member) }
    }
    return awaited(open, entries)
  }

  private func awaited(
    _ open: OpenAssertion, _ entries: [EntryPlan], turn: Int, member place: Int
  ) -> Awaited {
    let before = entries[..<turn].reduce(0) { $0 + $1.members.count }
    let members = entries[turn].members
    let entry = members[min(place, members.count - 1)]
    let times = entry.repetitions
    let isNow = turn == open.entry
    let number = isNow ? open.group?.matchedTimes(of: place) ?? open.repeats : 0
    return Awaited(
      source: entry.source, range: entry.sourceRange, matcherRange: entry.matcher.range,
      expected: shown(entry.matcher, in: open), position: before + place + 1,
      count: entries.reduce(0) { $0 + $1.members.count },
      repetition: times > 1 ? (number + 1, times) : nil, passedOver: isNow ? open.passedOver : 0,
      since: open.waitingSince, isOfSource: false)
  }

  /// The place from 1 of the next entry for a source, behind the one awaited.
  private func nextPosition(
    of source: SourceID, _ open: OpenAssertion, _ entries: [EntryPlan]
  ) -> Int {
    var position = entries[..<open.entry].reduce(0) { $0 + $1.members.count }
    position += entries[open.entry].members.count
    for entry in entries[(open.entry + 1)...] {
      for member in entry.members {
        position += 1
        if member.source == source { return position }
      }
    }
    return position
  }
}

extension EntryPlan {
  var members: [EventEntryPlan] {
    switch self {
    case .event(let entry): [entry]
    case .anyOrder(let entries, _): entries
    }
  }
}
