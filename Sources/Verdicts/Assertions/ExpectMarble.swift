import Events
import ScenarioPlan
import Values

/// `expect` with a diagram: exactly these events at exactly these times, and silence between them.
extension AssertionState {
  typealias Diagram = MarblePlan<MatcherPlan>

  /// Holds what a source has emitted against its diagram, as far as time has come.
  mutating func advance(
    _ open: OpenAssertion, _ chain: Int, _ marble: Diagram?,
    _ subscriptions: [SubscriptionMarblePlan]?, _ sequence: SequencePlan
  ) {
    if open.chains[chain].isDone { return }
    if let marble { advance(open, chain, marble, sequence) }
    // What lies in the past when an expectation is reached need not be waited for.
    if open.state == .waiting { stand(open, chain, sequence, isDrained: false) }
  }

  private mutating func advance(
    _ open: OpenAssertion, _ chain: Int, _ marble: Diagram, _ sequence: SequencePlan
  ) {
    let zero = open.chains[chain].zero
    let end = later(zero, by: marble.end + tolerance(of: marble.end))
    while open.state == .waiting, let place = buffer.next(of: sequence.source) {
      let emission = buffer.emissions[place]
      if emission.time > end { return }
      if emission.isCompletion, emission.time < zero {
        account(emission, in: open)
      } else {
        take(emission, open, chain, marble, sequence)
      }
    }
  }

  private mutating func take(
    _ emission: EmissionBuffer.Emission, _ open: OpenAssertion, _ chain: Int, _ marble: Diagram,
    _ sequence: SequencePlan
  ) {
    let next = open.chains[chain].next
    let due = due(next, open.chains[chain], marble)
    let slack = tolerance(of: (due ?? 0) - open.chains[chain].zero)
    guard let due, emission.time >= due - slack else {
      return fail(open, chain, sequence, marble, .unexpected(event: emission.sequence))
    }
    guard emission.time <= due + slack else {
      return fail(open, chain, sequence, marble, .missing(next, isNothingLeft: false))
    }
    switch fit(emission, marble.moments[next], open) {
    case .fits:
      account(emission, in: open)
      open.chains[chain].next += 1
      open.chains[chain].matched.append(emission.sequence)
    case .otherKind:
      fail(open, chain, sequence, marble, .differs(next, nil, event: emission.sequence))
    case .differs(let differences):
      fail(open, chain, sequence, marble, .differs(next, differences, event: emission.sequence))
    }
  }

  private func due(
    _ moment: Int, _ chain: OpenAssertion.Chain, _ marble: Diagram
  ) -> Microseconds? {
    marble.moments[ifPresent: moment].map { later(chain.zero, by: $0.time) }
  }

  /// The last time an event may come at.
  private func lastDue(
    _ moment: Int, _ chain: OpenAssertion.Chain, _ marble: Diagram
  ) -> Microseconds? {
    due(moment, chain, marble).map { later($0, by: tolerance(of: $0 - chain.zero)) }
  }

  /// The result of comparing an emission with a moment of the diagram.
  private enum Fit {
    case fits, otherKind
    case differs(Differences)
  }

  private func fit(
    _ emission: EmissionBuffer.Emission, _ moment: Diagram.Moment, _ open: OpenAssertion
  ) -> Fit {
    switch (moment.kind, emission.ending) {
    case (.value(let matcher), nil): return fit(emission.value, matcher, open)
    case (.completion, .completion), (.failure(nil), .failure): return .fits
    case (.failure(let matcher?), .failure):
      return fit(emission.value["error"] ?? .null, matcher, open)
    case (.value, _), (.completion, _), (.failure, _): return .otherKind
    }
  }

  private func fit(_ value: Value, _ matcher: MatcherPlan, _ open: OpenAssertion) -> Fit {
    guard let mismatch = mismatch(of: value, with: matcher, in: open) else { return .fits }
    return .differs(differences(mismatch, of: value, with: matcher, in: open))
  }

  /// Decides what can be decided of a diagram now; `isDrained` when nothing more comes now.
  private mutating func stand(
    _ open: OpenAssertion, _ chain: Int, _ sequence: SequencePlan, isDrained: Bool,
    isNothingLeft: Bool = false
  ) {
    guard case .marble(let marble, let subscriptions) = sequence.form else { return }
    let state = open.chains[chain]
    if let marble, let due = lastDue(state.next, state, marble) {
      let hasEnded = buffer.hasEndings && hasNothingMore(sequence.source)
      let isMissing = due < now || (isDrained && due == now) || hasEnded || isNothingLeft
      guard isMissing else { return }
      let problem = MarbleDifference.Problem.missing(state.next, isNothingLeft: isNothingLeft)
      return fail(open, chain, sequence, marble, problem)
    }
    let end = end(of: state, sequence)
    guard end < now || (isDrained && end == now) else { return }
    if let subscriptions, !agrees(open, chain, sequence, subscriptions, until: end) { return }
    finish(open, chain)
  }

