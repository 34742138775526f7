import Values

/// A day and a time of day, as a calendar shows them.
struct CalendarDate {
  var year: Int
  /// 1 to 12.
  var month: Int
  /// 1 to 31.
  var day: Int
  /// 0 (Sunday) to 6.
  var weekday: Int
  /// From 0.
  var dayOfYear: Int
  /// Seconds since midnight.
  var secondOfDay: Int

  /// The date so many seconds after 1970-01-01T00:00:00.
  init(seconds: Int) {
    var days = seconds / 86_400
    secondOfDay = seconds % 86_400
    if secondOfDay < 0 {
      secondOfDay += 86_400
      days -= 1
    }
    weekday = ((days + 4) % 7 + 7) % 7
    // Years are counted from March here, so that the leap day comes last.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let marchDay = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * marchDay + 2) / 153
    day = marchDay - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    dayOfYear = days - CalendarDate.days(year: year, month: 1, day: 1)
  }

  /// Days from 1970-01-01 to this one.
  static func days(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let marchDay = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + marchDay - 719_468
  }

  static func daysIn(month: Int, year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// Timestamps and durations as text: `2009-02-13T23:31:30.5Z`, `1h30m`.
enum CalendarText {
  static func write(_ time: Timestamp) -> String {
    let date = CalendarDate(seconds: time.seconds)
    let clock = date.secondOfDay
    return padded(date.year, 4) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2) + "T"
      + padded(clock / 3600, 2) + ":" + padded(clock / 60 % 60, 2) + ":" + padded(clock % 60, 2)
      + Spelling.fraction(Int(time.nanoseconds)) + "Z"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Reads `year-month-dayThour:minute:second`, a fraction if there is one, and `Z` or an offset.
  static func readTimestamp(_ text: String) throws(CELFault) -> Timestamp {
    var reader = DigitReader(Array(text.utf8))
    guard let year = reader.number(atLeast: 4), reader.take("-"), let month = reader.number(2),
      reader.take("-"), let day = reader.number(2), reader.take("T") || reader.take("t"),
      let hour = reader.number(2), reader.take(":"), let minute = reader.number(2),
      reader.take(":"), let second = reader.number(2)
    else { throw .noTimestamp(text) }
    let nanoseconds = reader.take(".") ? reader.fraction() : 0
    guard let nanoseconds, let offset = offset(&reader), reader.isAtEnd else {
      throw .noTimestamp(text)
    }
    guard (1...12).contains(month),
      (1...CalendarDate.daysIn(month: month, year: year)).contains(day),
      hour < 24, minute < 60, second < 60
    else { throw .noTimestamp(text) }
    guard year <= 9999 else { throw .timestampRange }
    let days = CalendarDate.days(year: year, month: month, day: day)
    return try TimeMath.timestamp(
      seconds: days * 86_400 + hour * 3600 + minute * 60 + second - offset,
      nanoseconds: nanoseconds)
  }

  /// `Z`, `+01:00`: seconds east of Greenwich.
  private static func offset(_ reader: inout DigitReader) -> Int? {
    if reader.take("Z") || reader.take("z") { return 0 }
    let negative = reader.take("-")
    guard negative || reader.take("+"), let hours = reader.number(2), reader.take(":"),
      let minutes = reader.number(2), hours < 24, minutes < 60
    else { return nil }
    return (negative ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  /// Reads `1h30m`, `1.5s`, `-200ms`, `7d`.
  static func readDuration(_ text: String) throws(CELFault) -> TimeSpan {
    var reader = DigitReader(Array(text.utf8))
    let negative = reader.take("-")
    if !negative { _ = reader.take("+") }
    if reader.rest == [UInt8(ascii: "0")] { return TimeSpan(seconds: 0) }
    var total = TimeSpan(seconds: 0)
    repeat {
      guard let part = durationPart(&reader, text) else { throw .noDuration(text) }
      total = try TimeMath.sum(total, part.get())
    } while !reader.isAtEnd
    return negative ? TimeMath.negated(total) : total
  }

  private static func durationPart(
    _ reader: inout DigitReader, _ text: String
  ) -> Result<TimeSpan, CELFault>? {
    let whole = reader.number(atLeast: 1)
    let fraction = reader.take(".") ? reader.fraction() : nil
    guard whole != nil || fraction != nil, let unit = unit(&reader) else { return nil }
    // Nanoseconds of the fraction of a unit; exact for all units but fractions of the smallest.
    let part = Int((Int128(fraction ?? 0) * Int128(unit)) / 1_000_000_000)
    let (nanoseconds, overflow) = (whole ?? 0).multipliedReportingOverflow(by: unit)
    if overflow {
      let (seconds, over) = (whole ?? 0).multipliedReportingOverflow(by: unit / 1_000_000_000)
      return Result { () throws(CELFault) in
        try TimeMath.span(seconds: (seconds, over), nanoseconds: part)
      }
    }
    return Result { () throws(CELFault) in
      try TimeMath.span(
        seconds: (nanoseconds / 1_000_000_000, false),
        nanoseconds: nanoseconds % 1_000_000_000 + part)
    }
  }

  /// Nanoseconds of the unit named next.
  private static func unit(_ reader: inout DigitReader) -> Int? {
    if reader.take("ns") { return 1 }
    if reader.take("us") || reader.take("µs") || reader.take("μs") { return 1000 }
    if reader.take("ms") { return 1_000_000 }
    if reader.take("s") { return 1_000_000_000 }
    if reader.take("m") { return 60_000_000_000 }
    if reader.take("h") { return 3_600_000_000_000 }
    if reader.take("d") { return 86_400_000_000_000 }
    return nil
  }
}

/// Takes numbers and fixed words off the front of a text.
struct DigitReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  var rest: ArraySlice<UInt8> { bytes[position...] }

  mutating func take(_ word: String) -> Bool {
    guard bytes[position...].starts(with: word.utf8) else { return false }
    position += word.utf8.count
    return true
  }

  /// A number of exactly so many digits.
  mutating func number(_ width: Int) -> Int? {
    guard bytes.count - position >= width, bytes[position..<position + width].allSatisfy(isDigit)
    else { return nil }
    defer { position += width }
    return Int(String(decoding: bytes[position..<position + width], as: UTF8.self))
  }

  /// A number of at least so many digits.
  mutating func number(atLeast width: Int) -> Int? {
    let length = bytes[position...].prefix(while: isDigit).count
    return length >= width ? number(length) : nil
  }

  /// The digits of a fraction as billionths; what is smaller is dropped.
  mutating func fraction() -> Int? {
    let digits = bytes[position...].prefix(while: isDigit)
    guard !digits.isEmpty else { return nil }
    position += digits.count
    var number = 0
    for place in 0..<9 {
      let digit = place < digits.count ? digits[digits.startIndex + place] : UInt8(ascii: "0")
      number = number * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return number
  }
}

extension CELFault {
  static func noTimestamp(_ text: String) -> CELFault {
    CELFault(
      "\(Spelling.of(.string(text))) is no timestamp: one is written 2009-02-13T23:31:30Z")
  }

  static func noDuration(_ text: String) -> CELFault {
    CELFault("\(Spelling.of(.string(text))) is no duration: one is written 1h30m, 2s or 300ms")
  }
}
