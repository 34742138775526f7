import Values

/// The facts about a trace that is judged.
package struct TraceFacts: Sendable, Equatable {
  /// True if its times are exact; false if a clock measured them.
  package var isVirtual: Bool
  /// True if it holds its run to the end.
  package var isComplete: Bool
  /// The time from which on an event asks for no answer: what it leads to may not be recorded yet.
  package var asksUntil: Microseconds

  package init(isVirtual: Bool, isComplete: Bool, asksUntil: Microseconds = .max) {
    self.isVirtual = isVirtual
    self.isComplete = isComplete
    self.asksUntil = asksUntil
  }
}
