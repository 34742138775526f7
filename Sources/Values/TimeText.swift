import TextSearch

/// The reason why a text is not a duration of scenarios.
public enum DurationProblem: Error, Sendable, Equatable {
  case empty
  /// A number without a unit.
  case bareNumber
  case expectedNumber
  case unknownUnit(String)
  /// A duration finer than a microsecond, or longer than the scenario's clock can count.
  case outOfRange
}

/// The units of scenario durations with their lengths in microseconds, the longest first.
///
/// The spelling has the bytes of the name in one number.
private let scenarioUnits: [(name: String, spelling: Int, length: Int64)] = [
  ("d", 0x64, 86_400_000_000), ("h", 0x68, 3_600_000_000), ("m", 0x6D, 60_000_000),
  ("s", 0x73, 1_000_000), ("ms", 0x6D73, 1000), ("us", 0x7573, 1),
]

/// Reads a duration as scenarios write it: `300ms`, `2s`, `1m30s`, `7d`, `1.5s`.
public func parseDuration(_ text: String) -> Result<Microseconds, DurationProblem> {
  if let duration = wholeDuration(text) { return .success(duration) }
  guard !text.isEmpty else { return .failure(.empty) }
  var reader = AmountReader(text)
  var total: Microseconds = 0
  while !reader.isAtEnd {
    guard let amount = reader.amount() else { return .failure(.expectedNumber) }
    guard let unit = scenarioUnits.first(where: { $0.name == amount.unit }) else {
      return .failure(amount.unit.isEmpty ? .bareNumber : .unknownUnit(amount.unit))
    }
    guard let length = amount.exactMultiple(of: Int128(unit.length)),
      let small = Microseconds(exactly: length)
    else { return .failure(.outOfRange) }
    let (sum, overflow) = total.addingReportingOverflow(small)
    if overflow { return .failure(.outOfRange) }
    total = sum
  }
  return .success(total)
}

/// Reads a duration of one whole number and its unit, as nearly all are; nil for any other text.
private func wholeDuration(_ text: String) -> Microseconds? {
  var number: Int64 = 0
  var digits = 0
  var unit = 0
  var letters = 0
  for byte in text.utf8 {
    let digit = byte &- UInt8(ascii: "0")
    if digit < 10, letters == 0, digits < 15 {
      number = number * 10 + Int64(digit)
      digits += 1
    } else if digit >= 10, letters < 2 {
      unit = unit << 8 | Int(byte)
      letters += 1
    } else {
      return nil
    }
  }
  let known = scenarioUnits.first { $0.spelling == unit }
  guard digits > 0, let known else { return nil }
  let (length, overflow) = number.multipliedReportingOverflow(by: known.length)
  return overflow ? nil : length
}

/// Returns a duration as scenarios write it, in the fewest units: `0ms`, `1.5s`, `1m30s`, `7d`.
public func durationText(_ duration: Microseconds) -> String {
  let sign = duration < 0 ? "-" : ""
  let length = duration.magnitude
  if length == 0 { return "0ms" }
  if length < 1000 { return "\(sign)\(length)us" }
  if length < 1_000_000 { return sign + decimalText(length, perUnit: 1000) + "ms" }
  var text = sign
  var rest = length
  for unit in scenarioUnits.prefix(3) where rest >= unit.length.magnitude {
    text += "\(rest / unit.length.magnitude)\(unit.name)"
    rest %= unit.length.magnitude
  }
  return rest == 0 ? text : text + decimalText(rest, perUnit: 1_000_000) + "s"
}

/// Returns an amount in decimal: `1500` per 1000 is `1.5`. `perUnit` is a power of ten.
func decimalText(_ amount: UInt64, perUnit: UInt64) -> String {
  var digits = String(perUnit + amount % perUnit).dropFirst()
  while digits.last == "0" { digits.removeLast() }
  return String(amount / perUnit) + (digits.isEmpty ? "" : "." + String(digits))
}

