import Diagnostics
import Values

/// The bytes of a file as the parser may read them, and the problems of single bytes.
///
/// Bytes that YAML does not allow are reported and replaced one for one. So the rest of the file is
/// still read, and every place stays correct.
struct SourceCheck {
  private(set) var bytes: [UInt8]
  private(set) var diagnostics: [Diagnostic] = []
  /// True if each character is one byte.
  private(set) var isASCII = true
  private let file: Int32
  private var named = 0

  init(_ bytes: [UInt8], file: Int32) {
    self.bytes = bytes
    self.file = file
    var position = bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
    // Text in another encoding has unusual bytes from the beginning.
    guard let first = firstUnusual(from: position), !refusesEncoding() else { return }
    position = first
    while let unusual = firstUnusual(from: position) {
      position = unusual + check(unusual)
    }
  }

  /// Reports a file that is not UTF-8 text, once, and replaces its bytes by spaces.
  private mutating func refusesEncoding() -> Bool {
    let beginning = bytes[..<min(bytes.count, YAMLLimit.bytesOfEncoding)]
    let isMarked =
      beginning.count > 1 && (beginning[0] == 0xFF && beginning[1] == 0xFE)
      || beginning.count > 1 && (beginning[0] == 0xFE && beginning[1] == 0xFF)
    guard isMarked || beginning.withUnsafeBufferPointer({ $0.contains(0) }) else { return false }
    // Every other byte of English text in UTF-16 is zero.
    let zeros = beginning.filter { $0 == 0 }.count
    let isUTF16 = isMarked || (zeros * 5 > beginning.count * 2 && zeros * 5 < beginning.count * 3)
    diagnostics = [.otherEncoding(isUTF16 ? "UTF-16" : nil, range(0, 1))]
    bytes = [UInt8](repeating: UInt8(ascii: " "), count: bytes.count)
    return true
  }

  private func firstUnusual(from start: Int) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      var position = start
      while position < bytes.count {
        if bytes.count - position >= 8, isVisible(UnsafeRawBufferPointer(bytes), at: position) {
          position += 8
          continue
        }
        if isUnusual(bytes[position]) { return position }
        position += 1
      }
      return nil
    }
  }

  /// Checks the character that begins here and returns how many bytes it has.
  private mutating func check(_ position: Int) -> Int {
    if bytes[position] >= 0x80 { isASCII = false }
    let length = bytes.withUnsafeBufferPointer { bytes in
      bytes[position] < 0x80 ? 1 : utf8SequenceLength(bytes, at: position)
    }
    if length == 0 {
      name(.invalidUTF8(range(position, 1)), replacing: position..<position + 1)
      return 1
    }
    let scalar =
      String(decoding: bytes[position..<position + length], as: UTF8.self)
      .unicodeScalars.first?.value ?? 0
    switch scalar {
    case 0x0D:
      let isPair = position + 1 < bytes.count && bytes[position + 1] == 0x0A
      if !isPair { name(.unusualLineBreak(range(position, 1), scalar)) }
    case 0xA0:
      if isIndentation(position) {
        name(.noBreakSpace(range(position, length)), replacing: position..<position + length)
      }
    case 0x85, 0x2028, 0x2029:
      name(.unusualLineBreak(range(position, length), scalar))
    case 0..<0x20, 0x7F..<0xA0, 0xFEFF, 0xFFFE, 0xFFFF:
      name(
        .controlCharacter(range(position, length), scalar), replacing: position..<position + length)
    default: break
    }
    return length
  }

  /// Returns whether only blanks stand before this place in its line.
  private func isIndentation(_ position: Int) -> Bool {
    var before = position - 1
    while before >= 0, bytes[before] == UInt8(ascii: " ") || bytes[before] == UInt8(ascii: "\t") {
      before -= 1
    }
    return before < 0 || bytes[before] == 0x0A || bytes[before] == 0x0D
  }

  private mutating func name(_ diagnostic: Diagnostic, replacing range: Range<Int>? = nil) {
    for position in range ?? 0..<0 { bytes[position] = UInt8(ascii: " ") }
    named += 1
    if named <= YAMLLimit.namedBytes { diagnostics.append(diagnostic) }
  }

  private func range(_ start: Int, _ length: Int) -> SourceRange {
    SourceRange(file: file, start: Int32(start), end: Int32(start + length))
  }
}

package let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

/// Returns whether eight bytes are visible characters of ASCII, blanks or line feeds. It reads them
/// as one number, in which the highest bit of each byte shows what it is.
private func isVisible(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Bool {
  let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
  let low = ~((word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x6060_6060_6060_6060)
  let high = (word &+ 0x0101_0101_0101_0101) | word
  let other = word ^ 0x0A0A_0A0A_0A0A_0A0A
  let isOther = ((other & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F) | other
  return (low | high) & isOther & 0x8080_8080_8080_8080 == 0
}

/// Returns whether a byte is anything but a visible character of ASCII, a blank or a line feed.
private func isUnusual(_ byte: UInt8) -> Bool {
  byte &- 0x20 >= 0x5F && byte != 0x0A && byte != 0x09
}
