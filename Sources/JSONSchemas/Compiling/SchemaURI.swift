import TextSearch

/// A URI or a relative reference, parsed and resolved as RFC 3986 says.
struct SchemaURI: Sendable, Equatable {
  var scheme: String?
  var authority: String?
  var path: String
  var query: String?
  var fragment: String?

  init(_ text: String) {
    var rest = Substring(text)
    (rest, fragment) = SchemaURI.cut(rest, at: "#")
    (rest, query) = SchemaURI.cut(rest, at: "?")
    if let colon = rest.firstIndex(of: ":"), SchemaURI.isScheme(rest[..<colon]) {
      scheme = rest[..<colon].lowercasedASCII
      rest = rest[rest.index(after: colon)...]
    }
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: "/") ?? rest.endIndex
      authority = rest[..<end].lowercasedASCII
      rest = rest[end...]
    }
    path = String(rest)
  }

  /// Returns the text before the first such character and the text after it.
  private static func cut(_ text: Substring, at letter: Character) -> (Substring, String?) {
    guard let at = text.firstIndex(of: letter) else { return (text, nil) }
    return (text[..<at], String(text[text.index(after: at)...]))
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.first, first.isASCII, first.isLetter else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
  }

  /// The URI without its fragment, which names a document.
  var document: String {
    (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path
      + (query.map { "?" + $0 } ?? "")
  }

  /// Returns this reference resolved against a base.
  func resolved(against base: SchemaURI) -> SchemaURI {
    var whole = self
    if scheme != nil {
      whole.path = removingDots(path)
      return whole
    }
    whole.scheme = base.scheme
    if authority != nil {
      whole.path = removingDots(path)
      return whole
    }
    whole.authority = base.authority
    if path.isEmpty {
      whole.path = base.path
      whole.query = query ?? base.query
    } else {
      whole.path = removingDots(path.hasPrefix("/") ? path : merged(with: base))
    }
    return whole
  }

  private func merged(with base: SchemaURI) -> String {
    if base.authority != nil, base.path.isEmpty { return "/" + path }
    guard let slash = base.path.lastIndex(of: "/") else { return path }
    return base.path[...slash] + path
  }

  var withoutFragment: SchemaURI {
    var whole = self
    whole.fragment = nil
    return whole
  }
}

/// Returns a path without the segments `.` and `..`.
private func removingDots(_ path: String) -> String {
  guard path.contains(".") else { return path }
  var kept: [Substring] = []
  let segments = path.split(separator: "/", omittingEmptySubsequences: false)
  for (index, segment) in segments.enumerated() {
    let isLast = index == segments.count - 1
    switch segment {
    case ".": if isLast { kept.append("") }
    case "..":
      // The empty segment before the first slash stays.
      if kept.count > 1 || (kept.count == 1 && kept[0] != "") { kept.removeLast() }
      if isLast { kept.append("") }
    default: kept.append(segment)
    }
  }
  return kept.joined(separator: "/")
}

/// Returns a text with its `%41` escapes decoded; nil if they are not UTF-8.
func percentDecoded(_ text: String) -> String? {
  guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
  var bytes: [UInt8] = []
  var rest = text.utf8[...]
  while let byte = rest.popFirst() {
    if byte == UInt8(ascii: "%"), rest.count >= 2, rest.first != UInt8(ascii: "+"),
      let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
    {
      bytes.append(code)
      rest = rest.dropFirst(2)
    } else {
      bytes.append(byte)
    }
  }
  return String(validating: bytes, as: UTF8.self)
}
