import Synchronization
import Values

/// Some secrets, and all forms in which a text may have them. The forms are made when they are
/// needed first: most runs show nothing.
final class SecretForms: Sendable {
  let secrets: [String]
  private let made = Mutex<SecretIndex?>(nil)

  init(_ secrets: [String]) { self.secrets = secrets }

  var count: Int { secrets.count }

  var forms: SecretIndex {
    made.withLock { made in
      if let made { return made }
      let index = latestIndexes.withLock { $0.index(of: secrets) }
      made = index
      return index
    }
  }
}

/// The indexes that were made last. The runs of a scenario, their traces and their reports look for
/// the same secrets, and to make all forms of one takes as long as a small run.
struct LatestIndexes {
  private static let most = 64
  /// The most bytes of secrets whose index is kept. Longer ones are seldom the same.
  private static let mostBytes = 1 << 10
  /// By the bytes of the secrets: two texts with other bytes may be equal.
  private var indexes: [[[UInt8]]: SecretIndex] = [:]
  private var order: [[[UInt8]]] = []

  var count: Int { indexes.count }

  mutating func index(of secrets: [String]) -> SecretIndex {
    guard secrets.reduce(0, { $0 + $1.utf8.count }) <= LatestIndexes.mostBytes else {
      return SecretIndex(secrets)
    }
    let bytes = secrets.map { Array($0.utf8) }
    if let known = indexes[bytes] { return known }
    if order.count >= LatestIndexes.most { indexes[order.removeFirst()] = nil }
    order.append(bytes)
    let index = SecretIndex(secrets)
    indexes[bytes] = index
    return index
  }
}

private let latestIndexes = Mutex(LatestIndexes())

/// The most bytes of a secret that is found encoded. A longer one, such as a whole document, is
/// found as it is.
private let longestEncodedSecret = 1 << 16

/// The forms of secrets, in an order in which they are found fast.
struct SecretIndex: Sendable {
  /// The forms that are hidden wherever they stand, the longest first.
  private(set) var long: [[UInt8]] = []
  /// The forms that are hidden where they stand alone, the longest first.
  private var short: [[UInt8]] = []
  /// The long forms by their first four bytes.
  private var byStart: [UInt32: [Int]] = [:]
  /// True for bytes with which a long form begins.
  private var starts = [Bool](repeating: false, count: 256)

  init(_ secrets: [String]) {
    var long: Set<[UInt8]> = []
    var short: Set<[UInt8]> = []
    for part in secrets.flatMap(hiddenParts) {
      if part.utf8.count > longestEncodedSecret {
        long.insert(Array(part.utf8))
      } else if part.count < SecretMask.shortestInsideWords {
        short.formUnion(textForms(part))
      } else {
        let bytes = Array(part.utf8)
        long.formUnion(
          textForms(part) + base64Forms(bytes) + hexadecimalForms(bytes) + digestForms(bytes))
      }
    }
    self.long = long.sorted(by: isBefore)
    self.short = short.sorted(by: isBefore)
    for (position, form) in self.long.enumerated() {
      byStart[SecretIndex.key(form, 0), default: []].append(position)
      starts[Int(form[0])] = true
    }
  }

  /// Returns where secrets stand, plain or with any of their bytes percent-encoded. Places may
  /// overlap.
  func places(in bytes: [UInt8], hidesShort: Bool) -> [Range<Int>] {
    places(in: bytes, hidesShort: hidesShort, decodings: mostPercentDecodings)
  }

  private func places(in bytes: [UInt8], hidesShort: Bool, decodings: Int) -> [Range<Int>] {
    let places = writtenPlaces(in: bytes, hidesShort: hidesShort)
    guard decodings > 0, bytes.contains(UInt8(ascii: "%")) else { return places }
    return [false, true].reduce(into: places) { places, plusIsSpace in
      guard let text = PercentDecodedText(bytes, plusIsSpace: plusIsSpace) else { return }
      let found = self.places(
        in: text.bytes, hidesShort: hidesShort, decodings: decodings - 1)
      places += found.map { text.place(of: $0) }
    }
  }

  private func writtenPlaces(in bytes: [UInt8], hidesShort: Bool) -> [Range<Int>] {
    var places: [Range<Int>] = []
    if bytes.count >= 4, !long.isEmpty {
      for position in 0...(bytes.count - 4) where starts[Int(bytes[position])] {
        guard let forms = byStart[SecretIndex.key(bytes, position)] else { continue }
        guard let form = forms.first(where: { bytes[position...].starts(with: long[$0]) })
        else { continue }
        places.append(position..<position + long[form].count)
      }
    }
    return hidesShort && !short.isEmpty ? places + shortPlaces(in: bytes) : places
  }

  private func shortPlaces(in bytes: [UInt8]) -> [Range<Int>] {
    bytes.indices.compactMap { position in
      if position > 0, isOfWord(bytes[position - 1]) { return nil }
      return short.lazy.map { position..<position + $0.count }.first { place in
        guard place.upperBound <= bytes.count,
          short.contains(where: { bytes[place].elementsEqual($0) })
        else { return false }
        return place.upperBound == bytes.count || !isOfWord(bytes[place.upperBound])
      }
    }
  }

