/// The form of a text on an output, which decides how words in it can be broken or escaped.
package enum OutputForm: Sendable {
  /// Lines for people.
  case text
  case json
  /// XML or HTML.
  case markup
  /// The program's own commands for a build server.
  case commands
}

/// Returns a text in which build servers find no command: what a server under test or a scenario
/// says must not set their variables or mark their files.
///
/// GitHub obeys a line that begins with `::`, after blanks. Azure, TeamCity and older runners of
/// GitHub obey `##vso[`, `##teamcity[` and `##[` anywhere in a line. A backslash that a reader sees
/// comes between the two signs, or in JSON and markup the escape of the second sign, so that the
/// value stays.
package func withoutServerCommands(_ text: String, in form: OutputForm) -> String {
  guard mayHoldCommand(text) else { return text }
  var result = String.UnicodeScalarView()
  var rest = text.unicodeScalars[...]
  var isAtStart = form != .commands
  while let scalar = rest.popFirst() {
    result.append(scalar)
    switch scalar {
    case "#" where beginsHashCommand(rest): breakSign("#", &result, &rest, form)
    case ":" where isAtStart && rest.afterIgnorable.first == ":":
      breakSign(":", &result, &rest, form)
    default: break
    }
    isAtStart = form != .commands && (scalar.isLineBreak || isAtStart && scalar.isPassedOver)
  }
  return String(result)
}

private func mayHoldCommand(_ text: String) -> Bool {
  var signs = 0
  for byte in text.utf8 where byte == UInt8(ascii: "#") || byte == UInt8(ascii: ":") {
    signs += 1
    if signs > 1 { return true }
  }
  return false
}

/// Puts something between a sign that was copied and the same sign that follows.
private func breakSign(
  _ sign: Unicode.Scalar, _ result: inout String.UnicodeScalarView,
  _ rest: inout Substring.UnicodeScalarView, _ form: OutputForm
) {
  switch form {
  case .text, .commands: result.append("\\")
  case .json:
    rest = rest.afterIgnorable.dropFirst()
    result += "\\u00\(String(sign.value, radix: 16))".unicodeScalars
  case .markup:
    rest = rest.afterIgnorable.dropFirst()
    result += "&#\(sign.value);".unicodeScalars
  }
}

/// The words between `##` and `[`, in small letters.
private let hashCommands: Set<String> = ["", "vso", "teamcity"]

/// Returns whether a command begins with a `#` before this text.
private func beginsHashCommand(_ text: Substring.UnicodeScalarView) -> Bool {
  var rest = text.afterIgnorable
  guard rest.popFirst() == "#" else { return false }
  var word = ""
  while word.utf8.count <= 8 {
    rest = rest.afterIgnorable
    guard let scalar = rest.popFirst() else { return false }
    if scalar == "[" { return hashCommands.contains(word.lowercased()) }
    word.unicodeScalars.append(scalar)
  }
  return false
}

extension Substring.UnicodeScalarView {
  /// The text without characters in front that comparisons of words may ignore.
  fileprivate var afterIgnorable: Self { drop { $0.properties.isDefaultIgnorableCodePoint } }
}

extension Unicode.Scalar {
  fileprivate var isLineBreak: Bool { self == "\n" || self == "\r" }

  /// True if a runner may pass over the character at the beginning of a line.
  fileprivate var isPassedOver: Bool {
    properties.isWhitespace || properties.isDefaultIgnorableCodePoint
  }
}
