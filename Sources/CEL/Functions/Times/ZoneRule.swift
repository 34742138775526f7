import Values

/// The rule of a zone after its recorded history: `EST5EDT,M3.2.0,M11.1.0`.
struct ZoneRule {
  private let standard: Int
  private var summer: (offset: Int, start: Change, end: Change)?

  /// A change of the clocks, in the local time before the change.
  private enum Change {
    /// The nth given weekday of a month; 5 is the last.
    case weekday(month: Int, week: Int, day: Int, time: Int)
    /// A day of the year from 0, or from 1 without the leap day.
    case day(Int, skipsLeapDay: Bool, time: Int)
  }

  init?(_ text: String) {
    var reader = RuleReader(text)
    guard reader.name(), let west = reader.time() else { return nil }
    standard = -west
    guard !reader.isAtEnd else { return }
    guard reader.name() else { return nil }
    let summerOffset = reader.next == UInt8(ascii: ",") ? standard + 3600 : -(reader.time() ?? 0)
    guard let start = ZoneRule.change(&reader), let end = ZoneRule.change(&reader) else {
      return nil
    }
    summer = (summerOffset, start, end)
  }

  func offset(at seconds: Int) -> Int {
    guard let summer else { return standard }
    let year = LocalTime(seconds: seconds &+ standard).date.year
    let start = ZoneRule.moment(summer.start, year) - standard
    let end = ZoneRule.moment(summer.end, year) - summer.offset
    let isSummer =
      start < end ? start <= seconds && seconds < end : !(end <= seconds && seconds < start)
    return isSummer ? summer.offset : standard
  }

  private static func change(_ reader: inout RuleReader) -> Change? {
    guard reader.take(",") else { return nil }
    if reader.take("M") {
      guard let month = reader.number(), reader.take("."), let week = reader.number(),
        reader.take("."), let day = reader.number(), (1...12).contains(month),
        (1...5).contains(week)
      else { return nil }
      return .weekday(month: month, week: week, day: day % 7, time: reader.timeAfterSlash())
    }
    let skipsLeapDay = reader.take("J")
    guard let day = reader.number() else { return nil }
    return .day(day, skipsLeapDay: skipsLeapDay, time: reader.timeAfterSlash())
  }

  /// Returns the seconds since 1970 in local time.
  private static func moment(_ change: Change, _ year: Int) -> Int {
    switch change {
    case .weekday(let month, let week, let day, let time):
      let first = CivilDate(year: year, month: month, day: 1)
      var date = CivilDate(year: year, month: month, day: 1 + (day - first.weekday + 7) % 7)
      date.day += 7 * (week - 1)
      while !date.isValid, date.day > 7 { date.day -= 7 }
      return date.daysSince1970 * 86_400 + time
    case .day(let day, let skipsLeapDay, let time):
      let leap = CivilDate(year: year, month: 2, day: 29).isValid
      let offset = skipsLeapDay ? day - 1 + (leap && day >= 60 ? 1 : 0) : day
      return (CivilDate(year: year, month: 1, day: 1).daysSince1970 + offset) * 86_400 + time
    }
  }
}

/// A reader that takes the parts of a zone's rule from the front of its text.
private struct RuleReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  var isAtEnd: Bool { position >= bytes.count }
  var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

  mutating func take(_ letter: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: letter) else { return false }
    position += 1
    return true
  }

  /// Reads `EST` or `<+0330>`.
  mutating func name() -> Bool {
    let start = position
    if take("<") {
      while !isAtEnd, next != UInt8(ascii: ">") { position += 1 }
      return take(">")
    }
    while isNameStart(next) { position += 1 }
    return position > start
  }

  mutating func number() -> Int? {
    var value: Int?
    while isDigit(next), (value ?? 0) < 100_000 {
      value = (value ?? 0) * 10 + Int(next - UInt8(ascii: "0"))
      position += 1
    }
    return value
  }

  /// Reads `5`, `-3:30` or `2:00:00`, in seconds.
  mutating func time() -> Int? {
    let negative = take("-")
    if !negative { _ = take("+") }
    guard let hours = number() else { return nil }
    let minutes = take(":") ? number() ?? 0 : 0
    let seconds = take(":") ? number() ?? 0 : 0
    return (negative ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds)
  }

  /// Reads the time of a change; two o'clock if none is given.
  mutating func timeAfterSlash() -> Int { take("/") ? time() ?? 7200 : 7200 }
}
