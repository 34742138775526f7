import Diagnostics
import Events
import ScenarioPlan
import Values

/// The difference between a source's events and a diagram, with all that is needed to draw both.
package struct MarbleDifference: Sendable {
  /// The first difference.
  package enum Problem: Sendable {
    /// The event of this moment did not come.
    case missing(Int, isNothingLeft: Bool)
    /// An event came when that of this moment was due, and is another; nil: not even of its kind.
    case differs(Int, Differences?, event: EventID)
    /// An event came when none is due.
    case unexpected(event: EventID)
  }

  /// An event of the source, and the symbol the diagram has for it.
  package struct Seen: Sendable {
    package var event: EventID
    package var time: Microseconds
    package var value: Value?
    package var symbol: String?
  }

  /// The most events that are kept, which is more than a page shows.
  static let seenAtMost = 200

  package var source: SourceID
  /// The place that names the source.
  package var range: SourceRange
  package var marble: MarblePlan<MatcherPlan>
  /// The time of the first tick.
  package var zero: Microseconds
  /// The time up to which all events are known.
  package var until: Microseconds
  package var problem: Problem
  /// The expected value of each moment, with its expressions evaluated; nil if any value is
  /// accepted.
  package var wanted: [Value?]
  /// The events of the source in order, whether they match or not.
  package var seen: [Seen]

  /// The event that was judged wrong.
  package var event: EventID? {
    switch problem {
    case .missing: nil
    case .differs(_, _, let event), .unexpected(let event): event
    }
  }
}

/// A subscription to a stream, as far as it is known.
package struct SubscriptionSeen: Sendable {
  package var source: SourceID
  package var number: Int
  package var began: Microseconds
  package var ended: Microseconds?
}

/// The difference between subscriptions to a stream and diagrams of them.
package struct SubscriptionDifference: Sendable {
  package var source: SourceID
  package var range: SourceRange
  package var zero: Microseconds
  /// Until when they were compared.
  package var end: Microseconds
  package var wanted: [SubscriptionMarblePlan]
  package var seen: [SubscriptionSeen]
  /// The number of the first one that differs.
  package var place: Int
}

extension MarbleDifference {
  /// The moment that was not met; nil where none is due.
  var moment: MarblePlan<MatcherPlan>.Moment? {
    switch problem {
    case .missing(let place, _), .differs(let place, _, _): marble.moments[place]
    case .unexpected: nil
    }
  }

  /// The event whose value is shown in full.
  var shownEvent: EventID? {
    if case .differs(_, .some, let event) = problem { event } else { nil }
  }

  /// The event of a moment, where it came later than it should.
  func late(_ place: Int) -> Seen? {
    let due = later(zero, by: marble.moments[place].time)
    return seen.first { $0.time > due && $0.symbol == marble.moments[place].symbol }
  }

  /// Returns the time at which an early event was awaited, if it is the next awaited one.
  func due(after event: Seen) -> Microseconds? {
    guard case .unexpected = problem, event.time >= zero else { return nil }
    return moment(after: event).map { later(zero, by: marble.moments[$0].time) }
  }

  /// Returns the next awaited moment after an event, if the event is its own.
  func moment(after event: Seen) -> Int? {
    let next = marble.moments.firstIndex { later(zero, by: $0.time) > event.time }
    return next.flatMap { marble.moments[$0].symbol == event.symbol ? $0 : nil }
  }

  /// Returns a moment at the time of an event; nil if there is none.
  func moment(at event: Seen) -> Int? {
    marble.moments.firstIndex { later(zero, by: $0.time) == event.time }
  }

  /// The number of moments that came as drawn, before the first difference.
  private var matched: Int {
    switch problem {
    case .missing(let place, _), .differs(let place, _, _): place
    case .unexpected(let event): seen.firstIndex { $0.event == event } ?? 0
    }
  }

  /// The observed events from the first difference on, each matched to the next moment with the
  /// same symbol.
  var partners: [Seen] {
    var rest = seen.dropFirst(matched)
    var partners: [Seen] = []
    for moment in marble.moments.dropFirst(matched) {
      guard let place = rest.firstIndex(where: { $0.symbol == moment.symbol }) else { break }
      partners.append(rest[place])
      rest = rest[(place + 1)...]
    }
    return partners
  }

  /// The time by which all moments behind one that came early or late did so as well; nil if they
  /// differ, or if there are none.
  var shiftOfRest: Microseconds? {
    if case .differs = problem { return nil }
    let rest = marble.moments.dropFirst(matched)
    let partners = partners
    guard rest.count > 1, partners.count == rest.count else { return nil }
    let shifts = zip(rest, partners).map { $1.time - later(zero, by: $0.time) }
    guard let first = shifts.first, first != 0, let next = shifts.dropFirst().first,
      next == first || next == 0, shifts.dropFirst().allSatisfy({ $0 == next })
    else { return nil }
    return next
  }

  /// The place of the first difference in the drawing.
  var focus: AlignedDiagrams.Focus {
    let failed = event.flatMap { event in seen.firstIndex { $0.event == event } }
    let time = failed.map { seen[$0].time - zero } ?? moment?.time ?? 0
    let matched = failed ?? seen.firstIndex { $0.time - zero > time } ?? seen.count
    let index = seen[..<matched].count { $0.time - zero == time }
    return AlignedDiagrams.Focus(offset: time, index: index)
  }
}
