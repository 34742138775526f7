import Values

/// A difference between a trace and its replay.
package struct Divergence: Sendable {
  package enum Kind: Sendable, Equatable {
    /// Another value came in this place.
    case otherValue
    /// The same came so many microseconds later, or earlier if negative.
    case time(Microseconds)
    /// In the trace it stands before what caused it.
    case order
    /// It was recorded and did not come.
    case missing
    /// It came and was not recorded.
    case extra
    /// Our side asked for something that the trace has no answer to.
    case unknownRequest
    /// The trace has no further answer to what was asked before.
    case noAnswerLeft
    /// An input of the trace that nothing took.
    case leftOver
  }

  package var kind: Kind
  /// The index of the recorded entry.
  package var recorded: Int?
  /// The index of the recorded entry behind which it came; nil if it was recorded itself.
  package internal(set) var after: Int?
  package var now: TraceLine?
  /// The time at which the two sides part.
  package var time: Microseconds
  /// What differs, each as `query: recorded 1, asked 2`.
  package var differences: [String] = []
  /// The number of later events that came later by the same time.
  package var followers = 0

  init(
    _ kind: Kind, recorded: Int? = nil, after: Int? = nil, now: TraceLine? = nil,
    at time: Microseconds, differences: [String] = []
  ) {
    self.kind = kind
    self.recorded = recorded
    self.after = after
    self.now = now
    self.time = time
    self.differences = differences
  }
}
