import TextSearch

/// A day of the Gregorian calendar, extended to all years.
public struct CivilDate: Sendable, Hashable {
  public var year: Int
  /// The month, from 1 to 12.
  public var month: Int
  /// The day of the month, from 1 to 31.
  public var day: Int

  public init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Makes the day this many days after 1970-01-01.
  ///
  /// Years are counted from March here, so that the leap day is a year's last day.
  public init(daysSince1970 days: Int) {
    let shifted = days + 719_468
    let era = floorDivision(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  public var daysSince1970: Int {
    let marchYear = month <= 2 ? year - 1 : year
    let era = floorDivision(marchYear, 400)
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The day of the week; 0 is Sunday.
  public var weekday: Int {
    let days = daysSince1970 + 4
    return days - floorDivision(days, 7) * 7
  }

  /// The day of the year; 0 is the first of January.
  public var dayOfYear: Int {
    daysSince1970 - CivilDate(year: year, month: 1, day: 1).daysSince1970
  }

  /// True if the month has this day.
  public var isValid: Bool {
    (1...12).contains(month) && day >= 1 && CivilDate(daysSince1970: daysSince1970) == self
  }
}

func floorDivision(_ dividend: Int, _ divisor: Int) -> Int {
  let quotient = dividend / divisor
  return dividend % divisor < 0 ? quotient - 1 : quotient
}

extension Timestamp {
  /// The seconds of 0001-01-01T00:00:00Z and of the end of year 9999. Timestamps between them have
  /// text.
  public static let textualSeconds = -62_135_596_800...253_402_300_799

  /// Reads a point in time as RFC 3339 writes it: `2000-01-31T13:45:00.5+01:00`.
  public init?(text: String) {
    var reader = TimestampReader(text)
    guard let timestamp = reader.timestamp() else { return nil }
    self = timestamp
  }

  /// This point in time as RFC 3339 writes it, in UTC and without needless digits.
  public var text: String {
    let date = CivilDate(daysSince1970: floorDivision(seconds, 86_400))
    let second = seconds - floorDivision(seconds, 86_400) * 86_400
    if nanoseconds == 0, (0...9999).contains(date.year) { return text(of: date, second) }
    let day = "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
    let hour = padded(second / 3600, 2)
    let minute = padded(second / 60 % 60, 2)
    let total = UInt64(second % 60) * 1_000_000_000 + UInt64(max(0, nanoseconds))
    let fraction = decimalText(total, perUnit: 1_000_000_000)
    return "\(day)T\(hour):\(minute):\(second % 60 < 10 ? "0" : "")\(fraction)Z"
  }

  /// Returns the text of a whole second, which most are.
  private func text(of date: CivilDate, _ second: Int) -> String {
    let parts =
      [
        (date.year, 4, "-"), (date.month, 2, "-"), (date.day, 2, "T"), (second / 3600, 2, ":"),
        (second / 60 % 60, 2, ":"), (second % 60, 2, "Z"),
      ] as [(number: Int, width: Int, end: Unicode.Scalar)]
    return String(unsafeUninitializedCapacity: 20) { memory in
      var place = 0
      for part in parts {
        var rest = part.number
        for digit in (place..<(place + part.width)).reversed() {
          memory[digit] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
        memory[place + part.width] = UInt8(ascii: part.end)
        place += part.width + 1
      }
      return place
    }
  }

  /// Returns this point in time plus a duration; nil outside of the years 1 to 9999.
  public func adding(_ span: TimeSpan) -> Timestamp? {
    let total =
      Int128(seconds) * 1_000_000_000 + Int128(nanoseconds) + span.totalNanoseconds
    return Timestamp(totalNanoseconds: total)
  }

  /// Makes the point this many nanoseconds after 1970; nil outside of the years 1 to 9999.
  public init?(totalNanoseconds: Int128) {
    var (seconds, rest) = totalNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    if rest < 0 {
      rest += 1_000_000_000
      seconds -= 1
    }
    guard let whole = Int(exactly: seconds), Timestamp.textualSeconds.contains(whole) else {
      return nil
    }
    self.init(seconds: whole, nanoseconds: Int32(rest))
  }
}

private func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number.magnitude)
  let zeros = String(repeating: "0", count: max(0, width - digits.utf8.count))
  return (number < 0 ? "-" : "") + zeros + digits
}

private struct TimestampReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  mutating func timestamp() -> Timestamp? {
    guard let date = date(), take("Tt") != nil, let second = secondOfDay(),
      let fraction = fraction(), let offset = offset(), rest.isEmpty
    else { return nil }
    let seconds = date.daysSince1970 * 86_400 + second - offset
    guard Timestamp.textualSeconds.contains(seconds) else { return nil }
    return Timestamp(seconds: seconds, nanoseconds: fraction)
  }

  private mutating func date() -> CivilDate? {
    guard let year = number(4), take("-") != nil, let month = number(2), take("-") != nil,
      let day = number(2)
    else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    return date.isValid ? date : nil
  }

  private mutating func secondOfDay() -> Int? {
    guard let hour = number(2), take(":") != nil, let minute = number(2), take(":") != nil,
      let second = number(2), hour < 24, minute < 60, second < 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  private mutating func fraction() -> Int32? {
    guard take(".") != nil else { return 0 }
    var nanoseconds: Int32 = 0
    var unit: Int32 = 100_000_000
    var count = 0
    while let digit = number(1) {
      nanoseconds += Int32(digit) * unit
      unit /= 10
      count += 1
    }
    return count > 0 ? nanoseconds : nil
  }

  private mutating func offset() -> Int? {
    if take("Zz") != nil { return 0 }
    guard let sign = take("+-"), let hour = number(2), take(":") != nil, let minute = number(2),
      hour < 24, minute < 60
    else { return nil }
    let offset = hour * 3600 + minute * 60
    return sign == UInt8(ascii: "-") ? -offset : offset
  }

  private mutating func take(_ choices: String) -> UInt8? {
    guard let first = rest.first, choices.utf8.contains(first) else { return nil }
    rest.removeFirst()
    return first
  }

  private mutating func number(_ digitCount: Int) -> Int? {
    let digits = rest.prefix(digitCount)
    guard digits.count == digitCount, digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else {
      return nil
    }
    rest = rest.dropFirst(digitCount)
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }
}
