import TextSearch

extension JSONReader {
  /// Reads text whose opening quote is at the current position.
  mutating func string() throws(JSONProblem) -> String {
    position += 1
    let start = position
    skipPlainText()
    if peek == UInt8(ascii: "\"") {
      defer { position += 1 }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }
    return try stringWithEscapes(from: start)
  }

  @inline(__always)
  private mutating func skipPlainText() {
    while position < bytes.count {
      let byte = bytes[position]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return }
      position += 1
    }
  }

  private mutating func stringWithEscapes(from start: Int) throws(JSONProblem) -> String {
    var text = Array(bytes[start..<position])
    while true {
      switch peek {
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        try escape(into: &text)
      default:
        throw problem(.controlCharacter)
      }
      let run = position
      skipPlainText()
      text.append(contentsOf: bytes[run..<position])
    }
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONProblem) {
    let start = position
    position += 1
    let kind = peek
    switch kind {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(kind)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      text.append(contentsOf: UTF8.encode(try escapedScalar(from: start)) ?? .init())
      return
    default: throw problem(.invalidEscape, at: position < bytes.count ? start : position)
    }
    position += 1
  }

  /// Reads `uXXXX`, and a second one if the first is the upper half of a pair.
  private mutating func escapedScalar(from start: Int) throws(JSONProblem) -> Unicode.Scalar {
    let first = try hexadecimalDigits(from: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, peek == UInt8(ascii: "\\") else {
      throw problem(.loneSurrogate, at: start)
    }
    position += 1
    guard peek == UInt8(ascii: "u") else { throw problem(.loneSurrogate, at: start) }
    let second = try hexadecimalDigits(from: start)
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    else { throw problem(.loneSurrogate, at: start) }
    return scalar
  }

  private mutating func hexadecimalDigits(from start: Int) throws(JSONProblem) -> UInt32 {
    position += 1
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = hexadecimalDigit(peek) else {
        throw problem(.invalidEscape, at: position < bytes.count ? start : position)
      }
      code = code << 4 | digit
      position += 1
    }
    return code
  }
}

func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
  case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
  case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
  default: nil
  }
}

extension JSONReader {
  mutating func number() throws(JSONProblem) -> Value {
    let start = position
    let isNegative = peek == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let digits = position
    guard skipDigits() > 0 else { throw problem(.invalidNumber) }
    if bytes[digits] == UInt8(ascii: "0"), position - digits > 1 {
      throw problem(.invalidNumber, at: digits)
    }
    let wholeEnd = position
    try fractionAndExponent()
    guard position == wholeEnd else { return .double(try double(start)) }
    return wholeNumber(digits..<wholeEnd, isNegative: isNegative)
      ?? .digits(String(decoding: bytes[start..<wholeEnd], as: UTF8.self))
  }

  private mutating func fractionAndExponent() throws(JSONProblem) {
    if peek == UInt8(ascii: ".") {
      position += 1
      guard skipDigits() > 0 else { throw problem(.invalidNumber) }
    }
    guard peek | 0x20 == UInt8(ascii: "e") else { return }
    position += 1
    if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
    guard skipDigits() > 0 else { throw problem(.invalidNumber) }
  }

  private mutating func skipDigits() -> Int {
    let start = position
    while peek &- UInt8(ascii: "0") < 10 { position += 1 }
    return position - start
  }

  /// Returns the digits as an integer; nil if they exceed 64 bits.
  private func wholeNumber(_ digits: Range<Int>, isNegative: Bool) -> Value? {
    var total: UInt = 0
    for index in digits {
      let (shifted, overflow) = total.multipliedReportingOverflow(by: 10)
      let (sum, carry) = shifted.addingReportingOverflow(UInt(bytes[index] - UInt8(ascii: "0")))
      if overflow || carry { return nil }
      total = sum
    }
    if let small = Int(exactly: total) { return .int(isNegative ? -small : small) }
    if !isNegative { return .uint(total) }
    return total == Int.min.magnitude ? .int(.min) : nil
  }

  private func double(_ start: Int) throws(JSONProblem) -> Double {
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let value = Double(text) else { throw problem(.invalidNumber, at: start) }
    guard value.isFinite else { throw JSONProblem(kind: .numberTooLarge, offset: start) }
    return value
  }
}
