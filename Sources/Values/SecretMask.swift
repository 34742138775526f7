/// A filter that replaces secrets in text by `***`, also those in Base64, percent-encoded or with
/// escapes.
package struct SecretMask: Sendable {
  /// All forms of all secrets, the longest first, so that no part of one stays readable because
  /// another was replaced inside it.
  private let forms: [[UInt8]]

  package init(_ secrets: [String]) {
    var forms: [[UInt8]] = []
    for secret in secrets where !secret.isEmpty {
      for part in [Substring(secret)] + tellingLines(of: secret) {
        for form in writtenForms(Array(part.utf8)) where !forms.contains(form) {
          forms.append(form)
        }
      }
    }
    self.forms = forms.sorted { $0.count > $1.count }
  }

  package var isEmpty: Bool { forms.isEmpty }

  /// Returns the text without any secret.
  package func masked(_ text: String) -> String {
    if forms.isEmpty { return text }
    var bytes = Array(text.utf8)
    for form in forms { bytes = replacing(form, in: bytes) }
    bytes = hidingCutForms(forms, in: bytes)
    return String(decoding: bytes, as: UTF8.self)
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

private func replacing(_ form: [UInt8], in bytes: [UInt8]) -> [UInt8] {
  var result: [UInt8] = []
  var position = 0
  while position < bytes.count {
    if bytes[position] == form[0], bytes[position...].starts(with: form) {
      result += Array("***".utf8)
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
