import Diagnostics
import YAMLSyntax

extension DocumentReader {
  /// A name that refers to something, or one that expressions never see.
  func readName(_ node: YAMLNode, _ subject: ValueSubject) -> Located<String>? {
    guard let scalar = node.scalar, scalar.isText else {
      reportWrongType(node, subject, takes: .name)
      return nil
    }
    let name = Located(scalar.text, node.range)
    return isIdentifier(name) ? name : nil
  }

  /// A name that is given here, for expressions to use: a parameter, a capture.
  func readNewName(_ node: YAMLNode, _ subject: ValueSubject) -> Located<String>? {
    guard let name = readName(node, subject), !isExpressionWord(name) else { return nil }
    return name
  }

  /// Reports each name that a list has more than once, and returns the others.
  func withoutRepeated(_ names: [Located<String>], of list: String) -> [Located<String>] {
    var known: [String: SourceRange] = [:]
    return names.filter { name in
      guard let first = known[name.value] else {
        known[name.value] = name.range
        return true
      }
      report(.repeatedName(name, first: first, of: list))
      return false
    }
  }

  func readAddress(_ node: YAMLNode, _ subject: ValueSubject) -> Located<String>? {
    guard let scalar = node.scalar, scalar.isText else {
      reportWrongType(node, subject, takes: .address)
      return nil
    }
    let address = Located(scalar.text, node.range)
    return isGoodAddress(address) ? address : nil
  }

  /// The key of a map, as the name of something on the stage.
  func readStageName(_ entry: YAMLEntry) -> Located<String>? {
    readStageName(entry.name)
  }

  /// A name of something on the stage, wherever it was written.
  func readStageName(_ name: Located<String>) -> Located<String>? {
    guard let name = readInnerName(name), isFree(name) else { return nil }
    return name
  }

  /// Reads the key of a map that gives something on the stage its name.
  func readStageName(_ node: YAMLNode, _ subject: ValueSubject) -> Located<String>? {
    guard let name = readNewName(node, subject), isFree(name) else { return nil }
    return name
  }

  /// Takes the name, unless the language has it for something else.
  private func isFree(_ name: Located<String>) -> Bool {
    if let reason = reasonNotToName(name.value) {
      report(.reservedName(name.value, because: reason, at: name.range))
      return false
    }
    reading.declare(name)
    return true
  }

  /// The key of a map, as the name of a declared source. It may have dots; then its first word
  /// names nothing, and nothing else on the stage may have it.
  func readSourceName(_ entry: YAMLEntry) -> Located<String>? {
    guard let name = readAddress(entry) else { return nil }
    let parts = name.value.split(separator: ".").map(String.init)
    guard let head = parts.first, !isExpressionWord(Located(head, name.range)) else { return nil }
    guard parts.count > 1 else { return isFree(name) ? name : nil }
    if let reason = reasonNotToName(head) {
      report(.reservedName(head, because: reason, at: name.range))
      return nil
    }
    reading.declare(name)
    reading.declareHead(head, at: name.range)
    return name
  }

  /// Returns whether a name that was made from another text can be a name on the stage.
  func isStageName(_ name: Located<String>) -> Bool {
    isIdentifierText(name.value, dotted: false)
      && !ReservedNames.inExpressions.contains(name.value)
      && reasonNotToName(name.value) == nil
  }

  /// The key of a map, as a name in an inner scope: a field, an action, a column.
  func readInnerName(_ entry: YAMLEntry) -> Located<String>? {
    readInnerName(entry.name)
  }

  private func readInnerName(_ name: Located<String>) -> Located<String>? {
    isIdentifier(name) && !isExpressionWord(name) ? name : nil
  }

  func readAddress(_ entry: YAMLEntry) -> Located<String>? {
    let name = entry.name
    return isGoodAddress(name) ? name : nil
  }

