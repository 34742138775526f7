import Values

/// The facts of a line of a trace that its index keeps, found without building the line's values.
///
/// A scan is strict: what it does not expect, it leaves to the reader of whole lines, which knows
/// how to complain. So a line that was scanned can be read later without a problem.
struct TraceScan {
  var number: Int?
  var time: Int?
  var cause: Int?
  /// The place of the kind among all kinds; nil for a kind that this version does not know.
  var kind: UInt8? = TraceScan.emitted
  /// The text of the source, which has no escapes.
  var source: Range<Int>?
  /// The text of the place in a scenario, without escapes.
  var at: Range<Int>?
  /// The text of what a step is, without escapes.
  var step: Range<Int>?
  /// The JSON of the value.
  var value: Range<Int>?
  /// True if the line ends a change.
  var isSettled = false
  /// True if the line has neither a text nor a side.
  var isPlain = true
  /// The connection and the side of a line of a conversation.
  var passage = TracePassage(connection: 0, from: nil, isOwn: false)

  static let emitted: UInt8 = 0

  /// Scans a line; nil if it is left to the reader of whole lines.
  init?(_ line: UnsafeBufferPointer<UInt8>) {
    var scanner = TraceScanner(line)
    guard scanner.isWhole(&self), scanner.isUTF8 else { return nil }
  }

  fileprivate init() {}
}

private struct TraceScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var place = 0
  /// True if all bytes of texts so far are ASCII.
  private var isASCII = true
  private var hasEscape = false

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  var isUTF8: Bool { isASCII || firstInvalidUTF8(bytes) == nil }

  /// Scans a whole line, and notes its facts; false if it has anything unexpected.
  mutating func isWhole(_ scan: inout TraceScan) -> Bool {
    scan = TraceScan()
    guard take(UInt8(ascii: "{")) else { return false }
    var seen: UInt32 = 0
    repeat {
      guard let key = text(), take(UInt8(ascii: ":")),
        let member = TraceScanner.member(UnsafeBufferPointer(rebasing: bytes[key]))
      else { return false }
      let bit: UInt32 = 1 << member.bit
      guard seen & bit == 0, value(of: member, &scan) else { return false }
      seen |= bit
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}")) && place == bytes.count
  }

  /// Reads the value of a member. The reader of whole lines complains of a time below 0, and the
  /// time of day needs the start of the trace.
  private mutating func value(of member: TraceMember, _ scan: inout TraceScan) -> Bool {
    switch member {
    case .n:
      scan.number = integer()
      return scan.number != nil
    case .us:
      guard let time = integer(), time >= 0 else { return false }
      scan.time = time
      return true
    case .connection:
      guard let number = integer() else { return false }
      scan.passage.connection = number
      return true
    case .cause:
      scan.cause = integer()
      return scan.cause != nil
    case .seen, .run: return integer() != nil
    case .kind:
      guard let range = text() else { return false }
      scan.kind = TraceScanner.kind(UnsafeBufferPointer(rebasing: bytes[range]))
      return true
    case .source:
      scan.source = text()
      return scan.source != nil
    case .at:
      scan.at = text()
      return scan.at != nil
    case .step:
      scan.step = text()
      return scan.step != nil
    case .hash: return text() != nil
    case .from:
      scan.isPlain = false
      scan.passage.from = side()
      return scan.passage.from != nil
    case .own: return flag(&scan.passage.isOwn)
    case .settled: return flag(&scan.isSettled)
    case .value:
      let start = place
      guard anyValue(depth: 0) else { return false }
      scan.value = start..<place
      return true
    case .text:
      scan.isPlain = false
      return anyValue(depth: 0)
    case .time: return false
    }
  }
}

// JSON without blanks between its tokens, as traces are written.
extension TraceScanner {
  private mutating func flag(_ flag: inout Bool) -> Bool {
    flag = word("true")
    return flag || word("false")
  }

  private mutating func side() -> TraceSide? {
    guard let range = text() else { return nil }
    if bytes[range].elementsEqual("client".utf8) { return .client }
    return bytes[range].elementsEqual("server".utf8) ? .server : nil
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard place < bytes.count, bytes[place] == byte else { return false }
    place += 1
    return true
  }

  private mutating func word(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard place + count <= bytes.count else { return false }
    for index in 0..<count where bytes[place + index] != text.utf8Start[index] { return false }
    place += count
    return true
  }

  /// Scans a text without escapes, and returns its contents.
  private mutating func text() -> Range<Int>? {
    hasEscape = false
    guard let range = anyText(), !hasEscape else { return nil }
    return range
  }

