/// The ways in which programs write a text in JSON. They differ in what they escape.
private struct JSONEscapes {
  /// `\/`, as PHP writes it.
  var slash = false
  /// `\u00fc` for all that is not ASCII, as Python and PHP write it.
  var nonASCII = false
  /// The other characters that are written as `\u…`: `<>&` in Go, more of them in .NET.
  var others = ""
  var upperCase = false

  static let all = [
    JSONEscapes(), JSONEscapes(slash: true), JSONEscapes(nonASCII: true),
    JSONEscapes(nonASCII: true, upperCase: true), JSONEscapes(slash: true, nonASCII: true),
    JSONEscapes(slash: true, nonASCII: true, upperCase: true), JSONEscapes(others: "<>&"),
    JSONEscapes(nonASCII: true, others: "<>&'+\"`", upperCase: true),
  ]

  func written(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      if others.unicodeScalars.contains(scalar) || (nonASCII && !scalar.isASCII) {
        for unit in String(scalar).utf16 { result += codeText(unit) }
      } else {
        result += escape(scalar)
      }
    }
  }

  private func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "/": slash ? "\\/" : "/"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case "\u{8}": "\\b"
    case "\u{C}": "\\f"
    case "\u{0}"..<" ": codeText(UInt16(scalar.value))
    default: String(scalar)
    }
  }

  private func codeText(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16, uppercase: upperCase)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}

/// How many times a text may be quoted in another one: JSON in a text in JSON in a text in JSON.
private let mostQuotings = 3

/// Returns a text as it stands in JSON, and in JSON that is itself a text in JSON.
func escapedForms(_ text: String) -> [String] {
  var forms: Set<String> = []
  for escapes in JSONEscapes.all {
    var quoted = [text]
    for _ in 1...mostQuotings {
      let next = quoted.flatMap { [escapes.written($0), JSONEscapes().written($0)] }
      quoted = Array(Set(next))
      forms.formUnion(quoted)
    }
  }
  return Array(forms)
}
