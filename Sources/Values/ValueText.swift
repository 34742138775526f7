import TextSearch

extension Value {
  /// This value for people, as a scenario would write it on one line: `{ status: 503, body: "Try
  /// again" }`.
  ///
  /// A lower-case word or path, such as a name or a kind, is bare if YAML can only read it as text.
  /// All other text is quoted.
  public var display: String {
    var writer = DisplayWriter(limit: .max)
    writer.write(self)
    return writer.text
  }

  /// Returns `display` in at most about `maxLength` characters; omitted text shows as `…`.
  public func display(maxLength: Int) -> String {
    if let whole = displayIfShort(maxLength) { return whole }
    switch self {
    case .string(let text):
      return "\"" + quotedContent(String(text.prefix(max(1, maxLength - 3)))) + "…\""
    case .bytes(let bytes):
      return "b\"" + hexadecimalEscapes(bytes.prefix(max(1, (maxLength - 4) / 4))) + "…\""
    case .list(let elements):
      let pieces = elements.prefix(max(1, maxLength)).map { ("", $0) }
      return "[" + shortened(pieces, room: maxLength - 2) + "]"
    case .map(let map):
      let pieces = map.prefix(max(1, maxLength)).map { (keyText($0.key) + ": ", $0.value) }
      return "{ " + shortened(pieces, room: maxLength - 4) + " }"
    default:
      return "…"
    }
  }

  /// The text of a value without a form of its own in JSON and in maps with text keys.
  public var plainText: String {
    switch self {
    case .string(let text), .type(let text): text
    case .bytes(let bytes): Base64.encode(bytes)
    case .timestamp(let timestamp): timestamp.text
    case .duration(let span): span.text
    case .double(let number) where number.isNaN: "NaN"
    case .double(let number) where number.isInfinite: number < 0 ? "-Infinity" : "Infinity"
    case .null, .bool, .int, .uint, .double, .digits, .list, .map, .optional: json()
    }
  }

  /// Returns `plainText`, or nil if it would have more than so many bytes. It is not made then.
  package func plainText(atMost limit: Int) -> String? {
    switch self {
    case .string(let text), .type(let text): text.utf8.count > limit ? nil : text
    case .bytes(let bytes): bytes.count > limit / 4 * 3 ? nil : plainText
    case .list, .map, .optional: json(atMost: limit)
    case .null, .bool, .int, .uint, .double, .digits, .timestamp, .duration: plainText
    }
  }

  private func displayIfShort(_ limit: Int) -> String? {
    var writer = DisplayWriter(limit: max(0, limit) * 4)
    writer.write(self)
    return !writer.isCut && writer.text.count <= limit ? writer.text : nil
  }

  /// Shortens the longest values first, then omits entries at the end.
  private func shortened(_ pieces: [(key: String, value: Value)], room: Int) -> String {
    guard pieces.count <= room / leastPiece else { return beginning(of: pieces, room: room) }
    var share = room
    var texts: [String] = []
    repeat {
      share /= 2
      texts = pieces.map { $0.key + ($0.value.displayIfShort(share) ?? "…") }
    } while share > 3 && joinedLength(texts) > room
    if texts.count == 1, let only = pieces.first {
      let inner = room - only.key.count
      return only.key + (inner > 8 ? only.value.display(maxLength: inner) : "…")
    }
    if joinedLength(texts) <= room { return texts.joined(separator: ", ") }
    while texts.count > 1, joinedLength(texts) + leastPiece > room { texts.removeLast() }
    return (texts + ["…"]).joined(separator: ", ")
  }

  /// Returns the first of so many pieces that not all could be named.
  private func beginning(of pieces: [(key: String, value: Value)], room: Int) -> String {
    var texts: [String] = []
    var length = 0
    for piece in pieces {
      let text = piece.key + (piece.value.displayIfShort(room / 4) ?? "…")
      length += text.count + 2
      if length + 1 > room, !texts.isEmpty { break }
      texts.append(text)
    }
    return (texts + ["…"]).joined(separator: ", ")
  }
}

