import Diagnostics
import TextSearch

/// The way to a part of a value, such as `items[0].qty` or `items[${at}].qty`.
package struct ValuePath: Sendable {
  /// Each is a text (the key of a map), a number (the position in a list), or an expression that
  /// gives one of them.
  package var parts: [DataSpec] = []

  /// Reads names joined by dots, each with any number of indices. An expression may be an index.
  /// Nil for other text.
  init?(_ pieces: [TextPart], at range: SourceRange) {
    var expressions: [ExpressionText] = []
    let texts = pieces.map { piece -> String in
      switch piece {
      case .literal(let text): return text
      case .expression(let expression):
        expressions.insert(expression, at: 0)
        return ValuePath.placeholder
      }
    }
    for word in texts.joined().split(separator: ".", omittingEmptySubsequences: false) {
      let indices = word.split(separator: "[", omittingEmptySubsequences: false)
      guard let name = indices.first, isIdentifierText(String(name), dotted: false) else {
        return nil
      }
      parts.append(DataSpec(.literal(.string(String(name))), range))
      for index in indices.dropFirst() {
        if index == ValuePath.placeholder + "]", let expression = expressions.popLast() {
          parts.append(DataSpec(.expression(expression), expression.range))
        } else if let number = ValuePath.number(index) {
          parts.append(DataSpec(.literal(.int(number)), range))
        } else {
          return nil
        }
      }
    }
    guard expressions.isEmpty else { return nil }
  }

  /// Stands for an expression. No name and no number contains it.
  private static let placeholder = "$"

  private static func number(_ index: Substring) -> Int? {
    guard index.last == "]", index.utf8.count < 10, index.first != "+",
      let number = Int(index.dropLast()), number >= 0
    else { return nil }
    return number
  }

  /// The names at the beginning, before the first index.
  package var leadingNames: [String] {
    var names: [String] = []
    for case .literal(.string(let name)) in parts.lazy.map(\.content).prefix(while: \.isName) {
      names.append(name)
    }
    return names
  }
}

extension DataSpec.Content {
  fileprivate var isName: Bool { if case .literal(.string) = self { true } else { false } }
}
