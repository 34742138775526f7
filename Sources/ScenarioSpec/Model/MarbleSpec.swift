import Diagnostics
import Values

/// A stretch of a stream as a diagram: `--a-(bc)|`.
///
/// Each character is one tick; a group in parentheses costs one tick and happens at once. `|` is
/// completion, `#` failure, a space nothing at all.
package struct MarbleSpec<Payload: Sendable>: Sendable {
  package enum Kind: Sendable {
    case value(Payload)
    case completion
    case failure(Payload?)
  }

  /// One thing the diagram shows.
  package struct Moment: Sendable {
    package var kind: Kind
    /// The character it is shown by.
    package var symbol: String
    /// Since the diagram's first tick.
    package var time: Microseconds
    /// The character's place.
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
  /// In the order of time.
  package var moments: [Moment]
  /// The time of the last tick the diagram has.
  package var end: Microseconds

  package init(
    diagram: Located<String>, tick: Microseconds, moments: [Moment], end: Microseconds
  ) {
    self.diagram = diagram
    self.tick = tick
    self.moments = moments
    self.end = end
  }

  package static var defaultTick: Microseconds { 1_000 }
}

/// When something was subscribed to and when it was left, as a diagram: `--^---!`.
package struct SubscriptionMarbleSpec: Sendable {
  package var diagram: Located<String>
  package var tick: Microseconds
  /// Since the diagram's first tick; nil: not subscribed to at all.
  package var subscribed: Microseconds?
  /// nil: not left as far as the diagram goes.
  package var unsubscribed: Microseconds?

  package init(
    diagram: Located<String>, tick: Microseconds, subscribed: Microseconds?,
    unsubscribed: Microseconds?
  ) {
    self.diagram = diagram
    self.tick = tick
    self.subscribed = subscribed
    self.unsubscribed = unsubscribed
  }
}

/// What is expected of one source.
package enum SequenceSpec: Sendable {
  /// These events, in this order.
  case events([MatcherSpec])
  /// What a diagram shows, or when it is subscribed to, or both.
  case marble(MarbleSpec<MatcherSpec>?, subscriptions: [SubscriptionMarbleSpec]?)
}
