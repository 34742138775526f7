import Events
import Values

/// The time at which a recorded input is due.
///
/// That is its recorded time, or later: as long after what it waits for as in the recording.
enum InputSchedule {
  /// The line that an input comes after.
  struct Before {
    var recorded: Microseconds
    var now: Microseconds
  }

  /// Returns when an input is due; nil if our side has not sent enough yet.
  ///
  /// - Parameter recorded: The times at which our side sent to the endpoint in the recording.
  /// - Parameter sent: The same in the replay.
  /// - Parameter previous: What came before it on its connection.
  static func due(
    _ input: ReplayedTrace.Input, recorded: RisingTimes, sent: RisingTimes,
    after previous: Before?
  ) -> Microseconds? {
    let due = max(input.time, previous?.due(input.time) ?? 0)
    guard let seen = input.seen, seen > 0, !input.kind.isUncounted else { return due }
    guard sent.count >= seen else { return nil }
    guard recorded.count >= seen else { return due }
    return max(due, Before(recorded: recorded[seen - 1], now: sent[seen - 1]).due(input.time))
  }
}

extension InputSchedule {
  /// Returns when an input is due as long after what it answers to as in the recording; nil if the
  /// client has not sent that yet.
  ///
  /// - Parameter arrived: The times at which the client sent on the connection.
  static func due(
    _ input: ReplayedTrace.Input, arrived: RisingTimes, after previous: Before?
  ) -> Microseconds? {
    guard input.answersTo.place < arrived.count else { return nil }
    let before = Before(recorded: input.answersTo.time, now: arrived[input.answersTo.place])
    return max(before.due(input.time), previous?.now ?? 0)
  }
}

extension InputSchedule.Before {
  /// Returns when something is due that was recorded at a time: as long after this.
  /// A trace may come from anywhere: the sum may leave the clock's range.
  func due(_ time: Microseconds) -> Microseconds {
    let (sum, overflow) = now.addingReportingOverflow(max(0, time &- recorded))
    return overflow ? .max : sum
  }
}

extension Traffic.Kind {
  /// True for what waits for nothing but its connection.
  fileprivate var isUncounted: Bool {
    switch self {
    case .comment, .retry, .id, .ping, .pong, .cutEvent: true
    case .request, .response, .stream, .upgrade, .event, .line, .message, .bytes, .goodbye, .left,
      .drop, .reset, .unreachable:
      false
    }
  }
}