/// The length of the shortest piece with its comma: `…, `.
private let leastPiece = 3

private func joinedLength(_ texts: [String]) -> Int {
  texts.reduce(-2) { $0 + $1.count + 2 }
}

/// A writer of YAML's flow form, up to a limit of bytes.
private struct DisplayWriter {
  let limit: Int
  var text = ""
  var isCut = false

  init(limit: Int) { self.limit = limit }

  mutating func write(_ value: Value) {
    guard text.utf8.count <= limit else {
      isCut = true
      return
    }
    switch value {
    case .string(let content): write(text: content)
    case .list(let elements): write(elements)
    case .map(let map): write(map)
    case .bytes(let bytes): write(bytes)
    case .timestamp, .duration, .type: text += value.plainText
    case .double(let number) where number.isNaN: text += ".nan"
    case .double(let number) where number.isInfinite: text += number < 0 ? "-.inf" : ".inf"
    case .optional(let inner): write(inner ?? .null)
    case .null, .bool, .int, .uint, .double, .digits: text += value.json()
    }
  }

  /// Writes bytes as an expression has them: `b"\x00\xff"`.
  private mutating func write(_ bytes: [UInt8]) {
    if bytes.count > limit / 4 {
      isCut = true
    } else {
      text += "b\"" + hexadecimalEscapes(bytes) + "\""
    }
  }

  private mutating func write(text content: String) {
    if content.utf8.count > limit {
      isCut = true
    } else {
      text += textAsWritten(content)
    }
  }

  private mutating func write(_ elements: [Value]) {
    text += "["
    for (index, element) in elements.enumerated() where !isCut {
      if index > 0 { text += ", " }
      write(element)
    }
    text += "]"
  }

  private mutating func write(_ map: ValueMap) {
    if map.isEmpty {
      text += "{}"
      return
    }
    var separator = "{ "
    for (key, value) in map where !isCut {
      text += separator + keyText(key) + ": "
      write(value)
      separator = ", "
    }
    text += " }"
  }
}

private func hexadecimalEscapes(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { ($0 < 16 ? "\\x0" : "\\x") + String($0, radix: 16) }.joined()
}

private func keyText(_ key: Value) -> String {
  guard case .string(let text) = key else { return key.plainText }
  return isPlainName(text) ? text : textAsWritten(text)
}

private func textAsWritten(_ text: String) -> String {
  isPlainWord(text) ? text : "\"" + quotedContent(text) + "\""
}

private func quotedContent(_ text: String) -> String {
  var bytes = OutputBytes(minimumCapacity: text.utf8.count + 2)
  bytes.appendJSON(text: text)
  return bytes.withBytes(from: 1, to: bytes.count - 1) { String(decoding: $0, as: UTF8.self) }
}

/// The words that YAML 1.1 or 1.2 does not read as text.
private let wordsOfOtherTypes: Set<String> = [
  "null", "true", "false", "yes", "no", "on", "off", "y", "n",
]

private func isPlainWord(_ text: String) -> Bool {
  guard let first = text.utf8.first, isLowerCase(first) || first == UInt8(ascii: "/") else {
    return false
  }
  return text.utf8.allSatisfy(isWordByte) && !wordsOfOtherTypes.contains(text)
}

/// Returns whether a key can be bare: it may begin with any letter, `$` or `_`.
private func isPlainName(_ text: String) -> Bool {
  guard let first = text.utf8.first, isWordByte(first) || first == UInt8(ascii: "$") else {
    return false
  }
  return !isDigit(first) && first != UInt8(ascii: "-") && first != UInt8(ascii: ".")
    && text.utf8.dropFirst().allSatisfy(isWordByte)
    && !wordsOfOtherTypes.contains(text.lowercased())
}

private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
private func isLowerCase(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "a") < 26 }

private func isWordByte(_ byte: UInt8) -> Bool {
  isLowerCase(byte | 0x20) || isDigit(byte) || "_-./".utf8.contains(byte)
}