extension TimeSpan {
  private static let units: [String: Int128] = [
    "d": 86_400_000_000_000, "h": 3_600_000_000_000, "m": 60_000_000_000, "s": 1_000_000_000,
    "ms": 1_000_000,
    "us": 1000, "µs": 1000, "μs": 1000, "ns": 1,
  ]

  /// The longest duration in either direction, in seconds: ten thousand years.
  public static let largestSeconds = 315_576_000_000

  /// Reads a duration as expressions write it: `1h30m`, `1.5s`, `-2ms`, `7d`, `0`. A duration
  /// that is finer than a nanosecond is refused, since its rest would be lost.
  public init?(text: String) {
    let isNegative = text.first == "-"
    let body = isNegative || text.first == "+" ? String(text.dropFirst()) : text
    guard !body.isEmpty else { return nil }
    var reader = AmountReader(body)
    var total: Int128 = 0
    while !reader.isAtEnd {
      guard let amount = reader.amount() else { return nil }
      if amount.unit.isEmpty, body == "0" { break }
      guard let unit = TimeSpan.units[amount.unit], let length = amount.exactMultiple(of: unit)
      else { return nil }
      let (sum, overflow) = total.addingReportingOverflow(length)
      if overflow { return nil }
      total = sum
    }
    self.init(totalNanoseconds: isNegative ? -total : total)
  }

  /// Makes a duration of this many nanoseconds; nil beyond ten thousand years.
  public init?(totalNanoseconds: Int128) {
    let (seconds, nanoseconds) = totalNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    guard seconds.magnitude <= TimeSpan.largestSeconds.magnitude else { return nil }
    self.init(seconds: Int(seconds), nanoseconds: Int32(nanoseconds))
  }

  public var totalNanoseconds: Int128 {
    Int128(seconds) * 1_000_000_000 + Int128(nanoseconds)
  }

  /// This duration as expressions write it, in seconds: `5400s`, `1.5s`, `-0.002s`.
  public var text: String {
    let total = totalNanoseconds
    var digits = String(1_000_000_000 + total.magnitude % 1_000_000_000).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    let fraction = digits.isEmpty ? "" : "." + digits
    return "\(total < 0 ? "-" : "")\(total.magnitude / 1_000_000_000)\(fraction)s"
  }
}

/// A number with its unit, as in `1.5s`: digits over a power of ten.
private struct Amount {
  var digits: Int128
  var scale: Int128
  var unit: String

  func exactMultiple(of length: Int128) -> Int128? {
    digits * length % scale == 0 ? digits * length / scale : nil
  }
}

/// A reader that takes amounts from the front of a text.
private struct AmountReader {
  /// The most digits that a duration needs; their product with a unit fits 128 bits.
  private static let mostDigits = 24
  private var rest: Substring.UnicodeScalarView

  init(_ text: String) { rest = text[...].unicodeScalars }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func amount() -> Amount? {
    let whole = digits()
    var fraction = Substring.UnicodeScalarView()
    if rest.first == "." {
      rest.removeFirst()
      fraction = digits()
    }
    let count = whole.count + fraction.count
    guard count > 0, count <= AmountReader.mostDigits,
      let number = Int128(String(whole) + String(fraction))
    else { return nil }
    let scale = fraction.reduce(Int128(1)) { scale, _ in scale * 10 }
    return Amount(digits: number, scale: scale, unit: unit())
  }

  private mutating func digits() -> Substring.UnicodeScalarView {
    take { ("0"..."9").contains($0) }
  }

  private mutating func unit() -> String {
    String(take { !("0"..."9").contains($0) && $0 != "." })
  }

  private mutating func take(
    while fits: (Unicode.Scalar) -> Bool
  ) -> Substring.UnicodeScalarView {
    let taken = rest.prefix(while: fits)
    rest = rest.dropFirst(taken.count)
    return taken
  }
}