  /// Reads the address of a value, or of a part of it: `person.age`, `items[${at}].qty`.
  func readPlace(_ entry: YAMLEntry) -> (address: Located<String>, path: ValuePath?)? {
    guard let key = readKey(entry) else { return nil }
    let pieces: [TextPart] =
      switch key.content {
      case .text(let pieces): pieces
      case .expression(let expression): [.expression(expression)]
      case .literal, .list, .map, .keyedMap, .example: [.literal(entry.key)]
      }
    if let path = ValuePath(pieces, at: entry.keyRange) { return (entry.name, path) }
    if entry.key.holdsExpression {
      report(.expressionInPlace(asIndices(pieces), at: entry.keyRange))
      return nil
    }
    return readAddress(entry).map { ($0, nil) }
  }

  /// Returns a place in which each expression stands in brackets, as an index.
  private func asIndices(_ pieces: [TextPart]) -> String {
    var text = ""
    for piece in pieces {
      switch piece {
      case .literal(let literal):
        text += text.last == "]" && literal.hasPrefix("]") ? String(literal.dropFirst()) : literal
      case .expression(let expression):
        if text.last == "." || text.last == "[" { text.removeLast() }
        text += "[${\(expression.text)}]"
      }
    }
    return text
  }

  private func isIdentifier(_ name: Located<String>) -> Bool {
    if isIdentifierText(name.value, dotted: false) { return true }
    if !refusesExpression(in: name.value, "this place", takes: .name, at: name.range) {
      report(.badName(name.value, at: name.range))
    }
    return false
  }

  private func isExpressionWord(_ name: Located<String>) -> Bool {
    guard ReservedNames.inExpressions.contains(name.value) else { return false }
    report(.reservedName(name.value, because: ReservedNames.expressionReason, at: name.range))
    return true
  }

  private func isGoodAddress(_ address: Located<String>) -> Bool {
    if isIdentifierText(address.value, dotted: true) { return true }
    if !refusesExpression(in: address.value, "this place", takes: .address, at: address.range) {
      report(.badAddress(address.value, at: address.range))
    }
    return false
  }

  private func reasonNotToName(_ name: String) -> String? {
    if ReservedNames.ofEntries.contains(name) { return "an option of the entries of `expect`" }
    return ReservedNames.inScope.contains(name) ? "a word that expressions use" : nil
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

  /// The names that have a meaning in expressions, and the source of the events that actions emit.
  /// They cannot be names on the stage.
  package static let scopeWords = [
    "value", "event", "payload", "request", "response", "env", "events",
  ]

  /// All words that cannot name things on the stage.
  package static let onStage = Set(expressionWords + scopeWords + LanguageTable.entryOptions)

  fileprivate static let inExpressions = WordSet(expressionWords)
  fileprivate static let inScope = WordSet(scopeWords)
  fileprivate static let ofEntries = WordSet(LanguageTable.entryOptions)
}

/// Some words, by their lengths. A name has the length of few of them, so this is faster than
/// hashing.
private struct WordSet: Sendable {
  private let byLength: [[String]]

  init(_ words: [String]) {
    let longest = words.lazy.map(\.utf8.count).max() ?? 0
    byLength = (0...longest).map { length in words.filter { $0.utf8.count == length } }
  }

  func contains(_ name: String) -> Bool {
    let length = name.utf8.count
    return length < byLength.count && byLength[length].contains(name)
  }
}

/// Returns whether a text consists of identifiers joined by dots, or of a single one.
func isIdentifierText(_ text: String, dotted: Bool) -> Bool {
  var text = text
  return text.withUTF8 { isIdentifierText($0, dotted: dotted) }
}

private func isIdentifierText(_ text: UnsafeBufferPointer<UInt8>, dotted: Bool) -> Bool {
  var isAtStart = true
  for byte in text {
    if isLetter(byte) || (isDigit(byte) && !isAtStart) {
      isAtStart = false
    } else if dotted, byte == UInt8(ascii: "."), !isAtStart {
      isAtStart = true
    } else {
      return false
    }
  }
  return !isAtStart
}

private func isLetter(_ byte: UInt8) -> Bool {
  (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
}

private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
