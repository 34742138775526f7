/// A source of texts that are nearly scenarios. The same seed gives the same texts.
struct ScenarioMutation {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  /// Values at and beyond the limits of the language.
  private static let hostile = [
    "9223372036854775807", "-9223372036854775808", "18446744073709551616", "1e400", ".nan", "-.inf",
    "0x7fffffffffffffff", "-1", "0", "2147483648", "${", "${}", "${1/0}", "${count}", "}", "-1ms",
    "999999999d", "106751991d", "1ms", "0ms", "9223372036854775807ms", "forever", "null", "~", "''",
    "\"\\u0000\"", "\"line\\nbreak\"", "[]", "{}", "[[]]", "[[[[[[[[[[[[]]]]]]]]]]]]",
    "{ $any: true }",
    "{ $not: { $as: x } }", "{ $regex: '(' }", "{ $where: value.x.y }", "&a [*a]", "*b", "!!int x",
    "<<", "value", "payload", "true", "1.7976931348623157e308", "é\u{301}👩‍👩‍👧",
    "2024-01-01T00:00:00Z",
    "${now() + duration('9999999h')}", "${[1,2,3].map(x, [1,2,3].map(y, x*y))}", "${'a'.repeat(9)}",
    "${9223372036854775807 + 1}", "${-9223372036854775808 / -1}", "${dyn(1) == dyn('a')}",
    "- wait: forever", "- parallel: [[], []]", "- repeat: 3", "---", "\t", "#", "|", ">", "%", "@",
  ]

  mutating func random(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(truncatingIfNeeded: (state >> 33) % UInt64(max(1, bound)))
  }

  /// Returns the text with a few mistakes.
  mutating func next(_ text: [UInt8]) -> [UInt8] {
    var text = text
    for _ in 0...random(3) {
      if random(4) == 0 { changeBytes(&text) } else { changeLines(&text) }
    }
    return text
  }

  private mutating func changeBytes(_ text: inout [UInt8]) {
    guard !text.isEmpty else { return }
    let at = random(text.count)
    let end = min(text.count, at + random(12))
    switch random(4) {
    case 0: text.removeSubrange(at..<end)
    case 1: text.insert(contentsOf: text[at..<end], at: random(text.count))
    case 2: text[at] = UInt8(truncatingIfNeeded: random(256))
    default: text.insert(contentsOf: pick().utf8, at: at)
    }
  }

  private mutating func pick() -> String { Self.hostile[random(Self.hostile.count)] }

  private mutating func changeLines(_ text: inout [UInt8]) {
    var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map(Array.init)
    let at = random(lines.count)
    let other = random(lines.count)
    switch random(8) {
    case 0: lines.remove(at: at)
    case 1: lines.insert(lines[at], at: other)
    case 2: lines.swapAt(at, other)
    case 3: lines[at] = Array(repeating: 32, count: 1 + random(4)) + lines[at]
    case 4: lines[at].removeFirst(min(lines[at].count, 1 + random(4)))
    default: replaceScalar(in: &lines[at])
    }
    text = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }

  /// Replaces a word or a number by something else.
  private mutating func replaceScalar(in line: inout [UInt8]) {
    let isWord = { (byte: UInt8) in
      byte >= 0x80 || (48...57).contains(byte) || (65...90).contains(byte & 0xDF) || byte == 46
    }
    let begins = line.indices.filter { isWord(line[$0]) && ($0 == 0 || !isWord(line[$0 - 1])) }
    guard !begins.isEmpty else { return }
    let start = begins[random(begins.count)]
    let end = line[start...].firstIndex { !isWord($0) } ?? line.endIndex
    line.replaceSubrange(start..<end, with: pick().utf8)
  }
}
