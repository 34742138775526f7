import Events
import ScenarioPlan
import Values

/// `expect` with a map: each source's own sequence, independent of the others.
extension AssertionState {
  mutating func begin(_ open: OpenAssertion, _ sequences: [SequencePlan]) {
    open.chains.reserveCapacity(sequences.count)
    let zero = branches[open.step.branch].spanBegan
    for (place, sequence) in sequences.enumerated() {
      open.chains.append(.init(source: sequence.source, waitingSince: open.openedAt, zero: zero))
      if case .marble = sequence.form { open.hasMarbles = true }
      // A sequence about subscriptions alone makes no statement about events.
      guard sequence.isAboutEvents else { continue }
      open.sources.append(sequence.source)
      watch(sequence.source, for: open)
      buffer.tracks[sequence.source].chain = Int32(truncatingIfNeeded: place)
    }
    open.unfinishedChains = sequences.count
    for place in sequences.indices where open.state == .waiting {
      advance(open, chain: place, of: sequences)
    }
    if open.hasMarbles { failDiagrams(open, sequences, isDrained: false) }
    if sequences.isEmpty { close(open, .met) }
  }

  /// Holds the events of one source that wait to be accounted for against its sequence.
  mutating func advance(_ open: OpenAssertion, chain: Int, of sequences: [SequencePlan]) {
    if open.hasMarbles, case .marble(let marble, let subscriptions) = sequences[chain].form {
      return advance(open, chain, marble, subscriptions, sequences[chain])
    }
    let source = open.chains[chain].source
    let count = sequences[chain].matchers.count
    while open.state == .waiting, open.chains[chain].next < count,
      let place = buffer.next(of: source)
    {
      take(place, open, chain, sequences)
    }
    guard open.state == .waiting else { return }
    if open.chains[chain].next == count {
      finish(open, chain)
    } else if buffer.hasEndings, let ending = buffer.ending(of: source) {
      let awaited = awaited(open, chain, sequences)
      fail(open, .streamEnded(awaited, event: ending.sequence), at: now)
    }
  }

  /// Nothing more is awaited of one source.
  mutating func finish(_ open: OpenAssertion, _ chain: Int) {
    guard !open.chains[chain].isDone else { return }
    open.chains[chain].isDone = true
    if open.sources.contains(open.chains[chain].source) {
      buffer.tracks[open.chains[chain].source].owner = nil
    }
    open.unfinishedChains -= 1
    if open.unfinishedChains == 0 { close(open, .met) }
  }

  private mutating func take(
    _ place: Int, _ open: OpenAssertion, _ chain: Int, _ sequences: [SequencePlan]
  ) {
    guard case .events(let matchers) = sequences[chain].form else { return }
    let next = open.chains[chain].next
    let (time, event) = (buffer.emissions[place].time, buffer.emissions[place].sequence)
    if buffer.emissions[place].isCompletion, !matchers[next].awaitsCompletion {
      let awaited = awaited(open, chain, sequences)
      fail(open, .streamEnded(awaited, event: event), at: now)
    } else if let mismatch = mismatch(at: place, with: matchers, next, in: open) {
      let awaited = awaited(open, chain, sequences)
      let value = buffer.emissions[place].value
      let found = differences(mismatch, of: value, with: matchers[next], in: open)
      fail(open, .mismatch(awaited, found, event: event), at: time)
    } else if let limit = exceededLimit(time, open) {
      let awaited = awaited(open, chain, sequences)
      fail(open, .tooLate(awaited, event: event, limit), at: time)
    } else {
      account(at: place, in: open)
      open.chains[chain].next = next + 1
      open.chains[chain].waitingSince = max(open.openedAt, time)
    }
  }

  /// Returns the difference between an emission and one of several matchers, which stays where it
  /// is: to copy it would take longer than to compare it with a number.
  private func mismatch(
    at place: Int, with matchers: [MatcherPlan], _ next: Int, in open: OpenAssertion
  ) -> Mismatch? {
    matchers.withUnsafeBufferPointer {
      mismatch(of: buffer.emissions[place].value, with: $0[next], in: open)
    }
  }

  /// Returns the current entry of a source's sequence.
  func awaited(_ open: OpenAssertion, _ chain: Int, _ sequences: [SequencePlan]) -> Awaited {
    let sequence = sequences[chain]
    let state = open.chains[chain]
    let matcher = sequence.matchers[state.next]
    // Of several entries, the name of the source does not say which one it is.
    let isOne = sequence.matchers.count == 1
    return Awaited(
      source: sequence.source, range: isOne ? sequence.range : matcher.range,
      matcherRange: matcher.range,
      expected: shown(matcher, in: open), position: state.next + 1,
      count: sequence.matchers.count, since: state.waitingSince, isOfSource: true)
  }

  /// Returns the awaited entry of each source that is not done.
  func awaited(_ open: OpenAssertion, _ sequences: [SequencePlan]) -> [Awaited] {
    sequences.indices.compactMap { chain in
      open.chains[chain].next < sequences[chain].matchers.count
        ? awaited(open, chain, sequences) : nil
    }
  }
}
