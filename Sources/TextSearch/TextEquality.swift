import Glibc

// Two texts are equal if their code points are. Swift's own operators also find two spellings of
// one letter equal, `é` and `e` with an accent, or `K` and the sign of Kelvin. Servers, files and
// expressions keep such texts apart, so a verdict must. The operators below hide those of the
// standard library in all rooms, so that nobody has to think of it. Keys of sets and dictionaries
// are compared by the standard library: where two such keys must stay apart, the key is a `Value`.

extension StringProtocol {
  package static func == <Other: StringProtocol>(left: Self, right: Other) -> Bool {
    left.utf8.elementsEqual(right.utf8)
  }

  package static func != <Other: StringProtocol>(left: Self, right: Other) -> Bool {
    !left.utf8.elementsEqual(right.utf8)
  }

  package func hasPrefix<Prefix: StringProtocol>(_ prefix: Prefix) -> Bool {
    utf8.starts(with: prefix.utf8)
  }

  package func hasSuffix<Suffix: StringProtocol>(_ suffix: Suffix) -> Bool {
    utf8.reversed().starts(with: suffix.utf8.reversed())
  }

  /// The text with the letters A to Z in lower case.
  package var lowercasedASCII: String { String(self).lowercasedASCII }
}

extension String {
  /// The text with the letters A to Z in lower case. So compare names of headers, hosts, schemes
  /// and media types, for which other letters have no case (RFC 9110, 5.1).
  package var lowercasedASCII: String {
    guard utf8.contains(where: { (65...90).contains($0) }) else { return self }
    return String(decoding: utf8.map { (65...90).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  package static func == (left: String, right: String) -> Bool {
    left.utf8.count == right.utf8.count && compareTexts(left, right) == 0
  }

  package static func != (left: String, right: String) -> Bool {
    left.utf8.count != right.utf8.count || compareTexts(left, right) != 0
  }

  package static func < (left: String, right: String) -> Bool { compareTexts(left, right) < 0 }

  package static func ~= (pattern: String, text: String) -> Bool { pattern == text }

  package func hasPrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

  package func hasSuffix(_ suffix: String) -> Bool {
    utf8.reversed().starts(with: suffix.utf8.reversed())
  }
}

extension Substring {
  package static func == (left: Substring, right: Substring) -> Bool {
    left.utf8.elementsEqual(right.utf8)
  }

  package static func != (left: Substring, right: Substring) -> Bool { !(left == right) }
}

extension String? {
  package static func == (left: String?, right: String?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?): left == right
    case (nil, _?), (_?, nil): false
    }
  }

  package static func != (left: String?, right: String?) -> Bool { !(left == right) }
}

extension [String] {
  package static func == (left: [String], right: [String]) -> Bool {
    left.count == right.count && left.elementsEqual(right) { $0 == $1 }
  }

  package static func != (left: [String], right: [String]) -> Bool { !(left == right) }
}

extension Sequence<String> {
  package func contains(_ text: String) -> Bool { contains { $0 == text } }
}

extension [String] {
  package func contains(_ text: String) -> Bool { contains { $0 == text } }
}

extension Set<String> {
  /// Looks by the hash of the text.
  package func contains(_ text: String) -> Bool { hasMember(text, in: self) }
}

extension Dictionary.Keys where Key == String {
  /// Looks by the hash of the text.
  package func contains(_ text: String) -> Bool { hasMember(text, in: self) }
}

/// Looks as the standard library does, whose function the one below hides. What it finds may be
/// another spelling of the text.
private func hasMember(_ text: String, in members: some Collection<String>) -> Bool {
  place(of: text, in: members).map { members[$0] == text } ?? false
}

private func place<Members: Collection>(
  of member: Members.Element, in members: Members
) -> Members.Index? where Members.Element: Equatable { members.firstIndex(of: member) }

extension Collection<String> {
  package func firstIndex(of text: String) -> Index? { firstIndex { $0 == text } }
}

/// Below, at or above zero if the first text comes before, with or after the second. The bytes of
/// UTF-8 have the order of the code points.
package func compareTexts(_ left: String, _ right: String) -> Int {
  let order = left.utf8.withContiguousStorageIfAvailable { a in
    right.utf8.withContiguousStorageIfAvailable { b in
      let length = min(a.count, b.count)
      guard let first = a.baseAddress, let second = b.baseAddress, length > 0 else {
        return a.count - b.count
      }
      let difference = Int(memcmp(first, second, length))
      return difference != 0 ? difference : a.count - b.count
    }
  }
  if let order, let order { return order }
  if left.utf8.elementsEqual(right.utf8) { return 0 }
  return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
}
