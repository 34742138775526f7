import Values

/// A large value of a trace, which has a file of its own.
package struct TraceBody: Sendable, Equatable {
  /// The SHA-256 of its bytes, which is the file's name.
  package var hash: String
  /// The value as a trace writes it.
  package var bytes: [UInt8]

  package init(hash: String, bytes: [UInt8]) {
    self.hash = hash
    self.bytes = bytes
  }
}

/// The limits of the format.
package enum TraceLimit {
  /// The most bytes of a value that stands in its line.
  package static let valueBytes = 64 << 10
  /// The deepest level of a value's nesting that is written as JSON. Encodings may triple it.
  package static let depth = 128
  /// The most bytes of a line.
  package static let lineBytes = 256 << 20
  /// The most bytes of the files that a value's large parts lie in.
  package static let bodiesBytes = lineBytes
}

extension TraceValue {
  /// Returns the value with its large parts replaced by `{"$body":…}`, and these parts.
  ///
  /// The innermost value over the limit is replaced, so that a large body leaves its head readable.
  package func split(into bodies: inout [TraceBody]) -> TraceValue {
    TraceValue(json: shortened(json, &bodies).json)
  }
}

extension TraceValue {
  /// True if the value or a part of it may be over the limit of what stands in its line.
  var mayBeLarge: Bool {
    var room = TraceLimit.valueBytes
    return !fits(json, &room)
  }
}

/// Returns whether a value fits into so many bytes, counted as `shortened` does.
private func fits(_ json: Value, _ room: inout Int) -> Bool {
  switch json {
  case .list(let elements):
    room -= 2 + elements.count
    for element in elements where room < 0 || !fits(element, &room) { return false }
  case .map(let map):
    room -= 2
    for (key, value) in map {
      room -= key.plainText.utf8.count + 4
      if room < 0 || !fits(value, &room) { return false }
    }
  case .string(let text): room -= text.utf8.count + 2
  default: room -= 8
  }
  return room >= 0
}

private func shortened(_ json: Value, _ bodies: inout [TraceBody]) -> (json: Value, size: Int) {
  switch json {
  case .list(let elements):
    var parts: [Value] = []
    var size = 2 + elements.count
    for element in elements { add(shortened(element, &bodies), &size) { parts.append($0) } }
    return replacedIfLarge(.list(parts), size, &bodies)
  case .map:
    let (map, size) = members(of: json, &bodies)
    return replacedIfLarge(map, size, &bodies)
  case .string(let text): return replacedIfLarge(json, text.utf8.count + 2, &bodies)
  default: return (json, 8)
  }
}

/// Shortens the values of a map, and leaves the map where it is.
private func members(of json: Value, _ bodies: inout [TraceBody]) -> (json: Value, size: Int) {
  guard case .map(let map) = json else { return shortened(json, &bodies) }
  var parts = ValueMap(minimumCapacity: map.count)
  var size = 2
  for (key, value) in map {
    size += key.plainText.utf8.count + 4
    // A reference in place of a protected map would be read as that map.
    let part = map.isEscapedMap ? members(of: value, &bodies) : shortened(value, &bodies)
    add(part, &size) { parts[key] = $0 }
  }
  return (.map(parts), size)
}

private func add(_ part: (json: Value, size: Int), _ size: inout Int, _ keep: (Value) -> Void) {
  size += part.size
  keep(part.json)
}

private func replacedIfLarge(
  _ json: Value, _ size: Int, _ bodies: inout [TraceBody]
) -> (json: Value, size: Int) {
  guard size > TraceLimit.valueBytes else { return (json, size) }
  var bytes: [UInt8] = []
  json.appendJSON(to: &bytes, sortedKeys: true)
  let body = TraceBody(hash: SHA256.digest(of: bytes), bytes: bytes)
  bodies.append(body)
  let reference = ValueMap([
    (.string(TraceEncoding.body.rawValue), .string(body.hash)), ("bytes", .int(bytes.count)),
  ])
  return (.map(reference), 100)
}
