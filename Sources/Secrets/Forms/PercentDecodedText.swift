/// How many times a text may be percent-encoded: a URL in a URL in a URL.
let mostPercentDecodings = 2

/// A text without its percent codes, in which each byte knows where it stood.
///
/// A program may encode any letter, with digits of either case. So the forms of a secret are not
/// enough: the text must be read as its receiver does.
struct PercentDecodedText {
  private(set) var bytes: [UInt8] = []
  /// Where each byte begins in the encoded text, and behind them its length.
  private var starts: [Int] = []

  /// Decodes a text; nil if there is nothing to decode.
  ///
  /// - Parameter plusIsSpace: True to read `+` as a blank, as forms do. Nil if there is no `+`.
  init?(_ text: [UInt8], plusIsSpace: Bool) {
    if plusIsSpace, !text.contains(UInt8(ascii: "+")) { return nil }
    bytes.reserveCapacity(text.count)
    starts.reserveCapacity(text.count + 1)
    var position = 0
    while position < text.count {
      let code = text[position] == UInt8(ascii: "%") ? code(in: text, at: position) : nil
      let isBlank = plusIsSpace && text[position] == UInt8(ascii: "+")
      bytes.append(code ?? (isBlank ? UInt8(ascii: " ") : text[position]))
      starts.append(position)
      position += code == nil ? 1 : 3
    }
    if bytes.count == text.count, !plusIsSpace { return nil }
    starts.append(text.count)
  }

  /// Returns where a part of the decoded text stands in the encoded one.
  func place(of range: Range<Int>) -> Range<Int> {
    starts[range.lowerBound]..<starts[range.upperBound]
  }
}

/// Returns the byte that a percent code at a position stands for; nil if there is no code.
private func code(in text: [UInt8], at position: Int) -> UInt8? {
  guard position + 2 < text.count, let high = digit(text[position + 1]),
    let low = digit(text[position + 2])
  else { return nil }
  return high << 4 | low
}

private func digit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
