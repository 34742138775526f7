import TextSearch
import Values

/// A text in YAML that is to be written: a tree whose scalars know how they are read again.
package indirect enum YAMLText: Sendable, Equatable {
  /// Data: a value is quoted wherever it would be read as another.
  case scalar(Value)
  /// Text that stands as it is, such as a duration or an expression.
  case bare(String)
  case list([YAMLText])
  case map([Entry])

  /// A key with its value, and a remark behind it.
  package struct Entry: Sendable, Equatable {
    package var key: String
    package var value: YAMLText
    package var comment: String?

    package init(_ key: String, _ value: YAMLText, comment: String? = nil) {
      self.key = key
      self.value = value
      self.comment = comment
    }
  }
}

extension YAMLText {
  /// Makes the tree of data, whose maps and lists stay what they are.
  package init(_ value: Value) {
    switch value {
    case .list(let elements): self = .list(elements.map { YAMLText($0) })
    case .map(let map):
      self = .map(map.map { Entry($0.key.plainText, YAMLText($0.value)) })
    case .null, .bool, .int, .uint, .double, .digits, .string, .bytes, .timestamp, .duration, .type,
      .optional:
      self = .scalar(value)
    }
  }

  package static func text(_ text: String) -> YAMLText { .scalar(.string(text)) }

  /// Returns the lines of a document, in block style where one line is too short for a part.
  package func written() -> String {
    var writer = YAMLWriter()
    writer.write(self, indent: 0)
    return writer.text
  }
}

/// Writes trees: a part that fits stands in one line, any other in lines of its own.
private struct YAMLWriter {
  private static let longestLine = 96
  private(set) var text = ""

  /// Writes a value whose lines begin at an indentation.
  mutating func write(_ tree: YAMLText, indent: Int) {
    switch tree {
    case .map(let entries) where !entries.isEmpty:
      for entry in entries { write(entry, indent: indent, at: indent) }
    case .list(let elements) where !elements.isEmpty:
      for element in elements { write(element: element, indent: indent) }
    case .map, .list, .scalar, .bare: line(tree.flow, indent)
    }
  }

  private mutating func write(element: YAMLText, indent: Int) {
    let start = String(repeating: " ", count: indent) + "- "
    let isStep = element.isSingleEntry
    if !isStep, fits(element, after: start.utf8.count) { return append(start + element.flow) }
    switch element {
    case .map(let entries) where !entries.isEmpty:
      text += start
      for (number, entry) in entries.enumerated() {
        write(entry, indent: number == 0 ? 0 : indent + 2, at: indent + 2)
      }
    case .list, .map:
      append(start.dropLast().description)
      write(element, indent: indent + 2)
    case .scalar, .bare: append(start + element.flow)
    }
  }

  /// Writes an entry. The first one of a list's element stands behind the dash, so that its own
  /// indentation is none, and what is below it begins at the column of its key.
  private mutating func write(_ entry: YAMLText.Entry, indent: Int, at column: Int) {
    let key = YAMLText.text(entry.key).flow + ":"
    let start = String(repeating: " ", count: indent) + key
    let comment = entry.comment.map { "  # " + $0 } ?? ""
    if fits(entry.value, after: column + key.utf8.count + 1) {
      return append(start + " " + entry.value.flow + comment)
    }
    switch entry.value {
    case .scalar(.string(let value)) where value.fitsBlock:
      append(start + (value.hasSuffix("\n") ? " |" : " |-") + comment)
      for line in value.split(separator: "\n", omittingEmptySubsequences: false).trimmedEnd {
        append(line.isEmpty ? "" : String(repeating: " ", count: column + 2) + line)
      }
    case .scalar, .bare: append(start + " " + entry.value.flow + comment)
    case .map, .list:
      append(start + comment)
      write(entry.value, indent: column + 2)
    }
  }

  private func fits(_ tree: YAMLText, after column: Int) -> Bool {
    tree.isShallow && column + tree.flow.count <= YAMLWriter.longestLine
  }

  private mutating func line(_ content: String, _ indent: Int) {
    append(String(repeating: " ", count: indent) + content)
  }

  private mutating func append(_ line: String) { text += line + "\n" }
}

extension YAMLText {
  /// True for a map of one entry, which reads best as `- key: value`.
  fileprivate var isSingleEntry: Bool {
    if case .map(let entries) = self { entries.count == 1 } else { false }
  }

  /// True if nothing inside needs lines of its own.
  fileprivate var isShallow: Bool {
    switch self {
    case .scalar(.string(let text)): !text.fitsBlock
    case .scalar, .bare: true
    case .list(let elements): elements.allSatisfy(\.isShallow)
    case .map(let entries): entries.allSatisfy { $0.comment == nil && $0.value.isShallow }
    }
  }

  /// The tree in one line.
  fileprivate var flow: String {
    switch self {
    case .bare(let text): return text
    case .scalar(let value): return scalarText(value)
    case .list(let elements): return "[" + elements.map(\.flow).joined(separator: ", ") + "]"
    case .map(let entries):
      if entries.isEmpty { return "{}" }
      let parts = entries.map { YAMLText.text($0.key).flow + ": " + $0.value.flow }
      return "{ " + parts.joined(separator: ", ") + " }"
    }
  }
}

private func scalarText(_ value: Value) -> String {
  switch value {
  case .string(let text): text.isPlainInYAML ? text : text.quotedForYAML
  case .null: "null"
  case .bool, .int, .uint: value.plainText
  case .double(let number) where number.isNaN: ".nan"
  case .double(let number) where number.isInfinite: number < 0 ? "-.inf" : ".inf"
  case .double, .digits, .bytes, .list, .map, .timestamp, .duration, .type, .optional: value.json()
  }
}

extension String {
  /// True if the text can stand in a block of lines, and is better read there.
  fileprivate var fitsBlock: Bool {
    contains("\n") && first?.isWhitespace == false
      && unicodeScalars.allSatisfy { $0 == "\n" || $0.isPrintable }
      && !contains(" \n") && !hasSuffix(" ") && !hasSuffix("\n\n")
  }

  /// The text in quotes, where what cannot be seen is an escape.
  fileprivate var quotedForYAML: String {
    var quoted = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case _ where scalar.isPrintable: quoted.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let isLong = digits.utf8.count > 4
        let zeros = String(repeating: "0", count: (isLong ? 8 : 4) - digits.utf8.count)
        quoted += (isLong ? "\\U" : "\\u") + zeros + digits
      }
    }
    return quoted + "\""
  }

  /// True if the text is read as itself without quotes, within brackets too.
  fileprivate var isPlainInYAML: Bool {
    guard let first = unicodeScalars.first, let last = unicodeScalars.last else { return false }
    return !"!&*-?:,[]{}#|>@`\"'%=~ <".unicodeScalars.contains(first)
      && last != " " && last != ":" && coreValue(of: self) == .string(self)
      && !hasFormOfNumber(self)
      && YAML11Reading(self) == nil && !contains(": ") && !contains(" #")
      && unicodeScalars.allSatisfy { $0.isPrintable && !",[]{}\"'".unicodeScalars.contains($0) }
  }
}

extension Unicode.Scalar {
  fileprivate var isPrintable: Bool {
    switch properties.generalCategory {
    case .control, .surrogate, .unassigned, .privateUse, .format, .lineSeparator,
      .paragraphSeparator:
      false
    case .spaceSeparator: self == " "
    default: true
    }
  }
}

extension [Substring] {
  /// The lines without the empty one behind the last line's end.
  fileprivate var trimmedEnd: ArraySlice<Substring> { last == "" ? dropLast() : self[...] }
}
