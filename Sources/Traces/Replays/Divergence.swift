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
    /// Our side asked once more for what it was answered to.
    case onceMore
    /// The trace had an answer, which somebody deleted.
    case noAnswer
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
  /// The differences, each as `query: recorded 1, asked 2`.
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

// What is said of several divergences together.
extension ReplayComparison {
  /// Puts first what led to the first divergence, if it is known: a request that took the answer to
  /// a later one, or an answer that somebody deleted.
  mutating func nameCause() {
    guard let first = divergences.first else { return }
    if let onceMore, onceMore.time <= first.time {
      divergences.insert(onceMore, at: 0)
    } else if let request = requestWithDeletedAnswer, run.entries.time(of: request) <= first.time {
      divergences.insert(
        Divergence(.noAnswer, recorded: request, at: run.entries.time(of: request)), at: 0)
    }
  }

  /// Shows a request that did not come and one that came in its place as one divergence.
  mutating func pairUp() {
    guard let first = divergences.first else { return }
    let kind = first.now?.knownKind
    switch first.kind {
    case .extra, .unknownRequest:
      let missing = divergences.firstIndex {
        $0.kind == .missing && $0.time == first.time && isOfSource(first.now, kind, $0)
      }
      guard let missing else { return }
      divergences[0].recorded = divergences.remove(at: missing).recorded
    case .missing:
      let line = first.recorded.map { run.entries[$0].line }
      let other = divergences.dropFirst().firstIndex {
        ($0.kind == .extra || $0.kind == .unknownRequest) && $0.now?.source == line?.source
          && $0.now?.kind == line?.kind
      }
      guard let other else { return }
      divergences[other].recorded = first.recorded
      let pair = divergences.remove(at: other)
      divergences[0] = pair
    case .otherValue, .time, .order, .onceMore, .noAnswer, .leftOver: return
    }
  }

  /// Returns whether what was recorded is of the source and the kind of a line.
  private func isOfSource(_ line: TraceLine?, _ kind: TraceKind?, _ other: Divergence) -> Bool {
    guard let recorded = other.recorded else { return false }
    return run.entries[recorded].line.source == line?.source
      && run.entries[recorded].line.knownKind == kind
  }
}
