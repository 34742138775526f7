import TextSearch

/// The percent-encoding of URLs.
package enum URLText {
  /// The characters that stay unchanged.
  package enum Part: Sendable {
    /// A whole path: slashes stay.
    case path
    /// One segment of a path: slashes are encoded.
    case segment
    /// A name or value in a query or a form: spaces become `+`.
    case query
  }

  /// Returns the text with all characters encoded that could have another meaning in their place.
  package static func encode(_ text: String, as part: Part) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if stays(byte, in: part) {
        bytes.append(byte)
      } else if byte == 0x20, part == .query {
        bytes.append(UInt8(ascii: "+"))
      } else {
        bytes += [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 0x0F)]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a reference as browsers send it: what no URL may have is encoded, and all else stays,
  /// codes among it.
  package static func encodeForbidden(_ reference: String) -> String {
    guard reference.utf8.contains(where: isForbidden) else { return reference }
    let bytes = reference.utf8.flatMap { byte in
      isForbidden(byte)
        ? [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 0x0F)] : [byte]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isForbidden(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, 0x7F...: true
    case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
      UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"),
      UInt8(ascii: "}"):
      true
    default: false
    }
  }

  /// Returns the text decoded. A `%` without a code stays, as in browsers.
  package static func decode(_ text: String, as part: Part) -> String {
    // Nearly all text has no codes.
    let isPlain = !text.contains(byte: UInt8(ascii: "%")) && !text.contains(byte: UInt8(ascii: "+"))
    return isPlain ? text : decode(Array(text.utf8)[...], as: part)
  }

  static func decode(_ source: ArraySlice<UInt8>, as part: Part) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(source.count)
    var rest = source
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let coded = codedByte(rest) {
        bytes.append(coded)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") && part == .query ? 0x20 : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func codedByte(_ digits: ArraySlice<UInt8>) -> UInt8? {
    guard digits.count >= 2, let high = hexValue(digits[digits.startIndex]),
      let low = hexValue(digits[digits.startIndex + 1])
    else { return nil }
    return high << 4 | low
  }

  private static func stays(_ byte: UInt8, in part: Part) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    case UInt8(ascii: "/"): part == .path
    case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "'"), UInt8(ascii: "("),
      UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: ","), UInt8(ascii: ";"),
      UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "&"), UInt8(ascii: "="),
      UInt8(ascii: "+"):
      part != .query
    default: false
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 + value : 0x37 + value
  }

  private static func hexValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x37
    case 0x61...0x66: digit - 0x57
    default: nil
    }
  }
}

/// One name and value of a query or a form, decoded.
package struct QueryItem: Sendable, Equatable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// Queries and form bodies: ordered pairs; names may repeat.
package enum QueryText {
  package static func decode(_ text: String) -> [QueryItem] {
    text.utf8.isEmpty ? [] : decode(Array(text.utf8))
  }

  /// Decodes a body of type `application/x-www-form-urlencoded`.
  package static func decode(_ bytes: [UInt8]) -> [QueryItem] {
    bytes.split(separator: UInt8(ascii: "&")).map { pair in
      let parts = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return QueryItem(
        URLText.decode(parts.first ?? [], as: .query),
        parts.count > 1 ? URLText.decode(parts[1], as: .query) : "")
    }
  }

  package static func encode(_ items: [QueryItem]) -> String {
    items.map {
      URLText.encode($0.name, as: .query) + "=" + URLText.encode($0.value, as: .query)
    }.joined(separator: "&")
  }
}

/// The parsed target of a request.
package struct HTTPTarget: Sendable, Equatable {
  /// The path as sent: still encoded, so that an encoded slash is not a separator.
  package var path: String
  /// The query as sent, without the question mark; nil if there is none.
  package var query: String?

  /// Parses a target. A fragment is not part of a request and is cut off; of a whole URL, only the
  /// path counts.
  package init(_ target: String) {
    let end = target.firstIndex(ofASCII: "#") ?? target.endIndex
    let mark = target[..<end].firstIndex(ofASCII: "?")
    let isWhole = mark == nil && end == target.endIndex
    path = HTTPTarget.pathOnly(isWhole ? target : String(target[..<(mark ?? end)]))
    query = mark.map { String(target[target.utf8.index(after: $0)..<end]) }
  }

  package init(path: String, items: [QueryItem]) {
    self.path = path
    self.query = items.isEmpty ? nil : QueryText.encode(items)
  }

  /// The target as it is sent.
  package var text: String {
    query.map { path + "?" + $0 } ?? path
  }

  package var items: [QueryItem] {
    query.map { QueryText.decode($0) } ?? []
  }

  /// The path, split at its slashes and decoded: `/a/b%2Fc` has the segments `a` and `b/c`.
  package var segments: [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map {
      URLText.decode(String(Substring($0)), as: .segment)
    }
  }

  /// The decoded path, for display.
  package var decodedPath: String { URLText.decode(path, as: .path) }

  private static func pathOnly(_ text: String) -> String {
    guard text.utf8.first != UInt8(ascii: "/"), let colon = text.firstIndex(of: ":"),
      text[colon...].hasPrefix("://")
    else { return text }
    let authority = text[colon...].dropFirst(3)
    return authority.firstIndex(of: "/").map { String(text[$0...]) } ?? "/"
  }
}
