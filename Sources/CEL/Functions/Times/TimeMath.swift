import Values

/// Sums and differences of timestamps and durations, within the range of the language.
enum TimeMath {
  static func sum(_ a: TimeSpan, _ b: TimeSpan) throws(CELFault) -> TimeSpan {
    try span(a.totalNanoseconds + b.totalNanoseconds)
  }

  static func difference(_ a: TimeSpan, _ b: TimeSpan) throws(CELFault) -> TimeSpan {
    try span(a.totalNanoseconds - b.totalNanoseconds)
  }

  static func difference(_ a: Timestamp, _ b: Timestamp) throws(CELFault) -> TimeSpan {
    try span(nanoseconds(a) - nanoseconds(b))
  }

  static func sum(_ time: Timestamp, _ span: TimeSpan) throws(CELFault) -> Timestamp {
    try timestamp(nanoseconds(time) + span.totalNanoseconds)
  }

  static func difference(_ time: Timestamp, _ span: TimeSpan) throws(CELFault) -> Timestamp {
    try timestamp(nanoseconds(time) - span.totalNanoseconds)
  }

  static func timestamp(_ nanoseconds: Int128) throws(CELFault) -> Timestamp {
    guard let time = Timestamp(totalNanoseconds: nanoseconds) else { throw .timestampRange }
    return time
  }

  static func span(_ nanoseconds: Int128) throws(CELFault) -> TimeSpan {
    guard let span = TimeSpan(totalNanoseconds: nanoseconds) else { throw .durationRange }
    return span
  }

  private static func nanoseconds(_ time: Timestamp) -> Int128 {
    Int128(time.seconds) * 1_000_000_000 + Int128(time.nanoseconds)
  }
}

extension CELFault {
  static let timestampRange = CELFault(
    "timestamp out of range: it lies between the years 1 and 9999")
  static let durationRange = CELFault(
    "duration out of range: it is at most about ten thousand years long")

  static func noTimestamp(_ text: String) -> CELFault {
    CELFault(
      "\(Spelling.of(.string(text))) is no timestamp: one is written 2009-02-13T23:31:30Z")
  }

  static func noDuration(_ text: String) -> CELFault {
    CELFault(
      "\(Spelling.of(.string(text))) is no duration: one is written 7d, 1h30m or 300ms, "
        + "to the nanosecond")
  }
}
