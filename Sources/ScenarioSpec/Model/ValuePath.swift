import TextSearch

/// The way to a part of a value, such as `items[0].qty`.
package struct ValuePath: Sendable, Equatable {
  package enum Part: Sendable, Equatable {
    case field(String)
    case index(Int)
  }

  package var parts: [Part]

  /// Reads names joined by dots, each with any number of indices. Nil for other text.
  package init?(_ text: String) {
    parts = []
    for word in text.split(separator: ".", omittingEmptySubsequences: false) {
      let pieces = word.split(separator: "[", omittingEmptySubsequences: false)
      guard let name = pieces.first, isIdentifierText(String(name), dotted: false) else {
        return nil
      }
      parts.append(.field(String(name)))
      for piece in pieces.dropFirst() {
        guard piece.last == "]", piece.utf8.count < 10, let index = Int(piece.dropLast()),
          index >= 0, piece.first != "+"
        else { return nil }
        parts.append(.index(index))
      }
    }
  }

  /// The names at the beginning, before the first index.
  package var leadingNames: [String] {
    parts.prefix { if case .field = $0 { true } else { false } }.map(\.text)
  }
}

extension ValuePath.Part {
  fileprivate var text: String {
    switch self {
    case .field(let name): name
    case .index(let index): "[\(index)]"
    }
  }
}
