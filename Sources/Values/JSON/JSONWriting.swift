import Glibc
import TextSearch

extension Value {
  /// Returns this value as JSON text.
  ///
  /// Numbers are the shortest that read back equal; a whole double keeps its `.0`. Values without a
  /// JSON form become text: bytes as Base64, timestamps and durations as in expressions, `NaN`,
  /// `Infinity` and `-Infinity`, and keys that are not text.
  public func json(pretty: Bool = false, sortedKeys: Bool = false) -> String {
    var bytes = OutputBytes()
    appendJSON(to: &bytes, pretty: pretty, sortedKeys: sortedKeys)
    return bytes.text
  }

  /// This value as JSON text in UTF-8; see `json`.
  package var jsonBytes: [UInt8] {
    var bytes = OutputBytes()
    appendJSON(to: &bytes, pretty: false, sortedKeys: false)
    return bytes.array
  }

  /// Returns this value as JSON text, or nil if that would have more than so many bytes.
  ///
  /// The writing stops at the limit: a value that holds one text many times is much smaller in
  /// memory than as JSON.
  package func json(atMost limit: Int) -> String? {
    var bytes = OutputBytes()
    var writer = ValueWriter(limit: limit)
    writer.write(self, indent: 0, to: &bytes)
    return writer.isCut || bytes.count > limit ? nil : bytes.text
  }

  /// Appends this value as JSON text in UTF-8; see `json`.
  public func appendJSON(
    to bytes: inout [UInt8], pretty: Bool = false, sortedKeys: Bool = false
  ) {
    var output = OutputBytes()
    appendJSON(to: &output, pretty: pretty, sortedKeys: sortedKeys)
    output.withBytes { bytes.append(contentsOf: $0) }
  }

  /// Appends this value as JSON text in UTF-8; see `json`.
  package func appendJSON(
    to bytes: inout OutputBytes, pretty: Bool = false, sortedKeys: Bool = false
  ) {
    var writer = ValueWriter(pretty: pretty, sortedKeys: sortedKeys)
    writer.write(self, indent: 0, to: &bytes)
  }
}

/// A JSON document that is made while it is written, so that it is never in memory as a whole.
package enum LongJSON {
  case value(Value)
  case map([(name: String, value: LongJSON)])
  /// Each element is made when its turn comes.
  case list(any Sequence<LongJSON>)
  /// The parts of a text, each of which is made when its turn comes.
  case text(any Sequence<String>)

  /// The bytes after which a piece of the text is complete.
  private static let pieceBytes = 64 << 10

  /// Writes the text in pieces, none of which ends within a number or a part of a text.
  ///
  /// - Parameter take: Takes a piece; returns false if it takes no more.
  package func write(pretty: Bool = false, to take: (String) -> Bool) {
    var bytes = OutputBytes(minimumCapacity: 2 * LongJSON.pieceBytes)
    var writer = ValueWriter(pretty: pretty)
    writer.write(self, indent: 0, to: &bytes) { bytes in
      guard bytes.count >= LongJSON.pieceBytes else { return true }
      defer { bytes.removeBytes() }
      return take(bytes.text)
    }
    if !writer.isCut { _ = take(bytes.text) }
  }
}

/// The writer of values as JSON.
private struct ValueWriter {
  private let pretty: Bool
  private let sortedKeys: Bool
  /// The most bytes of the text. Writing stops where they are exceeded.
  private let limit: Int
  private(set) var isCut = false

  init(pretty: Bool = false, sortedKeys: Bool = false, limit: Int = .max) {
    self.pretty = pretty
    self.sortedKeys = sortedKeys
    self.limit = limit
  }

  mutating func write(_ value: Value, indent: Int, to bytes: inout OutputBytes) {
    if bytes.count > limit { isCut = true }
    if isCut { return }
    switch value {
    case .null: bytes.append("null")
    case .bool(let value): bytes.append(value ? "true" : "false")
    case .int(let value): bytes.appendDecimal(value)
    case .uint(let value): bytes.appendDecimal(value)
    case .double(let number): write(number, to: &bytes)
    case .digits(let text): for byte in text.utf8 { bytes.append(byte) }
    case .string(let text): write(text: text, to: &bytes)
    case .list(let elements): write(elements, indent: indent, to: &bytes)
    case .map(let map): write(map, indent: indent, to: &bytes)
    case .optional(let value): write(value ?? .null, indent: indent, to: &bytes)
    case .bytes, .timestamp, .duration, .type: write(text: value.plainText, to: &bytes)
    }
  }

  private mutating func write(text: String, to bytes: inout OutputBytes) {
    // The content is measured first only if escapes could make it too long.
    if limit == .max { return bytes.appendJSON(text: text) }
    let room = limit - bytes.count
    if text.utf8.count > room / 6, text.escapedSize > room {
      isCut = true
      return
    }
    bytes.appendJSON(text: text)
  }

