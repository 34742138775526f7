import Glibc
import Values

/// Values as text: in messages, by `string(x)` and by `%s`.
enum Spelling {
  private static let longestShown = 40

  /// Returns a key or a small value as an expression writes it.
  static func of(_ value: Value) -> String {
    switch value {
    case .string(let text):
      text.utf8.count <= longestShown ? "'\(text)'" : "'\(text.prefix(longestShown))…'"
    case .int(let number): String(number)
    case .uint(let number): "\(number)u"
    case .double(let number): double(number)
    case .bool(let truth): truth ? "true" : "false"
    case .null: "null"
    case .bytes, .list, .map, .timestamp, .duration, .type, .optional: value.article
    }
  }

  /// Returns the shortest digits that give the number back. A whole number has no fraction; very
  /// large and very small ones have an exponent.
  static func double(_ number: Double) -> String {
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
    let (digits, point) = decimal(number.magnitude)
    let sign = number.sign == .minus ? "-" : ""
    if point > 21 || point < -3 { return sign + exponential(digits, point - 1) }
    if point <= 0 {
      return sign + "0." + String(repeating: "0", count: -point) + digits
    }
    if digits.count <= point {
      return sign + digits + String(repeating: "0", count: point - digits.count)
    }
    return sign + digits.prefix(point) + "." + digits.dropFirst(point)
  }

  private static func exponential(_ digits: String, _ exponent: Int) -> String {
    let fraction = digits.count > 1 ? "." + digits.dropFirst() : ""
    let size = abs(exponent) < 10 ? "0\(abs(exponent))" : "\(abs(exponent))"
    return digits.prefix(1) + fraction + (exponent < 0 ? "e-" : "e+") + size
  }

  /// Returns the significant digits, without zeros at either end, and the position of the decimal
  /// point.
  private static func decimal(_ number: Double) -> (digits: String, point: Int) {
    if number == 0 { return ("0", 1) }
    let parts = number.description.split(separator: "e")
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let halves = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let whole = String(halves[0])
    let fraction = halves.count > 1 && halves[1] != "0" ? String(halves[1]) : ""
    let all = whole + fraction
    let leading = all.prefix { $0 == "0" }.count
    var digits = String(all.dropFirst(leading))
    while digits.count > 1, digits.hasSuffix("0") { digits.removeLast() }
    return (digits, whole.count - leading + exponent)
  }
}
