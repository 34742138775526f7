/// A filter that replaces secrets in text by `***` or a name, also those in Base64, percent-encoded
/// or with escapes.
package struct SecretMask: Sendable {
  /// A secret as a text may have it, and the bytes in its place.
  private struct Form: Sendable {
    var bytes: [UInt8]
    var replacement: [UInt8]
  }

  /// All forms of all secrets, the longest first, so that no part of one stays readable because
  /// another was replaced inside it.
  private let forms: [Form]
  /// True if parts of secrets beside a `…` are hidden too.
  private let hidesCutForms: Bool

  package init(_ secrets: [String]) {
    forms = SecretMask.forms(of: secrets) { _ in "***" }
    hidesCutForms = true
  }

  /// Makes a filter that replaces each secret by `‹name›`.
  package init(_ secrets: [String], names: [String: String]) {
    forms = SecretMask.forms(of: secrets) { "‹\(names[$0] ?? "secret")›" }
    hidesCutForms = false
  }

  private static func forms(of secrets: [String], _ replacement: (String) -> String) -> [Form] {
    var known: Set<[UInt8]> = []
    var forms: [Form] = []
    for secret in secrets where !secret.isEmpty {
      let name = Array(replacement(secret).utf8)
      for part in [Substring(secret)] + tellingLines(of: secret) {
        for form in writtenForms(Array(part.utf8)) where known.insert(form).inserted {
          forms.append(Form(bytes: form, replacement: name))
        }
      }
    }
    return forms.sorted { $0.bytes.count > $1.bytes.count }
  }

  package var isEmpty: Bool { forms.isEmpty }

  /// Returns the text without any secret.
  package func masked(_ text: String) -> String {
    if forms.isEmpty { return text }
    var bytes = masked(Array(text.utf8))
    if hidesCutForms { bytes = hidingCutForms(forms.map(\.bytes), in: bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the bytes without any whole secret.
  package func masked(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for form in forms { bytes = replacing(form.bytes, by: form.replacement, in: bytes) }
    return bytes
  }

  /// Returns what stands for the first secret that a text contains; nil if it contains none.
  package func finding(in bytes: [UInt8]) -> String? {
    let found = forms.first { bytes.firstRange(of: $0.bytes) != nil }
    return found.map { String(decoding: $0.replacement, as: UTF8.self) }
  }

  /// Masks the texts inside a value. Cutting the value short then leaves no half of a secret.
  package func masked(_ value: Value) -> Value {
    if forms.isEmpty { return value }
    switch value {
    case .string(let text): return .string(masked(text))
    case .list(let elements): return .list(elements.map { masked($0) })
    case .map(let map): return .map(ValueMap(map.map { (masked($0.key), masked($0.value)) }))
    case .bytes(let bytes):
      let text = String(decoding: bytes, as: UTF8.self)
      return masked(text) == text ? value : .string("***")
    case .optional(let inner): return .optional(inner.map { masked($0) })
    case .int, .uint, .double:
      let text = value.plainText
      return masked(text) == text ? value : .string("***")
    case .null, .bool, .timestamp, .duration, .type: return value
    }
  }
}

private func replacing(
  _ form: [UInt8], by replacement: [UInt8], in bytes: [UInt8]
) -> [UInt8] {
  var result: [UInt8] = []
  var position = 0
  while position < bytes.count {
    if bytes[position] == form[0], bytes[position...].starts(with: form) {
      result += replacement
      position += form.count
    } else {
      result.append(bytes[position])
      position += 1
    }
  }
  return result
}

/// The lines of a secret that has several. An excerpt of a file shows each line by itself.
private func tellingLines(of secret: String) -> [Substring] {
  let lines = secret.split { $0.isNewline }
  return lines.count < 2 ? [] : lines.filter { $0.utf8.count >= shortestLine }
}

/// The fewest bytes of a line that is masked. Shorter lines would mask too much other text.
private let shortestLine = 4

private func writtenForms(_ secret: [UInt8]) -> [[UInt8]] {
  var quoted: [UInt8] = []
  quoted.appendJSON(text: String(decoding: secret, as: UTF8.self))
  let percent = PlaceInURL.allCases.flatMap { place in
    [false, true].map { percentEncoded(secret, in: place, upperCase: $0) }
  }
  return [secret, Array(quoted.dropFirst().dropLast())] + percent + base64Forms(secret)
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

/// The fewest characters of a Base64 form that is masked.
private let shortestBase64Form = 6

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
