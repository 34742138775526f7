import Diagnostics
import Values
import YAMLSyntax

extension ScenarioReader {
  /// A name that refers to something, or one that expressions never see.
  func readName(_ node: YAMLNode, _ subject: Subject) -> Located<String>? {
    guard let scalar = node.scalar, scalar.isText else {
      reportWrongType(node, subject, takes: .name)
      return nil
    }
    let name = Located(scalar.text, node.range)
    return isIdentifier(name) ? name : nil
  }

  /// A name that is given here, for expressions to use: a parameter, a capture.
  func readNewName(_ node: YAMLNode, _ subject: Subject) -> Located<String>? {
    guard let name = readName(node, subject), !isExpressionWord(name) else { return nil }
    return name
  }

  func readAddress(_ node: YAMLNode, _ subject: Subject) -> Located<String>? {
    guard let scalar = node.scalar, scalar.isText else {
      reportWrongType(node, subject, takes: .address)
      return nil
    }
    let address = Located(scalar.text, node.range)
    return isGoodAddress(address) ? address : nil
  }

  /// The key of a map, as the name of something on the stage.
  func readStageName(_ entry: YAMLEntry) -> Located<String>? {
    guard let name = readInnerName(entry) else { return nil }
    if let reason = reasonNotToName(name.value) {
      report(.reservedName(name.value, because: reason, at: name.range))
      return nil
    }
    declare(name)
    return name
  }

  /// The key of a map, as a name in an inner scope: a field, an action, a column.
  func readInnerName(_ entry: YAMLEntry) -> Located<String>? {
    isIdentifier(entry.name) && !isExpressionWord(entry.name) ? entry.name : nil
  }

  func readAddress(_ entry: YAMLEntry) -> Located<String>? {
    isGoodAddress(entry.name) ? entry.name : nil
  }

  private func isIdentifier(_ name: Located<String>) -> Bool {
    if isIdentifierText(name.value.utf8[...]) { return true }
    report(.badName(name.value, at: name.range))
    return false
  }

  private func isExpressionWord(_ name: Located<String>) -> Bool {
    guard ReservedNames.expressionWords.contains(name.value) else { return false }
    report(.reservedName(name.value, because: ReservedNames.expressionReason, at: name.range))
    return true
  }

  private func isGoodAddress(_ address: Located<String>) -> Bool {
    var rest = address.value.utf8[...]
    while let dot = rest.firstIndex(of: UInt8(ascii: ".")) {
      guard isIdentifierText(rest[..<dot]) else { break }
      rest = rest[rest.index(after: dot)...]
    }
    if isIdentifierText(rest) { return true }
    report(.badAddress(address.value, at: address.range))
    return false
  }

  private func reasonNotToName(_ name: String) -> String? {
    if LanguageTable.entryOptions.contains(name) { return "an option of the entries of `expect`" }
    return ReservedNames.scopeWords.contains(name) ? "a word that expressions use" : nil
  }
}

/// Words that cannot name things.
package enum ReservedNames {
  /// Keywords and macros of expressions: no name anywhere.
  package static let expressionWords = [
    "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function",
    "if", "import", "let", "loop", "package", "namespace", "return", "var", "void", "while", "has",
    "all", "exists", "exists_one", "map", "filter",
  ]
  static let expressionReason = "a word of the expression language"

  /// What expressions find in scope by these words, and the source of what actions emit: no name
  /// of a thing on the stage.
  package static let scopeWords = [
    "value", "event", "payload", "request", "response", "env", "events",
  ]
}

private func isIdentifierText(_ bytes: Substring.UTF8View) -> Bool {
  guard let first = bytes.first, !isDigit(first) else { return false }
  return bytes.allSatisfy { isLetter($0) || isDigit($0) }
}

private func isLetter(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
}

private func isDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}