  private mutating func anyText() -> Range<Int>? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let start = place
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "\"") {
        place += 1
        return start..<(place - 1)
      }
      if byte < 0x20 { return nil }
      if byte >= 0x80 { isASCII = false }
      if byte == UInt8(ascii: "\\"), !escape() { return nil }
      place += 1
    }
    return nil
  }

  /// Passes over a backslash. An escape by number may be half of a pair: the reader knows.
  private mutating func escape() -> Bool {
    hasEscape = true
    place += 1
    guard place < bytes.count else { return false }
    switch bytes[place] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return true
    default: return false
    }
  }

  private mutating func digits() -> Int {
    let start = place
    while place < bytes.count, bytes[place] &- UInt8(ascii: "0") < 10 { place += 1 }
    return place - start
  }

  /// Scans an integer of at most 18 digits.
  private mutating func integer() -> Int? {
    let isNegative = take(UInt8(ascii: "-"))
    let start = place
    let count = digits()
    guard (1...18).contains(count), count == 1 || bytes[start] != UInt8(ascii: "0") else {
      return nil
    }
    let next = place < bytes.count ? bytes[place] : 0
    guard next == UInt8(ascii: ",") || next == UInt8(ascii: "}") else { return nil }
    let number = bytes[start..<place].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return isNegative ? -number : number
  }

  private mutating func number() -> Bool {
    _ = take(UInt8(ascii: "-"))
    let start = place
    let count = digits()
    guard (1...18).contains(count), count == 1 || bytes[start] != UInt8(ascii: "0") else {
      return false
    }
    if take(UInt8(ascii: ".")), digits() == 0 { return false }
    // An exponent may be too large for any double.
    return place == bytes.count || bytes[place] | 0x20 != UInt8(ascii: "e")
  }

  private mutating func anyValue(depth: Int) -> Bool {
    guard place < bytes.count, depth < TraceLimit.depth else { return false }
    switch bytes[place] {
    case UInt8(ascii: "\""): return anyText() != nil
    case UInt8(ascii: "{"): return map(depth: depth)
    case UInt8(ascii: "["): return list(depth: depth)
    case UInt8(ascii: "t"): return word("true")
    case UInt8(ascii: "f"): return word("false")
    case UInt8(ascii: "n"): return word("null")
    default: return number()
    }
  }

  private mutating func list(depth: Int) -> Bool {
    place += 1
    if take(UInt8(ascii: "]")) { return true }
    repeat {
      guard anyValue(depth: depth + 1) else { return false }
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "]"))
  }

  /// Scans a map whose keys rise, as traces are written: then no key is there twice.
  private mutating func map(depth: Int) -> Bool {
    place += 1
    if take(UInt8(ascii: "}")) { return true }
    var previous: Range<Int>?
    repeat {
      guard let key = text(), previous.map({ rises(from: $0, to: key) }) ?? true,
        take(UInt8(ascii: ":")), anyValue(depth: depth + 1)
      else { return false }
      previous = key
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}"))
  }

  private func rises(from first: Range<Int>, to second: Range<Int>) -> Bool {
    for (a, b) in zip(first, second) where bytes[a] != bytes[b] { return bytes[a] < bytes[b] }
    return first.count < second.count
  }
}

// Names.
extension TraceScanner {
  /// Names by their first seven bytes and their length.
  private static let members = table(of: TraceMember.allCases.map { ($0.rawValue, $0) })
  private static let kinds = table(
    of: TraceKind.allCases.enumerated().map { ($1.rawValue, (UInt8($0), $1.rawValue)) })

  private static func table<Content: Sendable>(of names: [(String, Content)]) -> WordTable<Content>
  {
    var table = WordTable<Content>()
    for (name, content) in names {
      table.add(content, under: Array(name.utf8).withUnsafeBufferPointer(word))
    }
    return table
  }

  private static func word(_ name: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var word = UInt64(name.count)
    for index in 0..<min(7, name.count) { word = word << 8 | UInt64(name[index]) }
    return word
  }

  fileprivate static func member(_ name: UnsafeBufferPointer<UInt8>) -> TraceMember? {
    guard let member = members[word(name)] else { return nil }
    return name.count <= 7 || name.elementsEqual(member.rawValue.utf8) ? member : nil
  }

  fileprivate static func kind(_ name: UnsafeBufferPointer<UInt8>) -> UInt8? {
    guard let (number, known) = kinds[word(name)] else { return nil }
    return name.count <= 7 || name.elementsEqual(known.utf8) ? number : nil
  }
}

/// A small table by words. Each line asks it several times, where hashing a key would take longer
/// than all else.
private struct WordTable<Content: Sendable>: Sendable {
  private var slots = [(word: UInt64, content: Content)?](repeating: nil, count: 256)

  mutating func add(_ content: Content, under word: UInt64) {
    var slot = WordTable.slot(of: word)
    while slots[slot] != nil { slot = (slot + 1) & 255 }
    slots[slot] = (word, content)
  }

  subscript(word: UInt64) -> Content? {
    var slot = WordTable.slot(of: word)
    while let entry = slots[slot] {
      if entry.word == word { return entry.content }
      slot = (slot + 1) & 255
    }
    return nil
  }

  private static func slot(of word: UInt64) -> Int {
    Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> 56)
  }
}

extension TraceMember {
  /// The place of the member in the order of lines.
  fileprivate var bit: Int {
    switch self {
    case .n: 0
    case .us: 1
    case .time: 2
    case .kind: 3
    case .source: 4
    case .cause: 5
    case .value: 6
    case .text: 7
    case .connection: 8
    case .from: 9
    case .own: 10
    case .seen: 11
    case .at: 12
    case .step: 13
    case .run: 14
    case .settled: 15
    case .hash: 16
    }
  }
}
