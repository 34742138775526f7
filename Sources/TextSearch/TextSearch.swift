import Glibc

/// Text in which other text is searched, byte by byte.
///
/// The standard library's search compares characters and brings its regular expressions into the
/// program: a megabyte, for a question that bytes answer in a fraction of the time.
package protocol SearchableText: StringProtocol {}

extension String: SearchableText {}
extension Substring: SearchableText {}

extension SearchableText {
  /// True if these bytes occur in the text. Every text contains the empty one.
  package func contains(_ part: String) -> Bool { firstOffset(of: part) != nil }

  /// The place of the first occurrence, or nil.
  package func firstRange(of part: String) -> Range<String.Index>? {
    guard let offset = firstOffset(of: part) else { return nil }
    let start = utf8.index(startIndex, offsetBy: offset)
    return start..<utf8.index(start, offsetBy: part.utf8.count)
  }

  /// Returns what stands between the occurrences of a part: the whole text if there is none.
  package func pieces(separatedBy part: String) -> [String] {
    var pieces: [String] = []
    var rest = Substring(self)
    while !part.isEmpty, let found = rest.firstRange(of: part) {
      pieces.append(String(rest[..<found.lowerBound]))
      rest = rest[found.upperBound...]
    }
    return pieces + [String(rest)]
  }

  /// Replaces each occurrence, from the first on. An empty part occurs nowhere here.
  package func replacing(_ part: String, with other: String) -> String {
    guard !part.isEmpty, contains(part) else { return String(self) }
    var result = ""
    var rest = Substring(self)
    while let found = rest.firstRange(of: part) {
      result += rest[..<found.lowerBound]
      result += other
      rest = rest[found.upperBound...]
    }
    return result + rest
  }

  private func firstOffset(of part: String) -> Int? {
    var part = part
    return part.withUTF8 { part in
      if let found = utf8.withContiguousStorageIfAvailable({ offset(of: part, in: $0) }) {
        return found
      }
      return Array(utf8).withUnsafeBufferPointer { offset(of: part, in: $0) }
    }
  }
}

extension SearchableText {
  /// True if this byte occurs in the text.
  package func contains(byte: UInt8) -> Bool { firstOffset(of: byte) != nil }

  /// The place of the first of this ASCII character, or nil.
  package func firstIndex(ofASCII character: Unicode.Scalar) -> String.Index? {
    firstOffset(of: UInt8(ascii: character)).map { utf8.index(startIndex, offsetBy: $0) }
  }

  /// The place of the last of this ASCII character, or nil.
  package func lastIndex(ofASCII character: Unicode.Scalar) -> String.Index? {
    let byte = UInt8(ascii: character)
    let found = utf8.withContiguousStorageIfAvailable { $0.lastIndex(of: byte) }
    let offset = found ?? Array(utf8).lastIndex(of: byte)
    return offset.map { utf8.index(startIndex, offsetBy: $0) }
  }

  // Other modules call this as generic code, and each check of a header or a path comes to it.
  @_specialize(where Self == String)
  @_specialize(where Self == Substring)
  private func firstOffset(of byte: UInt8) -> Int? {
    utf8.withContiguousStorageIfAvailable { offset(of: byte, in: $0) }
      ?? Array(utf8).withUnsafeBufferPointer { offset(of: byte, in: $0) }
  }
}

extension [UInt8] {
  /// True if these bytes occur here, one beside the other.
  package func contains(_ part: [UInt8]) -> Bool {
    part.withUnsafeBufferPointer { part in
      withUnsafeBufferPointer { offset(of: part, in: $0) } != nil
    }
  }
}

/// The place of a byte among the others, or nil.
private func offset(of byte: UInt8, in whole: UnsafeBufferPointer<UInt8>) -> Int? {
  guard let start = whole.baseAddress, let found = memchr(start, Int32(byte), whole.count)
  else { return nil }
  return UnsafeRawPointer(found) - UnsafeRawPointer(start)
}

/// The place at which the first bytes begin among the others, or nil.
private func offset(
  of part: UnsafeBufferPointer<UInt8>, in whole: UnsafeBufferPointer<UInt8>
) -> Int? {
  guard let wanted = part.baseAddress, let first = part.first else { return 0 }
  guard let start = whole.baseAddress, part.count <= whole.count else { return nil }
  let last = whole.count - part.count
  var next = 0
  while next <= last, let found = memchr(start + next, Int32(first), last - next + 1) {
    let offset = UnsafeRawPointer(found) - UnsafeRawPointer(start)
    if memcmp(start + offset, wanted, part.count) == 0 { return offset }
    next = offset + 1
  }
  return nil
}
