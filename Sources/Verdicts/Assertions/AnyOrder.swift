import Events
import ScenarioPlan
import Values

/// A group of a list, whose entries may happen in any order among themselves.
extension AssertionState {
  mutating func take(
    _ place: Int, _ open: OpenAssertion, _ members: [EventEntryPlan], _ entries: [EntryPlan]
  ) {
    let emission = buffer.emissions[place]
    if open.group == nil { open.group = GroupMatching(members) }
    let fits = open.group?.add(
      place, value: { buffer.emissions[$0].value },
      isMatch: { matches($0, members, $1, open) })
    if fits == true {
      account(at: place, in: open)
      buffer.tracks[emission.source].remaining -= 1
      open.waitingSince = max(open.openedAt, emission.time)
      if open.group?.isComplete == true { leaveGroup(open, members) }
    } else {
      refuse(place, open, members, entries)
    }
  }

  /// Returns whether the event at a place matches a member, without a copy of either.
  ///
  /// Time counts as part of the match: of two alike entries, each takes the event that is due.
  private func matches(
    _ place: Int, _ members: [EventEntryPlan], _ member: Int, _ open: OpenAssertion
  ) -> Bool {
    guard buffer.emissions[place].source == members[member].source else { return false }
    if buffer.emissions[place].isCompletion, !members[member].matcher.awaitsCompletion {
      return false
    }
    let time = buffer.emissions[place].time
    if members[member].after != nil, let due = due(members[member], open), !isDue(time, by: due) {
      return false
    }
    if exceededLimit(time, open, ofEntry: members[member].within) != nil { return false }
    defer { slots.pendingCaptures.removeAll(keepingCapacity: true) }
    let value = buffer.emissions[place].value
    return mismatch(of: value, with: members[member].matcher, in: open) == nil
  }

  /// Captures and marks are settled only now: until the end, events may change places.
  private mutating func leaveGroup(_ open: OpenAssertion, _ members: [EventEntryPlan]) {
    guard let group = open.group else { return }
    let branch = open.step.branch
    var last = Microseconds.min
    for (slot, member) in group.slots.enumerated() {
      let emission = buffer.emissions[group.assigned[slot]]
      last = max(last, emission.time)
      if mismatch(of: emission.value, with: members[member].matcher, in: open) == nil {
        branches[branch].capture(slots.pendingCaptures)
        slots.pendingCaptures.removeAll(keepingCapacity: true)
      }
      if let mark = members[member].mark { branches[branch].mark(mark, at: emission.time) }
    }
    open.group = nil
    open.matched(at: last)
    beginNext(open)
  }

  private mutating func refuse(
    _ place: Int, _ open: OpenAssertion, _ members: [EventEntryPlan], _ entries: [EntryPlan]
  ) {
    let emission = buffer.emissions[place]
    let free = members.indices.filter {
      members[$0].source == emission.source && open.group?.isMatched($0) == false
    }
    guard !free.isEmpty else { return takeEarly(place, open, entries) }
    if emission.isCompletion, !free.contains(where: { members[$0].matcher.awaitsCompletion }) {
      return failEnded(emission, open, entries)
    }
    if free.contains(where: { members[$0].skips }) { return pass(over: place, in: open) }
    for member in free {
      open.group?.attention = member
      if let mismatch = mismatch(of: emission.value, with: members[member].matcher, in: open) {
        if member != free.last { continue }
        let awaited = awaited(open, entries)
        let found = differences(
          mismatch, of: emission.value, with: members[member].matcher, in: open)
        fail(open, .mismatch(awaited, found, event: emission.sequence), at: emission.time)
      } else {
        failTime(emission, open, members[member], entries)
        return
      }
    }
  }

  private mutating func failTime(
    _ emission: EmissionBuffer.Emission, _ open: OpenAssertion, _ entry: EventEntryPlan,
    _ entries: [EntryPlan]
  ) {
    let awaited = awaited(open, entries)
    if let due = due(entry, open), !isDue(emission.time, by: due) {
      fail(open, .wrongTime(awaited, event: emission.sequence, due), at: emission.time)
    } else if let limit = exceededLimit(emission.time, open, ofEntry: entry.within) {
      fail(open, .tooLate(awaited, event: emission.sequence, limit), at: emission.time)
    }
  }
}

/// Finds places for events among the entries of a group, so that a matcher that takes anything
/// never takes the place a specific one needs: each new event may move the earlier ones.
struct GroupMatching {
  /// The member each slot belongs to; a member with `times` has several slots, one after another.
  let slots: [Int]
  /// The slots of each member.
  private let ranges: [Range<Int>]
  /// The event in each slot, or -1.
  private(set) var assigned: [Int]
  private var matchedCount = 0
  /// The slots that may take an event.
  private let index: CandidateIndex
  /// The member a report is about, once there is one.
  var attention: Int?

  init(_ members: [EventEntryPlan]) {
    var slots: [Int] = []
    var ranges: [Range<Int>] = []
    slots.reserveCapacity(members.count)
    ranges.reserveCapacity(members.count)
    for member in members.indices {
      let start = slots.count
      for _ in 0..<members[member].repetitions { slots.append(member) }
      ranges.append(start..<slots.count)
    }
    self.slots = slots
    self.ranges = ranges
    assigned = [Int](filledWith: -1, count: slots.count)
    index = CandidateIndex(count: slots.count) { members[slots[$0]].matcher }
  }

  var isComplete: Bool { matchedCount == slots.count }

  func isMatched(_ member: Int) -> Bool { matchedTimes(of: member) == ranges[member].count }

  func matchedTimes(of member: Int) -> Int { ranges[member].count { assigned[$0] >= 0 } }

  var firstUnmatched: Int {
    attention ?? slots.indices.first { assigned[$0] < 0 }.map { slots[$0] } ?? 0
  }

  /// Finds the event a place, moving others to where they match as well; false if no job is left.
  mutating func add(
    _ event: Int, value: (Int) -> Value, isMatch: (Int, Int) -> Bool
  ) -> Bool {
    let candidates = index.candidates(for: value(event))
    if let free = candidates.first(where: { assigned[$0] < 0 && isMatch(event, slots[$0]) }) {
      assigned[free] = event
      matchedCount += 1
      return true
    }
    return addByMoving(event, value: value, isMatch: isMatch)
  }

  /// Finds the event a place that another one has to leave.
  private mutating func addByMoving(
    _ event: Int, value: (Int) -> Value, isMatch: (Int, Int) -> Bool
  ) -> Bool {
    var cameFrom = Array(repeating: -1, count: slots.count)
    var waiting = [event]
    var position = 0
    while position < waiting.count {
      let candidate = waiting[position]
      position += 1
      for slot in index.candidates(for: value(candidate))
      where cameFrom[slot] < 0 && isMatch(candidate, slots[slot]) {
        cameFrom[slot] = candidate
        if assigned[slot] < 0 {
          settle(event, at: slot, cameFrom)
          return true
        }
        waiting.append(assigned[slot])
      }
    }
    return false
  }

  /// Moves each event on the path to the slot it was found to match.
  private mutating func settle(_ event: Int, at free: Int, _ cameFrom: [Int]) {
    var slot = free
    matchedCount += 1
    while true {
      let mover = cameFrom[slot]
      let old = mover == event ? nil : assigned.firstIndex(of: mover)
      assigned[slot] = mover
      guard let old else { return }
      slot = old
    }
  }
}
