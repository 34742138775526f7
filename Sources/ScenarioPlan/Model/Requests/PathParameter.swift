import TextSearch

/// The part of one segment of a route's path that a name stands for: `{id}`, `Items({id})` or
/// `{name}.pdf`.
package struct PathParameter: Sendable, Equatable {
  package var name: String
  /// The text of the segment before and after the name.
  package var prefix = ""
  package var suffix = ""

  /// Reads a segment; nil if it has no name in braces.
  package init?(segment: String) {
    guard let open = segment.firstIndex(of: "{"), let close = segment.lastIndex(of: "}"),
      segment.index(after: open) < close
    else { return nil }
    name = String(segment[segment.index(after: open)..<close])
    prefix = String(segment[..<open])
    suffix = String(segment[segment.index(after: close)...])
  }

  /// Returns what the name stands for in a segment; nil if the segment does not fit. A name stands
  /// for one character at least.
  package func value(in segment: String) -> String? {
    let (bytes, before, after) = (Array(segment.utf8), Array(prefix.utf8), Array(suffix.utf8))
    guard bytes.count > before.count + after.count, bytes.starts(with: before),
      bytes.suffix(after.count).elementsEqual(after)
    else { return nil }
    return String(decoding: bytes[before.count..<(bytes.count - after.count)], as: UTF8.self)
  }

  /// Returns whether each segment that fits the other one fits this one.
  func covers(_ other: PathParameter) -> Bool {
    other.prefix.utf8.starts(with: prefix.utf8)
      && other.suffix.utf8.reversed().starts(with: suffix.utf8.reversed())
  }
}
