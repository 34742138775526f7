import TextSearch

/// The way in which a format writes the values that JSON lacks.
package struct JSONEncoding: Sendable {
  /// The level of nesting at which lists and maps are replaced.
  package let depth: Int
  /// Returns what is written in place of a value at a level of nesting.
  package let replacement: @Sendable (Value, Int) -> Value

  package init(depth: Int, replacement: @escaping @Sendable (Value, Int) -> Value) {
    self.depth = depth
    self.replacement = replacement
  }
}

extension Value {
  /// Appends this value as JSON text with sorted keys. What JSON lacks is replaced, and so are maps
  /// with a few keys of which one begins with `$`.
  package func appendJSON(
    to bytes: inout OutputBytes, encoding: JSONEncoding, known: inout WrittenMaps
  ) {
    var writer = EncodingWriter(encoding: encoding)
    writer.write(self, 0, to: &bytes, &known)
  }
}

/// The writer of values in the encoding of a format.
private struct EncodingWriter {
  let encoding: JSONEncoding
  /// The deepest level of a list or a map so far; the limit if what was written depends on its
  /// level.
  private var deepest = 0

  init(encoding: JSONEncoding) { self.encoding = encoding }

  mutating func write(
    _ value: Value, _ level: Int, to bytes: inout OutputBytes, _ known: inout WrittenMaps
  ) {
    switch value {
    case .null: bytes.append("null")
    case .bool(let value): bytes.append(value ? "true" : "false")
    case .int(let value): bytes.appendDecimal(value)
    case .uint(let value): bytes.appendDecimal(value)
    case .string(let text): bytes.appendJSON(text: text)
    case .list(let elements) where level < encoding.depth:
      write(elements, level, to: &bytes, &known)
    case .map(let map) where level < encoding.depth: write(map, level, to: &bytes, &known)
    case .double, .bytes, .timestamp, .duration, .type: replace(value, level, to: &bytes)
    case .optional, .list, .map:
      deepest = encoding.depth
      replace(value, level, to: &bytes)
    }
  }

  private func replace(_ value: Value, _ level: Int, to bytes: inout OutputBytes) {
    encoding.replacement(value, level).appendJSON(to: &bytes, sortedKeys: true)
  }

  private mutating func write(
    _ elements: [Value], _ level: Int, to bytes: inout OutputBytes, _ known: inout WrittenMaps
  ) {
    deepest = max(deepest, level)
    bytes.append(UInt8(ascii: "["))
    for index in elements.indices {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      write(elements[index], level + 1, to: &bytes, &known)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func write(
    _ map: ValueMap, _ level: Int, to bytes: inout OutputBytes, _ known: inout WrittenMaps
  ) {
    if let height = known.append(map, room: encoding.depth - 1 - level, to: &bytes) {
      deepest = max(deepest, level + height)
      return
    }
    let start = bytes.count
    let outside = deepest
    deepest = level
    // The entries stay where they are: a copy of each would count its references.
    let isPlain = map.withEntries { write($0, level, to: &bytes, &known) }
    if !isPlain {
      deepest = encoding.depth
      replace(.map(map), level, to: &bytes)
    }
    // The text of what was replaced may depend on its level.
    if deepest < encoding.depth {
      known.keep(map, height: deepest - level, from: start, in: bytes)
    }
    deepest = max(deepest, outside)
  }

  /// Writes the entries of a map; returns false, and writes nothing, if the map is replaced.
  private mutating func write(
    _ entries: UnsafeBufferPointer<ValueMap.Entry>, _ level: Int, to bytes: inout OutputBytes,
    _ known: inout WrittenMaps
  ) -> Bool {
    guard isPlain(entries) else { return false }
    bytes.append(UInt8(ascii: "{"))
    if let places = placesInOrder(entries) {
      for (index, place) in places.enumerated() {
        write(entries, place, isFirst: index == 0, level, to: &bytes, &known)
      }
    } else {
      for place in entries.indices {
        write(entries, place, isFirst: place == 0, level, to: &bytes, &known)
      }
    }
    bytes.append(UInt8(ascii: "}"))
    return true
  }

  private mutating func write(
    _ entries: UnsafeBufferPointer<ValueMap.Entry>, _ place: Int, isFirst: Bool, _ level: Int,
    to bytes: inout OutputBytes, _ known: inout WrittenMaps
  ) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    if case .string(let key) = entries[place].key { bytes.appendJSON(text: key) }
    bytes.append(UInt8(ascii: ":"))
    write(entries[place].value, level + 1, to: &bytes, &known)
  }

  /// Returns whether all keys are text, and none stands for an encoding.
  private func isPlain(_ entries: UnsafeBufferPointer<ValueMap.Entry>) -> Bool {
    for index in entries.indices {
      guard case .string(let key) = entries[index].key else { return false }
      if entries.count <= mostKeysOfEncoding, key.utf8.first == UInt8(ascii: "$") { return false }
    }
    return true
  }
}

/// The most keys of a map that stands for a value which JSON lacks.
private let mostKeysOfEncoding = 2
