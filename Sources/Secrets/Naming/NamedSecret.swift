/// A text that is secret, and the name that stands for it.
package struct NamedSecret: Sendable, Equatable {
  package var name: String
  package var text: String

  package init(name: String, text: String) {
    self.name = name
    self.text = text
  }

  /// The secret as reports name it: with its length, by which one that was cut is known.
  package var withLength: NamedSecret {
    let count = text.count
    return NamedSecret(name: "\(name), \(count) character\(count == 1 ? "" : "s")", text: text)
  }
}

/// Returns the text that stands for a secret in a trace.
package func secretPlaceholder(_ name: String) -> String { "‹\(name)›" }

/// The name of what is computed from values that were computed from secrets.
package let computedStem = "computed"

/// A part of a text that was masked: what stands there, or a credential by its name.
package struct MaskedPart: Sendable, Equatable {
  package var text: String
  /// The shell's variable that stands for a credential: `ACCESS_TOKEN`, `ACCESS_TOKEN_2`; nil for
  /// any other part.
  package var variable: String?
}

/// Returns the parts of a text in which credentials have been replaced by their names and lengths.
package func textAndCredentials(_ text: String) -> [MaskedPart] {
  var parts: [MaskedPart] = []
  var rest = text[...]
  var plain = ""
  while let open = rest.firstIndex(of: "‹"), let close = rest[open...].firstIndex(of: "›") {
    plain += rest[..<open]
    let name = rest[rest.index(after: open)..<close]
    if let variable = variable(named: name) {
      if !plain.isEmpty { parts.append(MaskedPart(text: plain)) }
      plain = ""
      parts.append(MaskedPart(text: String(rest[open...close]), variable: variable))
    } else {
      plain += rest[open...close]
    }
    rest = rest[rest.index(after: close)...]
  }
  plain += rest
  return plain.isEmpty ? parts : parts + [MaskedPart(text: plain)]
}

/// Returns the variable for `access_token#2, 43 characters`; nil for any other text.
private func variable(named text: Substring) -> String? {
  let words = text.split(separator: ",", omittingEmptySubsequences: false)
  guard words.count == 2, words[1].hasSuffix(" character") || words[1].hasSuffix(" characters"),
    let sign = words[0].lastIndex(of: "#"), let number = Int(words[0][sign...].dropFirst())
  else { return nil }
  let stem = words[0][..<sign].uppercased().map { character in
    character.isASCII && (character.isLetter || character.isNumber) ? character : "_"
  }
  let name = String(stem) + (number == 1 ? "" : "_\(number)")
  return name.first?.isNumber == true ? "_" + name : name
}

/// Returns a text with the names of credentials alone, as traces have them.
package func withoutLengths(_ text: String) -> String {
  guard text.contains("‹") else { return text }
  return textAndCredentials(text).map { part in
    guard part.variable != nil else { return part.text }
    return part.text.prefix { $0 != "," } + "›"
  }.joined()
}
