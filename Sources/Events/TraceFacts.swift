/// What is known about a trace that is judged.
package struct TraceFacts: Sendable, Equatable {
  /// True if its times are exact; false if a clock measured them.
  package var isVirtual: Bool
  /// True if it holds its run to the end.
  package var isComplete: Bool

  package init(isVirtual: Bool, isComplete: Bool) {
    self.isVirtual = isVirtual
    self.isComplete = isComplete
  }
}
