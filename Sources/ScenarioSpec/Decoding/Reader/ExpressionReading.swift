import CEL
import Diagnostics
import Values
import YAMLSyntax

extension MappingReader {
  /// An expression, bare.
  func expression(_ key: Key) -> ExpressionText? {
    assertShape(key) { $0 == .expression }
    return self[key].flatMap { values.readExpression($0.value, .key(key)) }
  }
}

extension ValueReader {
  /// A bare expression; numbers and truth values are expressions by their text.
  func readExpression(_ node: YAMLNode, _ subject: Subject) -> ExpressionText? {
    guard let scalar = node.scalar else {
      let help = "put quotes around the expression: `\"…\"`"
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

  /// The part of a scalar's text as an expression, with its way back into the file.
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

  /// What is inside, where the text is one `${…}` whole; the empty text where it merely begins so.
  private func wrappedExpression(_ bytes: [UInt8]) -> String?? {
    let trimmed = bytes.drop(while: isBlankByte)
    guard trimmed.starts(with: [UInt8(ascii: "$"), UInt8(ascii: "{")]) else { return nil }
    let inside = trimmed.startIndex + 2
    guard let close = endOfExpression(in: bytes[inside...]),
      bytes[(close + 1)...].allSatisfy(isBlankByte)
    else { return .some(nil) }
    return .some(String(decoding: bytes[inside..<close], as: UTF8.self))
  }
}

/// Where the bytes of a scalar's text stand in its file.
private struct TextOffsets {
  /// In longer texts that run out of step with their file, expressions are only known by the place
  /// of the whole scalar, since finding a place walks over all that stands before it.
  private static let longestWalk = 16 << 10

  let scalar: YAMLScalar
  let file: SourceFile?
  /// Where the content begins, when text and file run in step.
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

  /// Where text and file run apart in a part of the text, counted from the part's beginning.
  func bends(in part: Range<Int>) -> [ExpressionText.Bend] {
    guard inStep == nil, file != nil, isWalkable, !part.isEmpty else { return [] }
    var bends: [ExpressionText.Bend] = []
    collect(part.lowerBound, part.upperBound - 1, from: part.lowerBound, into: &bends)
    return bends
  }

  private var isWalkable: Bool { scalar.text.utf8.count <= TextOffsets.longestWalk }

  /// Stretches that are as long in the file as in the text hold no bend; others are halved.
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
  /// Where the content begins, when text and file run in step.
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
