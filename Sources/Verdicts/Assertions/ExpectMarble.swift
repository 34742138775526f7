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
    if open.chains[chain].isDecided { return }
    if let marble { advance(open, chain, marble, sequence) }
    // What lies in the past when an expectation is reached need not be waited for.
    stand(open, chain, sequence, isDrained: false)
  }

  private mutating func advance(
    _ open: OpenAssertion, _ chain: Int, _ marble: Diagram, _ sequence: SequencePlan
  ) {
    let zero = open.chains[chain].zero
    let end = later(zero, by: marble.end + tolerance(of: marble.end))
    while !open.chains[chain].isDecided, let place = buffer.next(of: sequence.source) {
      let emission = buffer.emissions[place]
      if emission.time > end { return }
      if emission.isCompletion, emission.time < zero {
        account(at: place, in: open)
      } else {
        take(place, open, chain, marble, sequence)
      }
    }
  }

  private mutating func take(
    _ place: Int, _ open: OpenAssertion, _ chain: Int, _ marble: Diagram,
    _ sequence: SequencePlan
  ) {
    let emission = buffer.emissions[place]
    let next = open.chains[chain].next
    let zero = open.chains[chain].zero
    let due = due(next, of: marble, from: zero)
    let slack = tolerance(of: (due ?? 0) - zero)
    guard let due, emission.time >= due - slack else {
      return differ(open, chain, .events(.unexpected(event: emission.sequence), marble))
    }
    guard emission.time <= due + slack else {
      return differ(open, chain, .events(.missing(next, isNothingLeft: false), marble))
    }
    switch fit(emission, marble.moments[next], open) {
    case .fits:
      account(at: place, in: open)
      open.chains[chain].next += 1
      open.chains[chain].matched.append(emission.sequence)
    case .otherKind:
      differ(open, chain, .events(.differs(next, nil, event: emission.sequence), marble))
    case .differs(let differences):
      differ(open, chain, .events(.differs(next, differences, event: emission.sequence), marble))
    }
  }

  private func due(
    _ moment: Int, of marble: Diagram, from zero: Microseconds
  ) -> Microseconds? {
    marble.moments.indices.contains(moment) ? later(zero, by: marble.moments[moment].time) : nil
  }

  /// The last time an event may come at.
  private func lastDue(
    _ moment: Int, of marble: Diagram, from zero: Microseconds
  ) -> Microseconds? {
    due(moment, of: marble, from: zero).map { later($0, by: tolerance(of: $0 - zero)) }
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
    guard case .marble(let marble, let subscriptions) = sequence.form,
      !open.chains[chain].isDecided
    else { return }
    let next = open.chains[chain].next
    if let marble, let due = lastDue(next, of: marble, from: open.chains[chain].zero) {
      let hasEnded = buffer.hasEndings && hasNothingMore(sequence.source)
      let isMissing = due < now || (isDrained && due == now) || hasEnded || isNothingLeft
      guard isMissing else { return }
      let problem = MarbleDifference.Problem.missing(next, isNothingLeft: isNothingLeft)
      return differ(open, chain, .events(problem, marble))
    }
    let end = end(of: open.chains[chain], sequence)
    guard end < now || (isDrained && end == now) else { return }
    let found = subscriptions.flatMap { difference(open, chain, sequence, $0, until: end) }
    if let found { return differ(open, chain, .subscriptions(found)) }
    finish(open, chain)
  }

  private func hasNothingMore(_ source: SourceID) -> Bool {
    buffer.ending(of: source) != nil && buffer.next(of: source) == nil
  }

  /// The last instant that the diagrams of a source say anything about.
  func end(of chain: OpenAssertion.Chain, _ sequence: SequencePlan) -> Microseconds {
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
      if chain.difference != nil { return endOfDrawing(open, sequences) }
      return marble.flatMap { lastDue(chain.next, of: $0, from: chain.zero) }
        ?? end(of: chain, sequences[place])
    }.min()
  }

  /// Nothing is left to do at this instant: what is due now must have come.
  mutating func lookAtMarbles(
    _ open: OpenAssertion, _ sequences: [SequencePlan], isNothingLeft: Bool
  ) {
    for (chain, sequence) in sequences.enumerated() where open.state == .waiting {
      stand(open, chain, sequence, isDrained: true, isNothingLeft: isNothingLeft)
    }
  }

  /// Returns the time at which the first assertion that only waits for silence ends, so that its
  /// branch continues. That is an event in its own right.
  func endOfSilence() -> Microseconds? {
    waitingBranches.compactMap { branch -> Microseconds? in
      guard let open = branches[branch].open, open.hasMarbles, open.failuresBefore == nil,
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
