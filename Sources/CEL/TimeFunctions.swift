import Values

extension Builtins {
  static let times: [Builtin] = {
    var all: [Builtin] = [
      global(
        "timestamp", Signature([.string], .timestamp), Signature([.int], .timestamp),
        Signature([.timestamp], .timestamp), body: .one(TimeFunctions.timestamp)),
      global(
        "duration", Signature([.string], .duration), Signature([.int], .duration),
        Signature([.duration], .duration), body: .one(TimeFunctions.duration)),
    ]
    for (name, part) in TimeFunctions.parts {
      let ofSpan = part.hasSpan ? [Signature([.duration], .int)] : []
      all.append(
        Builtin(
          name: name, isMember: true, arity: 1,
          signatures: [Signature([.timestamp], .int)] + ofSpan,
          body: .any { (values, _) throws(CELFault) in try part.read(name, values) }, isPure: true))
      all.append(
        Builtin(
          name: name, isMember: true, arity: 2,
          signatures: [Signature([.timestamp, .string], .int)],
          body: .any { (values, _) throws(CELFault) in try part.read(name, values) }, isPure: true))
    }
    return all
  }()
}

/// Functions that make timestamps and durations.
enum TimeFunctions {
  static let parts: [(String, TimePart)] = [
    ("getFullYear", .year), ("getMonth", .month), ("getDate", .date),
    ("getDayOfMonth", .dayOfMonth), ("getDayOfWeek", .dayOfWeek), ("getDayOfYear", .dayOfYear),
    ("getHours", .hours), ("getMinutes", .minutes), ("getSeconds", .seconds),
    ("getMilliseconds", .milliseconds),
  ]

  static func timestamp(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    switch value {
    case .timestamp: return value
    case .int(let seconds):
      return .timestamp(try TimeMath.timestamp(seconds: seconds, nanoseconds: 0))
    case .string(let text): return .timestamp(try CalendarText.readTimestamp(text))
    default: throw .noOverload("timestamp", value)
    }
  }

  static func duration(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    switch value {
    case .duration: return value
    case .int(let seconds):
      return .duration(try TimeMath.span(seconds: (seconds, false), nanoseconds: 0))
    case .string(let text): return .duration(try CalendarText.readDuration(text))
    default: throw .noOverload("duration", value)
    }
  }
}

/// A part of a timestamp or a duration that can be asked for.
enum TimePart: Sendable {
  case year, month, date, dayOfMonth, dayOfWeek, dayOfYear
  case hours, minutes, seconds, milliseconds

  /// Whether durations have it too.
  var hasSpan: Bool {
    switch self {
    case .hours, .minutes, .seconds, .milliseconds: true
    case .year, .month, .date, .dayOfMonth, .dayOfWeek, .dayOfYear: false
    }
  }

  func read(_ name: String, _ values: [Value]) throws(CELFault) -> Value {
    switch values[0] {
    case .timestamp(let time):
      var offset = 0
      if values.count > 1 {
        guard case .string(let zone) = values[1] else { throw .noOverload(name, values) }
        offset = try TimeZones.offset(of: zone, at: time.seconds)
      }
      return .int(of(CalendarDate(seconds: time.seconds + offset), time.nanoseconds))
    case .duration(let span) where values.count == 1 && hasSpan: return .int(of(span))
    default: throw .noOverload(name, values)
    }
  }

  private func of(_ date: CalendarDate, _ nanoseconds: Int32) -> Int {
    switch self {
    case .year: date.year
    case .month: date.month - 1
    case .date: date.day
    case .dayOfMonth: date.day - 1
    case .dayOfWeek: date.weekday
    case .dayOfYear: date.dayOfYear
    case .hours: date.secondOfDay / 3600
    case .minutes: date.secondOfDay / 60 % 60
    case .seconds: date.secondOfDay % 60
    case .milliseconds: Int(nanoseconds) / 1_000_000
    }
  }

  /// Hours, minutes and seconds of a duration are its whole length in them.
  private func of(_ span: TimeSpan) -> Int {
    switch self {
    case .hours: span.seconds / 3600
    case .minutes: span.seconds / 60
    case .milliseconds: Int(span.nanoseconds) / 1_000_000
    case .seconds, .year, .month, .date, .dayOfMonth, .dayOfWeek, .dayOfYear: span.seconds
    }
  }
}
