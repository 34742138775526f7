import Values

/// A number as a whole number times a power of ten, exactly as it was written.
struct DecimalNumber: Sendable, Equatable {
  var digits: UInt
  var exponent: Int

  /// Makes the magnitude of a number; nil if the value is not a number.
  init?(_ value: Value) {
    switch value {
    case .int(let number): self.init(digits: number.magnitude, exponent: 0)
    case .uint(let number): self.init(digits: number, exponent: 0)
    // The shortest text that reads back equal is the written one, up to 17 digits.
    case .double(let number) where number.isFinite: self.init(number.magnitude.description)
    case .digits(let text): self.init((Double(text) ?? 0).magnitude.description)
    default: return nil
    }
  }

  private init(digits: UInt, exponent: Int) {
    self.digits = digits
    self.exponent = exponent
    while self.digits != 0, self.digits % 10 == 0 {
      self.digits /= 10
      self.exponent += 1
    }
  }

  private init(_ text: String) {
    var digits: UInt = 0
    var exponent = 0
    var isFraction = false
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "e"):
        exponent += Int(String(Substring(rest))) ?? 0
        rest = rest[rest.endIndex...]
      default:
        // A double has at most 17 digits and a zero after the point.
        digits = digits &* 10 &+ UInt(byte &- UInt8(ascii: "0"))
        if isFraction { exponent -= 1 }
      }
    }
    self.init(digits: digits, exponent: exponent)
  }

  /// Returns whether this is a whole multiple of another number. The other is not zero.
  func isMultiple(of other: DecimalNumber) -> Bool {
    if digits == 0 { return true }
    var distance = exponent - other.exponent
    if distance >= 0 {
      return remainder(timesTenToThe: distance, by: other.digits) == 0
    }
    var divisor = other.digits
    while distance < 0 {
      let (larger, overflow) = divisor.multipliedReportingOverflow(by: 10)
      if overflow { return false }
      divisor = larger
      distance += 1
    }
    return digits % divisor == 0
  }

  private func remainder(timesTenToThe power: Int, by divisor: UInt) -> UInt {
    var remainder = digits % divisor
    let ten = 10 % divisor
    for _ in 0..<power where remainder != 0 {
      let product = remainder.multipliedFullWidth(by: ten)
      remainder = divisor.dividingFullWidth(product).remainder
    }
    return remainder
  }
}
