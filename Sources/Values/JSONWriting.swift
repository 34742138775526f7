import Glibc

extension Value {
  /// Returns this value as JSON text.
  ///
  /// Numbers are the shortest that read back equal; a whole double keeps its `.0`. Values without a
  /// JSON form become text: bytes as Base64, timestamps and durations as in expressions, `NaN`,
  /// `Infinity` and `-Infinity`, and keys that are not text.
  public func json(pretty: Bool = false, sortedKeys: Bool = false) -> String {
    var bytes: [UInt8] = []
    appendJSON(to: &bytes, pretty: pretty, sortedKeys: sortedKeys)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns this value as JSON text, or nil if that would have more than so many bytes.
  ///
  /// The writing stops at the limit: a value that holds one text many times is much smaller in
  /// memory than as JSON.
  package func json(atMost limit: Int) -> String? {
    var writer = ValueWriter(bytes: [], limit: limit)
    writer.write(self, indent: 0)
    return writer.isCut || writer.bytes.count > limit
      ? nil : String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Appends this value as JSON text in UTF-8; see `json`.
  public func appendJSON(
    to bytes: inout [UInt8], pretty: Bool = false, sortedKeys: Bool = false
  ) {
    // Nearly all values that are written alone are numbers and texts.
    if case .int(let number) = self { return bytes.appendDecimal(number) }
    if case .string(let text) = self { return bytes.appendJSON(text: text) }
    var writer = ValueWriter(bytes: bytes, pretty: pretty, sortedKeys: sortedKeys)
    bytes = []
    writer.write(self, indent: 0)
    bytes = writer.bytes
  }
}

extension [UInt8] {
  /// Appends text in double quotes, escaped for JSON.
  public mutating func appendJSON(text: String) {
    var text = text
    append(UInt8(ascii: "\""))
    text.withUTF8 { utf8 in
      var start = 0
      while let index = firstEscaped(utf8, from: start) {
        append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
        appendEscaped(utf8[index])
        start = index + 1
      }
      append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
    }
    append(UInt8(ascii: "\""))
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: append(UInt8(ascii: "b"))
    case 0x09: append(UInt8(ascii: "t"))
    case 0x0A: append(UInt8(ascii: "n"))
    case 0x0C: append(UInt8(ascii: "f"))
    case 0x0D: append(UInt8(ascii: "r"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
    default:
      append(contentsOf: byte < 0x10 ? "u000".utf8 : "u001".utf8)
      append(contentsOf: String(byte & 0x0F, radix: 16).utf8)
    }
  }

  /// Appends an integer in decimal digits, without an intermediate `String`.
  public mutating func appendDecimal(_ number: Int) {
    if number < 0 { append(UInt8(ascii: "-")) }
    appendDecimal(number.magnitude)
  }

  /// Appends an integer without a sign in decimal digits.
  public mutating func appendDecimal(_ number: UInt) {
    if number < 10 { return append(UInt8(ascii: "0") + UInt8(number)) }
    var rest = number
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = 20
      repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      } while rest > 0
      append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }
}

/// Returns the place of the first byte of a text that JSON escapes; nil if there is none.
private func firstEscaped(_ utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
  guard let first = UnsafeRawPointer(utf8.baseAddress) else { return nil }
  var index = start
  // Eight bytes at once. What follows a byte that is escaped may be reported as well.
  while index + 8 <= utf8.count {
    let word = first.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    let quotes = word ^ 0x2222_2222_2222_2222
    let backslashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
    let found =
      (word &- 0x2020_2020_2020_2020) & ~word | (quotes &- 0x0101_0101_0101_0101) & ~quotes
      | (backslashes &- 0x0101_0101_0101_0101) & ~backslashes
    if found & 0x8080_8080_8080_8080 != 0 { break }
    index += 8
  }
  while index < utf8.count {
    let byte = utf8[index]
    if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return index }
    index += 1
  }
  return nil
}

private struct ValueWriter {
  var bytes: [UInt8]
  private let pretty: Bool
  private let sortedKeys: Bool
  /// The most bytes of the text. Writing stops where they are exceeded.
  private let limit: Int
  private(set) var isCut = false

  init(bytes: [UInt8], pretty: Bool = false, sortedKeys: Bool = false, limit: Int = .max) {
    self.bytes = bytes
    self.pretty = pretty
    self.sortedKeys = sortedKeys
    self.limit = limit
  }

  mutating func write(_ value: Value, indent: Int) {
    if bytes.count > limit { isCut = true }
    if isCut { return }
    switch value {
    case .null: write("null")
    case .bool(let value): write(value ? "true" : "false")
    case .int(let value): bytes.appendDecimal(value)
    case .uint(let value): bytes.appendDecimal(value)
    case .double(let value): write(value)
    case .string(let text): write(text: text)
    case .list(let elements): write(elements, indent: indent)
    case .map(let map): write(map, indent: indent)
    case .optional(let value): write(value ?? .null, indent: indent)
    case .bytes, .timestamp, .duration, .type: write(text: value.plainText)
    }
  }