  private func hasNothingMore(_ source: SourceID) -> Bool {
    buffer.ending(of: source) != nil && buffer.next(of: source) == nil
  }

  /// The last instant that the diagrams of a source say anything about.
  private func end(of chain: OpenAssertion.Chain, _ sequence: SequencePlan) -> Microseconds {
    guard case .marble(let marble, let subscriptions) = sequence.form else { return chain.zero }
    let ends = (subscriptions ?? []).map(\.end) + [marble?.end ?? 0]
    let end = ends.max() ?? 0
    return later(chain.zero, by: end + tolerance(of: end))
  }

  /// Returns the time at which the diagrams of a map must be judged next.
  func marbleStop(_ open: OpenAssertion, _ sequences: [SequencePlan]) -> Microseconds? {
    sequences.indices.compactMap { place -> Microseconds? in
      let chain = open.chains[place]
      guard case .marble(let marble, _) = sequences[place].form, !chain.isDone else { return nil }
      return marble.flatMap { lastDue(chain.next, chain, $0) } ?? end(of: chain, sequences[place])
    }.min()
  }

  /// Nothing is left to do at this instant: what is due now must have come.
  mutating func lookAtMarbles(
    _ open: OpenAssertion, _ sequences: [SequencePlan], isNothingLeft: Bool
  ) {
    for (chain, sequence) in sequences.enumerated() where open.state == .waiting {
      guard case .marble = sequence.form, !open.chains[chain].isDone else { continue }
      stand(open, chain, sequence, isDrained: true, isNothingLeft: isNothingLeft)
    }
  }

  /// Returns the time at which the first assertion that only waits for silence ends, so that its
  /// branch continues. That is an event in its own right.
  func endOfSilence() -> Microseconds? {
    waitingBranches.compactMap { branch -> Microseconds? in
      guard let open = branches[branch].open, open.hasMarbles,
        case .expectMap(let sequences) = kind(of: open)
      else { return nil }
      let isSilence = sequences.indices.allSatisfy { awaitsNothing(open.chains[$0], sequences[$0]) }
      guard isSilence else { return nil }
      return sequences.indices.map { end(of: open.chains[$0], sequences[$0]) }.max()
    }.min()
  }

  private func awaitsNothing(_ chain: OpenAssertion.Chain, _ sequence: SequencePlan) -> Bool {
    switch sequence.form {
    case .events: chain.isDone
    case .marble(let marble, _): chain.next >= marble?.moments.count ?? 0
    }
  }
}

/// Telling how a diagram and the events differ.
extension AssertionState {
  private mutating func fail(
    _ open: OpenAssertion, _ chain: Int, _ sequence: SequencePlan, _ marble: Diagram,
    _ problem: MarbleDifference.Problem
  ) {
    let state = open.chains[chain]
    let difference = MarbleDifference(
      source: sequence.source, range: sequence.range, marble: marble, zero: state.zero,
      problem: problem, wanted: marble.moments.map { wanted($0, open) },
      seen: seen(state, marble, open))
    fail(open, .marble(difference), at: now)
  }

  private func wanted(_ moment: Diagram.Moment, _ open: OpenAssertion) -> Value? {
    switch moment.kind {
    case .value(let matcher), .failure(let matcher?): shown(matcher, in: open)
    case .completion, .failure(nil): nil
    }
  }

  /// The events the diagram has matched, and those behind them.
  private func seen(
    _ chain: OpenAssertion.Chain, _ marble: Diagram, _ open: OpenAssertion
  ) -> [MarbleDifference.Seen] {
    let matched = zip(chain.matched, marble.moments).map { event, moment in
      MarbleDifference.Seen(
        event: event, time: later(chain.zero, by: moment.time), value: nil, symbol: moment.symbol)
    }
    var rest: [MarbleDifference.Seen] = []
    var place = buffer.next(of: chain.source)
    while let next = place, rest.count < MarbleDifference.seenAtMost {
      let emission = buffer.emissions[next]
      rest.append(
        MarbleDifference.Seen(
          event: emission.sequence, time: emission.time, value: emission.value,
          symbol: symbol(of: emission, marble, open)))
      place = emission.next < 0 ? nil : Int(emission.next)
    }
    return matched + rest
  }

  /// Returns the diagram's symbol for an event; nil if the diagram has none for its value.
  private func symbol(
    of emission: EmissionBuffer.Emission, _ marble: Diagram, _ open: OpenAssertion
  ) -> String? {
    switch emission.ending {
    case .completion: return "|"
    case .failure: return "#"
    case nil: break
    }
    defer { slots.pendingCaptures.removeAll(keepingCapacity: true) }
    return marble.moments.first { moment in
      guard case .value(let matcher) = moment.kind else { return false }
      return mismatch(of: emission.value, with: matcher, in: open) == nil
    }?.symbol
  }
}
