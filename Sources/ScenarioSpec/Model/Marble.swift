import Diagnostics
import Values

/// A part of a stream over time, as a diagram: `--a-(bc)|`.
///
/// Each character is one tick; a group in parentheses costs one tick and happens at once. `|` is
/// completion, `#` is failure, and a space is ignored.
package struct Marble<Payload: Sendable>: Sendable {
  package enum Kind: Sendable {
    case value(Payload)
    case completion
    case failure(Payload?)
  }

  /// One event that the diagram shows.
  package struct Moment: Sendable {
    package var kind: Kind
    /// The character that shows it.
    package var symbol: String
    /// The time since the diagram's first tick.
    package var time: Microseconds
    /// The place of the character.
    package var range: SourceRange

    package init(kind: Kind, symbol: String, time: Microseconds, range: SourceRange) {
      self.kind = kind
      self.symbol = symbol
      self.time = time
      self.range = range
    }
  }

  package var diagram: Located<String>
  package var tick: Microseconds
  /// The moments, in the order of time.
  package var moments: [Moment]
  /// The time of the diagram's last tick.
  package var end: Microseconds

  package static var defaultTick: Microseconds { 1_000 }

  package var range: SourceRange { diagram.range }

  package init(
    diagram: Located<String>, tick: Microseconds, moments: [Moment], end: Microseconds
  ) {
    self.diagram = diagram
    self.tick = tick
    self.moments = moments
    self.end = end
  }

  /// Makes the diagram of these payloads in another form.
  package func map<Other>(_ make: (Payload) -> Other) -> Marble<Other> {
    let moments = moments.map { moment in
      let kind: Marble<Other>.Kind =
        switch moment.kind {
        case .value(let payload): .value(make(payload))
        case .completion: .completion
        case .failure(let payload): .failure(payload.map(make))
        }
      return Marble<Other>.Moment(
        kind: kind, symbol: moment.symbol, time: moment.time, range: moment.range)
    }
    return Marble<Other>(diagram: diagram, tick: tick, moments: moments, end: end)
  }
}

/// The time of a subscription and of its end, as a diagram: `--^---!`.
package struct SubscriptionMarble: Sendable {
  package var diagram: Located<String>
  package var tick: Microseconds
  /// The time since the diagram's first tick; nil if there is no subscription.
  package var subscribed: Microseconds?
  /// The time of its end; nil if the diagram does not show one.
  package var unsubscribed: Microseconds?

  package var range: SourceRange { diagram.range }

  package init(
    diagram: Located<String>, tick: Microseconds, subscribed: Microseconds? = nil,
    unsubscribed: Microseconds? = nil
  ) {
    self.diagram = diagram
    self.tick = tick
    self.subscribed = subscribed
    self.unsubscribed = unsubscribed
  }
}

/// The expected events of one source.
package enum SequenceSpec: Sendable {
  /// These events, in this order.
  case events([MatcherSpec])
  /// The events of a diagram, or its subscriptions, or both.
  case marble(Marble<MatcherSpec>?, subscriptions: [SubscriptionMarble]?)
}