  private mutating func write(text: String) {
    // The content is measured first only if escapes could make it too long.
    if limit == .max { return bytes.appendJSON(text: text) }
    let room = limit - bytes.count
    if text.utf8.count > room / 6, text.escapedSize > room {
      isCut = true
      return
    }
    bytes.appendJSON(text: text)
  }

  private mutating func write(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  private mutating func write(_ number: Double) {
    if number.isFinite {
      bytes.append(contentsOf: number.description.utf8)
    } else {
      bytes.appendJSON(text: Value.double(number).plainText)
    }
  }

  private mutating func write(_ elements: [Value], indent: Int) {
    if elements.isEmpty { return write("[]") }
    bytes.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      separate(isFirst: index == 0, indent: indent + 1)
      write(element, indent: indent + 1)
    }
    end(UInt8(ascii: "]"), indent: indent)
  }

  private mutating func write(_ map: ValueMap, indent: Int) {
    if map.isEmpty { return write("{}") }
    bytes.append(UInt8(ascii: "{"))
    // The entries stay where they are: a copy of each would count its references.
    map.withEntries { entries in
      if sortedKeys, !hasSortedKeys(entries) {
        for (place, index) in sortedByKeyText(entries).enumerated() {
          write(entries, index, isFirst: place == 0, indent: indent)
        }
      } else {
        for index in entries.indices {
          write(entries, index, isFirst: index == 0, indent: indent)
        }
      }
    }
    end(UInt8(ascii: "}"), indent: indent)
  }

  private mutating func write(
    _ entries: UnsafeBufferPointer<ValueMap.Entry>, _ index: Int, isFirst: Bool, indent: Int
  ) {
    separate(isFirst: isFirst, indent: indent + 1)
    if case .string(let text) = entries[index].key {
      write(text: text)
    } else {
      write(text: entries[index].key.plainText)
    }
    bytes.append(UInt8(ascii: ":"))
    if pretty { bytes.append(UInt8(ascii: " ")) }
    write(entries[index].value, indent: indent + 1)
  }

  private mutating func separate(isFirst: Bool, indent: Int) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    breakLine(indent: indent)
  }

  private mutating func end(_ bracket: UInt8, indent: Int) {
    breakLine(indent: indent)
    bytes.append(bracket)
  }

  private mutating func breakLine(indent: Int) {
    guard pretty else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent * 2))
  }
}

extension String {
  /// The number of bytes of this text in JSON, with its quotes.
  fileprivate var escapedSize: Int {
    utf8.reduce(2) { size, byte in
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): size + 2
      case 0..<0x20: size + 6
      default: size + 1
      }
    }
  }
}

/// Returns whether all keys are text and stand in their order, compared byte by byte.
private func hasSortedKeys(_ entries: UnsafeBufferPointer<ValueMap.Entry>) -> Bool {
  for index in entries.indices.dropFirst() {
    guard case .string(let previous) = entries[index - 1].key,
      case .string(let text) = entries[index].key, precedes(previous, text)
    else { return false }
  }
  return true
}

/// Returns the places of entries in the order of their keys' text, compared byte by byte.
private func sortedByKeyText(_ entries: UnsafeBufferPointer<ValueMap.Entry>) -> [Int] {
  var places = Array(entries.indices)
  // Nearly all maps are small, and the general sort takes longer for them.
  if places.count > mostInserted { return places.sorted { hasSmallerKey(entries, $0, $1) } }
  for end in places.indices.dropFirst() {
    let place = places[end]
    var position = end
    while position > 0, hasSmallerKey(entries, place, places[position - 1]) {
      places[position] = places[position - 1]
      position -= 1
    }
    places[position] = place
  }
  return places
}

/// The most keys that are sorted by inserting one after the other.
private let mostInserted = 16

private func hasSmallerKey(
  _ entries: UnsafeBufferPointer<ValueMap.Entry>, _ left: Int, _ right: Int
) -> Bool {
  if case .string(let a) = entries[left].key, case .string(let b) = entries[right].key {
    return precedes(a, b)
  }
  return precedes(entries[left].key.plainText, entries[right].key.plainText)
}

/// Returns whether a text comes before another, byte by byte.
private func precedes(_ left: String, _ right: String) -> Bool {
  let direct = left.utf8.withContiguousStorageIfAvailable { a in
    right.utf8.withContiguousStorageIfAvailable { b in
      guard let first = a.baseAddress, let other = b.baseAddress else { return a.count < b.count }
      let order = memcmp(first, other, min(a.count, b.count))
      return order == 0 ? a.count < b.count : order < 0
    }
  }
  return (direct ?? nil) ?? left.utf8.lexicographicallyPrecedes(right.utf8)
}
