import Diagnostics

/// A source that is fed from outside the scenario, by a trace.
package struct DeclaredSourcePlan: Sendable {
  package var source: SourceID
  /// The name that a trace gives it.
  package var nameInTrace: String
  /// The value before its first event.
  package var initial: DataPlan

  package init(source: SourceID, nameInTrace: String, initial: DataPlan) {
    self.source = source
    self.nameInTrace = nameInTrace
    self.initial = initial
  }
}
