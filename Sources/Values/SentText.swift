import TextSearch

extension Value {
  /// The text that is sent for the value, as `string()` writes it; nil for null, which is left
  /// out.
  package var sentText: String? {
    switch self {
    case .null: nil
    case .double(let number): number.shortText
    case .optional(let inner): inner?.sentText
    case .string, .bool, .int, .uint, .digits, .bytes, .list, .map, .timestamp, .duration, .type:
      plainText
    }
  }

  /// Returns the text that a number or a truth value is written as, if the value itself would be
  /// written in another way.
  package func spelling(in text: String) -> String? {
    switch self {
    case .int, .uint, .double, .digits, .bool: plainText == text ? nil : text
    case .null, .string, .bytes, .list, .map, .timestamp, .duration, .type, .optional: nil
    }
  }
}

extension Double {
  /// The shortest digits that give the number back. A whole number has no fraction; very
  /// large and very small ones have an exponent.
  package var shortText: String {
    if isNaN { return "NaN" }
    if isInfinite { return self < 0 ? "-Infinity" : "Infinity" }
    let (digits, point) = Self.decimal(magnitude)
    let minus = self.sign == .minus ? "-" : ""
    if point > 21 || point < -3 { return minus + Self.exponential(digits, point - 1) }
    if point <= 0 {
      return minus + "0." + String(repeating: "0", count: -point) + digits
    }
    if digits.count <= point {
      return minus + digits + String(repeating: "0", count: point - digits.count)
    }
    return minus + digits.prefix(point) + "." + digits.dropFirst(point)
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
