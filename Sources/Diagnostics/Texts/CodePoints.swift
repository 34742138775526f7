/// Returns where two texts first differ, by code points, if a reader could not see it: they differ
/// only outside of ASCII or in white space. Nil for all other texts.
public func codePointDifference(actual: String, expected: String) -> String? {
  let (one, other) = (Array(actual), Array(expected))
  let shared = zip(one, other).prefix { isSame($0, $1) }.count
  guard shared < max(one.count, other.count), lookAlike(one[shared...], other[shared...]) else {
    return nil
  }
  let sides = [one, other].map { $0.count > shared ? described($0[shared]) : "the end" }
  return "first difference at character \(shared + 1): \(sides[0]) | \(sides[1])"
}

/// Returns where the first two texts differ of which a reader could not see it. Of several pairs to
/// choose from, they are also drawn alike.
public func codePointDifference(
  among pairs: [(actual: String, expected: String)]
) -> String? {
  pairs.lazy.filter { pairs.count == 1 || isDrawnAlike($0.actual, $0.expected) }
    .compactMap { codePointDifference(actual: $0.actual, expected: $0.expected) }.first
}

/// Returns whether two texts have the same letters, in whatever spelling, between white space.
private func isDrawnAlike(_ one: String, _ other: String) -> Bool {
  one.compactMap(\.shape).elementsEqual(other.compactMap(\.shape), by: ==)
}

/// Swift's own comparison of characters finds two spellings of one letter equal.
private func isSame(_ one: Character, _ other: Character) -> Bool {
  one.unicodeScalars.elementsEqual(other.unicodeScalars)
}

/// Compares what is left of two texts without white space and characters that have no shape.
private func lookAlike(_ one: ArraySlice<Character>, _ other: ArraySlice<Character>) -> Bool {
  let (one, other) = (one.compactMap(\.shape), other.compactMap(\.shape))
  return one.count == other.count
    && zip(one, other).allSatisfy { isSame($0, $1) || !($0.isASCII && $1.isASCII) }
}

extension Character {
  /// The character without the code points that are never drawn; nil if nothing is left, or white
  /// space.
  fileprivate var shape: Character? {
    let drawn = unicodeScalars.filter {
      !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint
    }
    return drawn.isEmpty ? nil : String(String.UnicodeScalarView(drawn)).first
  }
}

/// `U+00A0 (no-break space)`.
private func described(_ character: Character) -> String {
  let shown = character.unicodeScalars.prefix(longestCharacterDescribed)
  let numbers = shown.map { "U+" + codePointDigits($0) }
  let names = shown.compactMap { ($0.properties.name ?? $0.properties.nameAlias)?.lowercased() }
  let rest = shown.count < character.unicodeScalars.count ? " …" : ""
  return numbers.joined(separator: " ") + rest
    + (names.isEmpty ? "" : " (" + names.joined(separator: ", ") + ")")
}

/// A character can have any number of code points; more than these are not described.
private let longestCharacterDescribed = 4

/// The number of a code point in at least four hexadecimal digits.
func codePointDigits(_ scalar: Unicode.Scalar) -> String {
  let digits = String(scalar.value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}
