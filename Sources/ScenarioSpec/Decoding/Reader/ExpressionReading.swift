import CEL
import Diagnostics
import YAMLSyntax

extension MappingReader {
  /// Reads an expression without `${}`.
  func expression(_ key: Key) -> ExpressionText? {
    assertShape(key) { $0 == .expression }
    return self[key].flatMap { values.readExpression($0.value, .key(key)) }
  }
}

extension DocumentReader {
  /// Reads an expression without `${}`. The text of a number or a truth value is one, too.
  func readExpression(_ node: YAMLNode, _ subject: ValueSubject) -> ExpressionText? {
    guard let scalar = node.scalar else {
      let help =
        condition(meantBy: node) ?? start(in: node, subject) ?? expression(meantBy: node)
      reportWrongType(node, subject, takes: .expression, help: help)
      return nil
    }
    let bytes = Array(scalar.text.utf8)
    guard bytes.contains(where: { !isBlankByte($0) }) else {
      report(.emptyExpression(subject.text, at: node.range))
      return nil
    }
    if let inner = wrappedExpression(bytes) {
      report(.wrappedExpression(inner, for: subject.text, at: node.range))
      return nil
    }
    return expression(bytes[...], of: scalar)
  }

  /// Returns a part of a scalar's text as an expression, with its place in the file.
  func expression(_ part: ArraySlice<UInt8>, of scalar: YAMLScalar) -> ExpressionText {
    let offsets = TextOffsets(scalar, file: reading.file)
    let start = offsets.fileOffset(of: part.startIndex)
    let end = max(start, offsets.fileOffset(of: part.endIndex))
    let range = SourceRange(file: scalar.range.file, start: start, end: end)
    let text = String(decoding: part, as: UTF8.self)
    return ExpressionText(text, range, bends: offsets.bends(in: part.startIndex..<part.endIndex))
  }

  func range(_ part: Range<Int>, of scalar: YAMLScalar) -> SourceRange {
    let offsets = TextOffsets(scalar, file: reading.file)
    let start = offsets.fileOffset(of: part.lowerBound)
    let end = max(start, offsets.fileOffset(of: part.upperBound))
    return SourceRange(file: scalar.range.file, start: start, end: end)
  }

  /// Returns the expression without its `${` and `}`, if the text begins so; an inner nil if
  /// nothing can be proposed.
  private func wrappedExpression(_ bytes: [UInt8]) -> String?? {
    let trimmed = bytes.drop(while: isBlankByte)
    guard trimmed.starts(with: [UInt8(ascii: "$"), UInt8(ascii: "{")]) else { return nil }
    let inside = trimmed.startIndex + 2
    guard let close = endOfExpression(in: bytes[inside...]) else { return .some(nil) }
    let rest = String(decoding: bytes[(close + 1)...], as: UTF8.self)
    guard !rest.holdsExpression else { return .some(nil) }
    let inner = String(decoding: bytes[inside..<close], as: UTF8.self)
    return .some(rest.utf8.allSatisfy(isBlankByte) ? inner : inner + rest)
  }

  /// Returns the help for `scan: { initial: 0, … }`: the start stands beside the rule.
  private func start(in node: YAMLNode, _ subject: ValueSubject) -> String? {
    guard case .key(let verb) = subject, verb == .scan || verb == .reduce,
      ["initial", "seed", "start"].contains(where: { node.entry($0) != nil })
    else { return nil }
    return "write the start beside the rule: `{ \(verb.rawValue): result + value, initial: 0 }`"
  }

  /// Returns the help for a list in the place of an expression: `[value > 3]` needs no brackets,
  /// and `[1, 2]` needs quotes.
  private func expression(meantBy node: YAMLNode) -> String {
    let elements = node.elements?.compactMap(\.scalar) ?? []
    let text = elements.map(\.text).joined(separator: ", ")
    let isShown = elements.count == node.elements?.count
    guard isShown, !text.contains(where: { $0 == "\"" || $0.isNewline }) else {
      return "put quotes around the expression: `\"…\"`"
    }
    return elements.count == 1
      ? "write the expression without brackets: `\(text)`"
      : "put quotes around the expression: `\"[\(text)]\"`"
  }

  /// Returns the help for a map such as `{ count: 3 }` in the place of a condition, for a condition
  /// that has a name (`{ is ok: status == 200 }`), and for one that YAML has cut at a colon.
  private func condition(meantBy node: YAMLNode) -> String? {
    guard let only = node.entries?.first, node.entries?.count == 1,
      let scalar = only.value.scalar, !scalar.isAbsent, !only.key.contains("\"")
    else { return nil }
    if hasComparison(only.key) || only.key.contains("'") {
      return "a colon ends a key: put quotes around the expression: "
        + "`\"\(only.key): \(scalar.text)\"`"
    }
    if hasComparison(scalar.text) { return "write the condition alone: `\(scalar.text)`" }
    let value = scalar.isText ? "'\(scalar.text)'" : scalar.text
    return "write the condition as an expression: `\(only.key) == \(value)`"
  }

  private func hasComparison(_ text: String) -> Bool {
    text.split(separator: " ").contains { ["==", "!=", "<", "<=", ">", ">=", "&&"].contains($0) }
  }
}

/// The places of the bytes of a scalar's text in its file.
private struct TextOffsets {
  /// The longest text in which the places of expressions are found if text and file diverge. In a
  /// longer one their place is that of the whole scalar: finding a place walks over all before it.
  private static let longestWalk = 16 << 10

  let scalar: YAMLScalar
  let file: SourceFile?
  /// The start of the content, if text and file do not diverge.
  let inStep: Int32?

  init(_ scalar: YAMLScalar, file: SourceFile?) {
    self.scalar = scalar
    self.file = file
    inStep = scalar.startInStep
  }

  func fileOffset(of offset: Int) -> Int32 {
    if let inStep { return inStep &+ Int32(clamping: offset) }
    guard let file, isWalkable else { return scalar.range.start }
    return scalar.sourceOffset(ofTextOffset: offset, in: file)
  }

  /// Returns where text and file diverge in a part of the text, counted from the part's start.
  func bends(in part: Range<Int>) -> [ExpressionText.Bend] {
    guard inStep == nil, file != nil, isWalkable, !part.isEmpty else { return [] }
    var bends: [ExpressionText.Bend] = []
    collect(part.lowerBound, part.upperBound - 1, from: part.lowerBound, into: &bends)
    return bends
  }

  private var isWalkable: Bool { scalar.text.utf8.count <= TextOffsets.longestWalk }

  /// Finds bends by halving. A part with the same length in file and text has none.
  private func collect(
    _ low: Int, _ high: Int, from base: Int, into bends: inout [ExpressionText.Bend]
  ) {
    let (start, end) = (fileOffset(of: low), fileOffset(of: high))
    guard Int(end) - Int(start) != high - low else { return }
    guard high - low > 1 else {
      bends.append(.init(textOffset: Int32(clamping: high - base), fileOffset: end))
      return
    }
    let middle = (low + high) / 2
    collect(low, middle, from: base, into: &bends)
    collect(middle, high, from: base, into: &bends)
  }
}

extension YAMLScalar {
  /// The start of the content, if text and file do not diverge.
  var startInStep: Int32? {
    let quotes: Int32 =
      switch style {
      case .plain: 0
      case .singleQuoted, .doubleQuoted: 1
      case .literal, .folded: -1
      }
    let length = range.end - range.start
    let isInStep = quotes >= 0 && Int(length) == text.utf8.count + 2 * Int(quotes)
    return isInStep ? range.start + quotes : nil
  }
}

func isBlankByte(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
