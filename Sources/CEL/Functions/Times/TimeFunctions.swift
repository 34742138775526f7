import Values

extension Builtins {
  static let times: [Builtin] =
    [
      global(
        "timestamp", Signature([.string], .timestamp), Signature([.int], .timestamp),
        Signature([.timestamp], .timestamp), body: .one(TimeFunctions.timestamp)
      ).note(
        """
        A point in time, from the seconds since 1970 or from a text: RFC 3339 \
        (`2026-03-01T09:00:00Z`) and its common variants (`2026-03-01 09:00:00+0100`), the date of \
        a header or a mail, or digits since 1970, in seconds or a smaller unit by their number. \
        Text without a zone is in UTC.
        """,
        "timestamp('Sun, 01 Mar 2026 09:00:00 GMT') == timestamp('1772355600000')", "true"),
      global(
        "duration", Signature([.string], .duration), Signature([.int], .duration),
        Signature([.duration], .duration), body: .one(TimeFunctions.duration)
      ).note(
        """
        A length of time, from a text or from seconds. The units are `d h m s ms us ns`; `d` is an \
        addition to CEL. Durations are added to each other and to points in time.
        """, "timestamp('2026-03-01T09:00:00Z') + duration('36h')",
        "timestamp('2026-03-02T21:00:00Z')"),
      member(
        "format", Signature([.timestamp, .string, .string], .string), body: .any(TimeFormat.text)
      ).note(
        """
        The text of a point in time, by the letters of `strftime`, in UTC or in a zone. \
        `'%a, %d %b %Y %T GMT'` makes the date of a header, `'%s'` the seconds since 1970, and \
        `'%s%L'` the milliseconds. Of a day there are `%Y %m %d %e %y %j %a %A %b %B %F`, of a \
        time `%H %I %p %M %S %L` (milliseconds) `%f` (microseconds) `%z %s %T`, and `%%`.
        """, "timestamp(0).format('%A %F %T %z', 'Europe/Paris')",
        "'Thursday 1970-01-01 01:00:00 +0100'"),
    ] + TimeFunctions.parts.flatMap { parts(of: $0.0, $0.1) }

  private static func parts(of name: String, _ part: TimePart) -> [Builtin] {
    let body = Builtin.Body.any { (values, meter) throws(CELFault) in
      try part.read(name, values, &meter)
    }
    let ofSpan = part.hasSpan ? [Signature([.duration], .int)] : []
    let moment = "timestamp('2026-03-01T09:30:05.250Z')"
    return [
      member(name, [Signature([.timestamp], .int)] + ofSpan, body: body)
        .note(part.meaning, "\(moment).\(name)()", part.example),
      member(name, Signature([.timestamp, .string], .int), body: body),
    ]
  }
}

/// Functions that make timestamps and durations.
enum TimeFunctions {
  static let parts: [(String, TimePart)] = [
    ("getFullYear", .year), ("getMonth", .month), ("getDate", .date),
    ("getDayOfMonth", .dayOfMonth), ("getDayOfWeek", .dayOfWeek), ("getDayOfYear", .dayOfYear),
    ("getHours", .hours), ("getMinutes", .minutes), ("getSeconds", .seconds),
    ("getMilliseconds", .milliseconds),
  ]

  /// Fewer digits are a year or a day, and not the time since 1970.
  private static let shortestText = 9

  static func timestamp(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    switch value {
    case .timestamp: return value
    case .int(let seconds):
      return .timestamp(try TimeMath.timestamp(Int128(seconds) * 1_000_000_000))
    case .string(let text):
      guard text.utf8.count >= shortestText, let time = Timestamp(logged: value) else {
        throw .noTimestamp(text)
      }
      return .timestamp(time)
    default: throw .noOverload("timestamp", value)
    }
  }

  static func duration(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    switch value {
    case .duration: return value
    case .int(let seconds):
      return .duration(try TimeMath.span(Int128(seconds) * 1_000_000_000))
    case .string(let text):
      guard let span = TimeSpan(text: text) else { throw .noDuration(text) }
      return .duration(span)
    default: throw .noOverload("duration", value)
    }
  }
}

/// A part of a timestamp or a duration, as `getHours()` returns it.
enum TimePart: Sendable {
  case year, month, date, dayOfMonth, dayOfWeek, dayOfYear
  case hours, minutes, seconds, milliseconds

  /// True if durations also have this part.
  var hasSpan: Bool {
    switch self {
    case .hours, .minutes, .seconds, .milliseconds: true
    case .year, .month, .date, .dayOfMonth, .dayOfWeek, .dayOfYear: false
    }
  }

  /// The text for the page of functions.
  fileprivate var meaning: String {
    switch self {
    case .year: "The year, in UTC or in a zone."
    case .month: "The month; January is 0."
    case .date: "The day of the month; the first is 1."
    case .dayOfMonth: "The day of the month; the first is 0."
    case .dayOfWeek: "The day of the week; Sunday is 0."
    case .dayOfYear: "The day of the year; the first is 0."
    case .hours: "The hour of a point in time, or all hours of a duration."
    case .minutes: "The minute of a point in time, or all minutes of a duration."
    case .seconds: "The second of a point in time, or all seconds of a duration."
    case .milliseconds: "The milliseconds after the second."
    }
  }

  /// The part of 2026-03-01T09:30:05.250Z.
  fileprivate var example: String {
    switch self {
    case .year: "2026"
    case .month: "2"
    case .date: "1"
    case .dayOfMonth, .dayOfWeek: "0"
    case .dayOfYear: "59"
    case .hours: "9"
    case .minutes: "30"
    case .seconds: "5"
    case .milliseconds: "250"
    }
  }

  func read(
    _ name: String, _ values: [Value], _ meter: inout Meter
  ) throws(CELFault) -> Value {
    switch values[0] {
    case .timestamp(let time):
      var offset = 0
      if values.count > 1 {
        guard case .string(let zone) = values[1] else { throw .noOverload(name, values) }
        offset = try TimeZones.offset(of: zone, at: time.seconds, &meter)
      }
      return .int(of(LocalTime(seconds: time.seconds &+ offset), time.nanoseconds))
    case .duration(let span) where values.count == 1 && hasSpan: return .int(of(span))
    default: throw .noOverload(name, values)
    }
  }

  private func of(_ local: LocalTime, _ nanoseconds: Int32) -> Int {
    switch self {
    case .year: local.date.year
    case .month: local.date.month - 1
    case .date: local.date.day
    case .dayOfMonth: local.date.day - 1
    case .dayOfWeek: local.date.weekday
    case .dayOfYear: local.date.dayOfYear
    case .hours: local.second / 3600
    case .minutes: local.second / 60 % 60
    case .seconds: local.second % 60
    case .milliseconds: Int(nanoseconds) / 1_000_000
    }
  }

  /// Returns hours, minutes or seconds of a duration; each is the whole length in that unit.
  private func of(_ span: TimeSpan) -> Int {
    switch self {
    case .hours: span.seconds / 3600
    case .minutes: span.seconds / 60
    case .milliseconds: Int(span.nanoseconds) / 1_000_000
    case .seconds, .year, .month, .date, .dayOfMonth, .dayOfWeek, .dayOfYear: span.seconds
    }
  }
}

/// A day and the second of that day, in local time.
struct LocalTime {
  let date: CivilDate
  let second: Int

  /// Makes the local time this many seconds after 1970-01-01T00:00:00.
  init(seconds: Int) {
    let second = ((seconds % 86_400) + 86_400) % 86_400
    self.second = second
    date = CivilDate(daysSince1970: (seconds - second) / 86_400)
  }
}
