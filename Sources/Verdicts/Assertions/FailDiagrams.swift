import ScenarioPlan
import Values

/// The number of ticks behind a diagram in which an event that is missing is still looked for.
private let ticksBehindDiagram: Microseconds = 40
/// The most time behind a diagram in which it is looked for, unless the diagram itself is longer.
private let mostTimeBehindDiagram: Microseconds = 60_000_000

/// Diagrams that differ from what came.
///
/// In virtual time, the first difference does not end the assertion at once. The run goes on to the
/// end of the diagrams, so that a report can draw all that came. Real time is not spent on that.
extension AssertionState {
  /// Keeps the first difference between a diagram and what came.
  mutating func differ(
    _ open: OpenAssertion, _ chain: Int, _ problem: OpenAssertion.FirstDifference.Problem
  ) {
    open.chains[chain].difference = OpenAssertion.FirstDifference(problem, at: now)
    if open.failuresBefore == nil {
      open.failuresBefore = failures.count
      firstDifference = min(firstDifference, now)
    }
  }

  /// Fails an assertion whose diagrams differ once they are at their end; `isDrained` when nothing
  /// more comes now.
  mutating func failDiagrams(
    _ open: OpenAssertion, _ sequences: [SequencePlan], isDrained: Bool
  ) {
    guard open.failuresBefore != nil, open.state == .waiting else { return }
    let end = endOfDrawing(open, sequences)
    if realTime != nil || end < now || (isDrained && end == now) { failDiagrams(open) }
  }

  /// Fails all assertions whose diagrams differ, since nothing more is going to come. Returns false
  /// if there are none.
  @discardableResult
  mutating func failDiagrams() -> Bool {
    let before = waitingBranches.count
    for branch in waitingBranches {
      if let open = branches[branch].open { failDiagrams(open) }
    }
    return waitingBranches.count < before
  }

  /// Fails an assertion for each of its diagrams that differs.
  mutating func failDiagrams(_ open: OpenAssertion) {
    guard let place = open.failuresBefore, open.state == .waiting,
      case .expectMap(let sequences) = kind(of: open)
    else { return }
    let found = sequences.indices.compactMap { chain in
      open.chains[chain].difference.map { difference in
        let kind = kind(of: difference.problem, open, chain, sequences[chain])
        return failure(of: open, kind, at: difference.time)
      }
    }
    failures.insert(contentsOf: found, at: min(place, failures.count))
    close(open, .failed)
  }

  /// Returns the time up to which a report draws the diagrams of an assertion that has failed.
  func endOfDrawing(_ open: OpenAssertion, _ sequences: [SequencePlan]) -> Microseconds {
    let ends = sequences.indices.compactMap { place -> Microseconds? in
      let chain = open.chains[place]
      guard case .marble(let marble, _) = sequences[place].form, !chain.isDone else { return nil }
      let end = end(of: chain, sequences[place])
      guard let marble, chain.difference != nil, chain.next < marble.moments.count,
        buffer.ending(of: chain.source) == nil
      else { return end }
      let most = max(marble.end, mostTimeBehindDiagram)
      let (ticks, isFar) = marble.tick.multipliedReportingOverflow(by: ticksBehindDiagram)
      return later(end, by: isFar ? most : min(ticks, most))
    }
    return ends.max() ?? now
  }

  private func kind(
    of problem: OpenAssertion.FirstDifference.Problem, _ open: OpenAssertion, _ chain: Int,
    _ sequence: SequencePlan
  ) -> Failure.Kind {
    switch problem {
    case .subscriptions(let difference): .subscriptions(difference)
    case .events(let problem, let marble):
      .marble(difference(problem, marble, open, open.chains[chain], sequence))
    }
  }

  private func difference(
    _ problem: MarbleDifference.Problem, _ marble: Diagram, _ open: OpenAssertion,
    _ chain: OpenAssertion.Chain, _ sequence: SequencePlan
  ) -> MarbleDifference {
    MarbleDifference(
      source: sequence.source, range: sequence.range, marble: marble, zero: chain.zero,
      until: now, problem: problem, wanted: marble.moments.map { wanted($0, open) },
      seen: seen(chain, marble, open))
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