  private static func key(_ bytes: [UInt8], _ start: Int) -> UInt32 {
    UInt32(bytes[start]) << 24 | UInt32(bytes[start + 1]) << 16 | UInt32(bytes[start + 2]) << 8
      | UInt32(bytes[start + 3])
  }
}

/// Returns whether a byte is a part of a word: a letter, a digit, `_`, or not ASCII.
private func isOfWord(_ byte: UInt8) -> Bool {
  switch byte {
  case 48...57, 65...90, 95, 97...122, 0x80...: true
  default: false
  }
}

private func isBefore(_ one: [UInt8], _ other: [UInt8]) -> Bool {
  one.count == other.count ? one.lexicographicallyPrecedes(other) : one.count > other.count
}

/// A secret, also without its percent codes and without blanks around it, and the lines of one that
/// has several: an excerpt of a file shows each line by itself.
private func hiddenParts(_ secret: String) -> [String] {
  var trimmed = Substring(secret)
  while let last = trimmed.last, last.isWhitespace { trimmed.removeLast() }
  trimmed = trimmed.drop { $0.isWhitespace }
  let lines = trimmed.split { $0.isNewline }
  // The lines of JSON are no secrets: each closing brace is one.
  let telling =
    lines.count < 2 || secret.mayBeContainer
    ? [] : lines.filter { $0.count >= SecretMask.shortestInsideWords }
  return [secret] + decodedPart(secret)
    + (trimmed.isEmpty || trimmed == secret ? [] : [String(trimmed)])
    + telling.map(String.init)
}

/// Returns the text that a receiver reads if a URL contains a secret with percent codes unchanged.
private func decodedPart(_ secret: String) -> [String] {
  guard let text = PercentDecodedText(Array(secret.utf8), plusIsSpace: false) else { return [] }
  let decoded = String(decoding: text.bytes, as: UTF8.self)
  return decoded.count < SecretMask.shortestInsideWords ? [] : [decoded]
}

/// The forms of a secret in plain text, in JSON and in URLs.
private func textForms(_ secret: String) -> [[UInt8]] {
  // Most secrets are letters and digits, which nobody encodes, and all forms of them are one.
  if secret.utf8.allSatisfy(isUnreserved) { return [Array(secret.utf8)] }
  let percent = PlaceInURL.allCases.flatMap { place in
    [false, true].map { percentEncoded(Array(secret.utf8), in: place, upperCase: $0) }
  }
  return [Array(secret.utf8)] + escapedForms(secret).map { Array($0.utf8) } + percent
}

/// A part of a URL. Which characters stay unencoded depends on the part and on the program.
private enum PlaceInURL: CaseIterable {
  case anywhere, form, segment, path

  func keeps(_ byte: UInt8) -> Bool {
    switch self {
    case .anywhere, .form: isUnreserved(byte)
    case .segment: isUnreserved(byte) || isKeptInSegments(byte)
    case .path: isUnreserved(byte) || isKeptInSegments(byte) || byte == UInt8(ascii: "/")
    }
  }
}

private func percentEncoded(
  _ bytes: [UInt8], in place: PlaceInURL, upperCase: Bool
) -> [UInt8] {
  let digits = Array((upperCase ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
  return bytes.flatMap { byte -> [UInt8] in
    if place.keeps(byte) { return [byte] }
    if place == .form, byte == UInt8(ascii: " ") { return [UInt8(ascii: "+")] }
    return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
}

private func isKeptInSegments(_ byte: UInt8) -> Bool { "!$'()*,;:@&=+".utf8.contains(byte) }

private func isUnreserved(_ byte: UInt8) -> Bool {
  switch byte {
  case 48...57, 65...90, 97...122: true
  case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
  default: false
  }
}

/// The fewest characters of a Base64 form that is masked. A secret of four characters has so many,
/// in the middle of a longer code as well.
private let shortestBase64Form = 4

/// The forms of a secret inside the Base64 of a longer text, such as `user:secret` in a header.
///
/// The secret may begin at any of three places of a group. Its edges mix with the text around it.
private func base64Forms(_ secret: [UInt8]) -> [[UInt8]] {
  var forms: [[UInt8]] = []
  for urlSafe in [false, true] {
    forms.append(Array(Base64.encode(secret, urlSafe: urlSafe).utf8))
    for (shift, mixed) in [(0, 0), (1, 2), (2, 3)] {
      let padded = Array(repeating: UInt8(0), count: shift) + secret
      let wholeCharacters = padded.count * 8 / 6
      let text = Array(Base64.encode(padded, urlSafe: urlSafe).utf8).prefix(wholeCharacters)
      let inner = Array(text.dropFirst(mixed))
      if inner.count >= shortestBase64Form { forms.append(inner) }
    }
  }
  return forms
}

/// The forms of bytes in hexadecimal digits.
private func hexadecimalForms(_ bytes: [UInt8]) -> [[UInt8]] {
  [false, true].map { Array(hexadecimal(bytes, upperCase: $0).utf8) }
}

/// The digests of a secret: who knows one can try out what the secret may be.
private func digestForms(_ secret: [UInt8]) -> [[UInt8]] {
  Digest.allCases.flatMap { kind in
    let digest = kind.digest(of: secret)
    let base64 = [false, true].map { Array(Base64.encode(digest, urlSafe: $0).utf8) }
    return hexadecimalForms(digest) + base64
  }
}
