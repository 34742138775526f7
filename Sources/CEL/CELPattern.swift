import Patterns
import TextSearch

/// A regular expression of `$regex` or `matches`, with the text it was made from.
package struct CELPattern: Sendable {
  package let text: String
  private let pattern: Pattern

  /// Compiles a pattern, or returns why it is invalid. A pattern that is used `once` is compiled
  /// with less effort.
  package static func compile(
    _ text: String, once: Bool = false
  ) -> Result<CELPattern, CELFault> {
    Pattern.compile(text, once: once).map { CELPattern(text: text, pattern: $0) }
      .mapError { CELFault($0.message) }
  }

  /// Returns whether the pattern is found anywhere in the text. A match that takes too long is a
  /// failure.
  package func search(_ text: String) -> Result<Bool, CELFault> {
    do {
      return .success(try pattern.matches(text))
    } catch {
      return .failure(CELFault(error.message))
    }
  }

  /// The named groups with their numbers, in the order of their names.
  package var groupNames: [(name: String, number: Int)] { pattern.groupNames }

  /// Returns the texts of the groups where the pattern is found first, the whole match in front.
  package func groups(in text: String) -> [String?]? {
    (try? pattern.groups(in: text)) ?? nil
  }

  /// Searches at the expense of the evaluation it is part of.
  func matches(_ text: String, _ meter: inout Meter) throws(CELFault) -> Bool {
    try meter.spend(CELLimits.stepsForMatch + text.utf8.count >> 2)
    return try search(text).get()
  }

  /// Goes through the matches in a text, one behind the other, until the body returns false. The
  /// body gets the places of all groups, the whole match in front.
  func forEachMatch(
    in text: [UInt8], _ meter: inout Meter,
    _ body: ([Range<Int>?]) throws(CELFault) -> Bool
  ) throws(CELFault) {
    try meter.spend(text.count >> 2)
    var start = 0
    while start <= text.count {
      try meter.spend(CELLimits.stepsForMatch)
      guard let groups = try places(in: text, from: start), let whole = groups[0] else { return }
      guard try body(groups) else { return }
      start = whole.upperBound
      if whole.isEmpty { start = characterEnd(in: text, start) }
    }
  }

  private func places(in text: [UInt8], from start: Int) throws(CELFault) -> [Range<Int>?]? {
    do {
      return try pattern.places(in: text, from: start)
    } catch {
      throw CELFault(error.message)
    }
  }
}

/// Returns the position after the character at a position of UTF-8.
private func characterEnd(in text: [UInt8], _ position: Int) -> Int {
  var end = position + 1
  while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
  return end
}
