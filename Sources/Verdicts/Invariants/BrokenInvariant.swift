import Events
import ScenarioPlan
import Values

/// An invariant about events, or about a value that stays, that does not hold.
package struct BrokenInvariant: Sendable {
  package enum Finding: Sendable {
    /// None of the awaited events came before; or the last one, so long ago that its time was over.
    case notPreceded(
      [(source: SourceID, expected: Value)], last: EventID?, TimeLimit?)
    /// The event came in a time that had begun with another.
    case forbidden(since: EventID)
    /// A condition does not hold in a time that had begun with an event.
    case condition(ConditionReading, since: EventID)
    /// A value is another than the one at an earlier event.
    case changed(ConditionReading, from: Value, since: EventID)
    case tooMany(first: EventID, count: Int, atMost: Int, per: Microseconds?)
    /// After the event too few others came; the next one came too late.
    case tooFew(Int, atLeast: Int, TimeLimit, answer: EventID?)
  }

  package var invariant: InvariantID
  package var finding: Finding
  /// The event that breaks it, or the sample that shows it.
  package var event: EventID
}
