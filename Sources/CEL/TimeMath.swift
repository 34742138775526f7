import Values

/// Sums and differences of points and lengths of time, within the range the language sets.
enum TimeMath {
  private static let billion: Int = 1_000_000_000
  /// 0001-01-01T00:00:00Z and the last second of the year 9999.
  static let timestampSeconds = -62_135_596_800...253_402_300_799
  /// About ten thousand years either way.
  static let durationSeconds = -315_576_000_000...315_576_000_000

  static func negated(_ span: TimeSpan) -> TimeSpan {
    TimeSpan(seconds: 0 &- span.seconds, nanoseconds: 0 &- span.nanoseconds)
  }

  static func sum(_ a: TimeSpan, _ b: TimeSpan) throws(CELFault) -> TimeSpan {
    try span(
      seconds: a.seconds.addingReportingOverflow(b.seconds),
      nanoseconds: Int(a.nanoseconds) + Int(b.nanoseconds))
  }

  static func sum(_ time: Timestamp, _ span: TimeSpan) throws(CELFault) -> Timestamp {
    let (seconds, overflow) = time.seconds.addingReportingOverflow(span.seconds)
    if overflow { throw .timestampRange }
    return try timestamp(
      seconds: seconds, nanoseconds: Int(time.nanoseconds) + Int(span.nanoseconds))
  }

  static func difference(_ a: Timestamp, _ b: Timestamp) throws(CELFault) -> TimeSpan {
    try span(
      seconds: a.seconds.subtractingReportingOverflow(b.seconds),
      nanoseconds: Int(a.nanoseconds) - Int(b.nanoseconds))
  }

  /// A point in time from seconds and any number of nanoseconds.
  static func timestamp(seconds: Int, nanoseconds: Int) throws(CELFault) -> Timestamp {
    var carry = nanoseconds / billion
    var rest = nanoseconds % billion
    if rest < 0 {
      rest += billion
      carry -= 1
    }
    let (total, overflow) = seconds.addingReportingOverflow(carry)
    guard !overflow, timestampSeconds.contains(total) else { throw .timestampRange }
    return Timestamp(seconds: total, nanoseconds: Int32(rest))
  }

  /// A length of time from seconds and any number of nanoseconds; both get one sign.
  static func span(
    seconds: (partialValue: Int, overflow: Bool), nanoseconds: Int
  ) throws(CELFault) -> TimeSpan {
    let (partial, over) = seconds.partialValue.addingReportingOverflow(nanoseconds / billion)
    guard !seconds.overflow, !over, durationSeconds.contains(partial) else { throw .durationRange }
    var total = partial
    var rest = nanoseconds % billion
    if total > 0, rest < 0 {
      total -= 1
      rest += billion
    } else if total < 0, rest > 0 {
      total += 1
      rest -= billion
    }
    return TimeSpan(seconds: total, nanoseconds: Int32(rest))
  }
}

extension CELFault {
  static let timestampRange = CELFault(
    "timestamp out of range: it lies between the years 1 and 9999")
  static let durationRange = CELFault(
    "duration out of range: it is at most about 10000 years long")
}