  private func write(_ number: Double, to bytes: inout OutputBytes) {
    var text = number.isFinite ? number.description : "\"\(Value.double(number).plainText)\""
    text.withUTF8 { bytes.append($0) }
  }

  private mutating func write(_ elements: [Value], indent: Int, to bytes: inout OutputBytes) {
    if elements.isEmpty { return bytes.append("[]") }
    bytes.append(UInt8(ascii: "["))
    for index in elements.indices {
      separate(isFirst: index == 0, indent: indent + 1, &bytes)
      write(elements[index], indent: indent + 1, to: &bytes)
    }
    end(UInt8(ascii: "]"), indent: indent, &bytes)
  }

  private mutating func write(_ map: ValueMap, indent: Int, to bytes: inout OutputBytes) {
    if map.isEmpty { return bytes.append("{}") }
    bytes.append(UInt8(ascii: "{"))
    // The entries stay where they are: a copy of each would count its references.
    map.withEntries { entries in
      if sortedKeys, let places = placesInOrder(entries) {
        var isFirst = true
        for index in places {
          write(entries, index, isFirst: isFirst, indent: indent, to: &bytes)
          isFirst = false
        }
      } else {
        for index in entries.indices {
          write(entries, index, isFirst: index == 0, indent: indent, to: &bytes)
        }
      }
    }
    end(UInt8(ascii: "}"), indent: indent, &bytes)
  }

  private mutating func write(
    _ entries: UnsafeBufferPointer<ValueMap.Entry>, _ index: Int, isFirst: Bool, indent: Int,
    to bytes: inout OutputBytes
  ) {
    separate(isFirst: isFirst, indent: indent + 1, &bytes)
    if case .string(let text) = entries[index].key {
      write(text: text, to: &bytes)
    } else {
      write(text: entries[index].key.plainText, to: &bytes)
    }
    bytes.append(UInt8(ascii: ":"))
    if pretty { bytes.append(UInt8(ascii: " ")) }
    write(entries[index].value, indent: indent + 1, to: &bytes)
  }

  /// - Parameter isTaken: Is asked after each element; false ends the writing.
  mutating func write(
    _ json: LongJSON, indent: Int, to bytes: inout OutputBytes,
    _ isTaken: (inout OutputBytes) -> Bool
  ) {
    switch json {
    case .value(let value): write(value, indent: indent, to: &bytes)
    case .map(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        separate(isFirst: index == 0, indent: indent + 1, &bytes)
        bytes.appendJSON(text: member.name)
        bytes.append(UInt8(ascii: ":"))
        if pretty { bytes.append(UInt8(ascii: " ")) }
        write(member.value, indent: indent + 1, to: &bytes, isTaken)
        if isCut { return }
      }
      end(UInt8(ascii: "}"), indent: indent, &bytes)
    case .list(let elements): write(elements, indent: indent, to: &bytes, isTaken)
    case .text(let parts): write(parts, to: &bytes, isTaken)
    }
  }

  private mutating func write(
    _ parts: some Sequence<String>, to bytes: inout OutputBytes,
    _ isTaken: (inout OutputBytes) -> Bool
  ) {
    bytes.append(UInt8(ascii: "\""))
    for part in parts {
      bytes.appendEscaped(part)
      isCut = !isTaken(&bytes)
      if isCut { return }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func write(
    _ elements: some Sequence<LongJSON>, indent: Int, to bytes: inout OutputBytes,
    _ isTaken: (inout OutputBytes) -> Bool
  ) {
    bytes.append(UInt8(ascii: "["))
    var isEmpty = true
    for element in elements {
      separate(isFirst: isEmpty, indent: indent + 1, &bytes)
      isEmpty = false
      write(element, indent: indent + 1, to: &bytes, isTaken)
      if !isCut { isCut = !isTaken(&bytes) }
      if isCut { return }
    }
    if isEmpty { return bytes.append(UInt8(ascii: "]")) }
    end(UInt8(ascii: "]"), indent: indent, &bytes)
  }

  private func separate(isFirst: Bool, indent: Int, _ bytes: inout OutputBytes) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    if pretty { breakLine(indent: indent, &bytes) }
  }

  private func end(_ bracket: UInt8, indent: Int, _ bytes: inout OutputBytes) {
    if pretty { breakLine(indent: indent, &bytes) }
    bytes.append(bracket)
  }

  private func breakLine(indent: Int, _ bytes: inout OutputBytes) {
    bytes.append(UInt8(ascii: "\n"))
    for _ in 0..<(indent * 2) { bytes.append(UInt8(ascii: " ")) }
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
