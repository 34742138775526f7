import Diagnostics
import TextSearch
import Values
import YAMLSyntax

extension MappingReader {
  func data(_ key: Key) -> DataSpec? {
    assertShape(key) { $0 == .value }
    return self[key].flatMap { values.readData($0.value) }
  }

  /// Reads a scalar that is text, or becomes text.
  func scalar(_ key: Key) -> DataSpec? {
    assertShape(key) { $0 == .scalar }
    return self[key].flatMap { values.readSentText($0.value, .key(key)) }
  }

  func count(_ key: Key) -> DataSpec? {
    guard let entry = self[key], case .count(let range)? = rule.rule(for: key)?.shape else {
      assertShape(key) { if case .count = $0 { true } else { false } }
      return nil
    }
    return values.readCount(entry.value, in: range, .key(key))
  }

  /// Reads a map from texts, such as header fields, to single values.
  func scalars(_ key: Key) -> [NamedData] {
    assertShape(key) {
      if case .anyOf(let shapes) = $0 { return shapes.contains(.map(.text, .scalar)) }
      return $0 == .map(.text, .scalar)
    }
    return entries(key).compactMap { entry in
      guard values.hasLiteralKey(entry) else { return nil }
      return values.readSentText(entry.value, .entry(entry.key, of: key)).map { (entry.name, $0) }
    }
  }

  /// Reads a map from names to values.
  func namedData(_ key: Key) -> [NamedData] {
    assertShape(key) { $0 == .map(.name, .value) }
    return entries(key).compactMap { entry in
      guard let name = values.readInnerName(entry), let value = values.readData(entry.value) else {
        return nil
      }
      return (name, value)
    }
  }
}

extension DocumentReader {
  /// Reads any data. Parsing bounds its depth.
  func readData(_ node: YAMLNode) -> DataSpec? {
    switch node.content {
    case .scalar(let scalar): readData(scalar, at: node.range).flatMap(refusingLarge)
    case .sequence(let elements): readList(elements, at: node.range)
    case .mapping(let entries):
      if let path = pathNode(entries) {
        readFile(path) { DocumentReader($0).readData($1) }
      } else {
        readMap(entries, at: node.range)
      }
    }
  }

  /// Reads data without expressions.
  func readLiteralData(_ node: YAMLNode, _ subject: ValueSubject) -> DataSpec? {
    guard let data = readData(node) else { return nil }
    if case .literal = data.content { return data }
    report(.literalOnly(subject.text, at: node.range))
    return nil
  }

  func readScalar(_ node: YAMLNode, _ subject: ValueSubject) -> DataSpec? {
    guard let scalar = node.scalar, !scalar.isAbsent else {
      reportWrongType(node, subject, takes: .scalar)
      return nil
    }
    return readData(scalar, at: node.range).flatMap(refusingLarge)
  }

  /// Reads a scalar in a place of text, where it is sent as it is written.
  func readSentText(_ node: YAMLNode, _ subject: ValueSubject) -> DataSpec? {
    guard let scalar = node.scalar, !scalar.isAbsent else {
      reportWrongType(node, subject, takes: .scalar)
      return nil
    }
    if scalar.style == .plain { reading.settle(node.range) }
    var data = readSpelled(node)
    data?.use = .sent
    return data
  }

  /// Reads a scalar of which only the lowering knows whether it is in a place of text.
  func readSpelled(_ node: YAMLNode) -> DataSpec? {
    node.scalar.flatMap { readData($0, at: node.range) }
  }

  /// Reads data whose scalars keep their spellings, however deep. Only the lowering knows whether
  /// it is compared with texts.
  func readSpelledParts(_ node: YAMLNode) -> DataSpec? {
    guard node.holdsSpelling else { return readData(node) }
    switch node.content {
    case .scalar: return readSpelled(node)
    case .sequence(let nodes):
      return DataSpec(.list(nodes.compactMap(readSpelledParts)), node.range)
    case .mapping(let entries):
      let parts = entries.compactMap { entry in
        readSpelledParts(entry.value).map { (Located(entry.keyValue, entry.keyRange), $0) }
      }
      return DataSpec(.map(parts), node.range)
    }
  }

  /// Reports a number that no value can hold.
  private func refusingLarge(_ data: DataSpec) -> DataSpec? {
    guard data.isTooLarge, case .literal(let value) = data.content else { return data }
    report(.unreadableNumber(value.plainText, at: data.range))
    return nil
  }

  func readCount(_ node: YAMLNode, in range: ClosedRange<Int>, _ subject: ValueSubject) -> DataSpec?
  {
    if let text = node.text, text.contains(byte: UInt8(ascii: "$")) {
      guard let data = readScalar(node, subject) else { return nil }
      if case .expression = data.content { return data }
      reportWrongType(node, subject, takes: .count(range))
      return nil
    }
    return readInteger(node, in: range, subject).map {
      DataSpec(.literal(.int($0.value)), node.range)
    }
  }

  /// Reads a key, which may have expressions in it.
  func readKey(_ entry: YAMLEntry) -> DataSpec? { readData(entry.keyScalar, at: entry.keyRange) }

  private func readData(_ scalar: YAMLScalar, at range: SourceRange) -> DataSpec? {
    guard scalar.text.contains(byte: UInt8(ascii: "$")), scalar.isText else {
      let value = scalar.value
      var data = DataSpec(.literal(value), range)
      data.spelling = scalar.spelling(besides: value)
      data.isTooLarge = scalar.isUnreadableNumber
      return data
    }
    let bytes = Array(scalar.text.utf8)
    let (pieces, unterminated) = splitText(bytes)
    if let unterminated {
      let place = self.range(unterminated..<unterminated + 2, of: scalar)
      report(.unterminatedExpression(at: place))
      return nil
    }
    guard isEveryExpressionFilled(pieces, bytes, of: scalar) else { return nil }
    if case .expression(let part)? = pieces.first, pieces.count == 1 {
      return DataSpec(.expression(expression(bytes[part], of: scalar)), range)
    }
    return DataSpec(text(pieces, bytes, of: scalar), range)
  }

  private func isEveryExpressionFilled(
    _ pieces: [TextPiece], _ bytes: [UInt8], of scalar: YAMLScalar
  ) -> Bool {
    for case .expression(let part) in pieces where bytes[part].allSatisfy(isBlankByte) {
      let place = range(part.lowerBound - 2..<part.upperBound + 1, of: scalar)
      report(.emptyExpression("`${}`", at: place))
      return false
    }
    return true
  }

  private func text(_ pieces: [TextPiece], _ bytes: [UInt8], of scalar: YAMLScalar)
    -> DataSpec.Content
  {
    var parts: [TextPart] = []
    var literal = ""
    for piece in pieces {
      switch piece {
      case .characters(let part): literal += String(decoding: bytes[part], as: UTF8.self)
      case .escaped: literal += "${"
      case .expression(let part):
        if !literal.isEmpty { parts.append(.literal(literal)) }
        literal = ""
        parts.append(.expression(expression(bytes[part], of: scalar)))
      }
    }
    if parts.isEmpty { return .literal(.string(literal)) }
    if !literal.isEmpty { parts.append(.literal(literal)) }
    return .text(parts)
  }

  private func readList(_ nodes: YAMLElements, at range: SourceRange) -> DataSpec? {
    let elements = nodes.compactMap(readData)
    guard elements.count == nodes.count else { return nil }
    let literals = elements.compactMap(\.literal)
    guard literals.count == elements.count else { return DataSpec(.list(elements), range) }
    return DataSpec(.literal(.list(literals)), range)
  }

  private func readMap(_ nodes: YAMLEntries, at range: SourceRange) -> DataSpec? {
    var values: [DataSpec] = []
    values.reserveCapacity(nodes.count)
    var literals = ValueMap()
    literals.reserveCapacity(nodes.count)
    for node in nodes {
      guard let value = readData(node.value) else { continue }
      if let literal = value.literal { literals.updateValue(literal, forKey: node.keyValue) }
      values.append(value)
    }
    guard values.count == nodes.count else { return nil }
    if nodes.contains(where: { hasExpression($0.key) }) {
      let keys = nodes.compactMap(readKey)
      guard keys.count == nodes.count else { return nil }
      return DataSpec(.keyedMap(Array(zip(keys, values))), range)
    }
    if literals.count == values.count { return DataSpec(.literal(.map(literals)), range) }
    let entries = zip(nodes, values).map { (Located($0.keyValue, $0.keyRange), $1) }
    return DataSpec(.map(entries), range)
  }
}

extension DocumentReader {
  /// Returns whether a key is without expressions, after a diagnostic if it is not.
  func hasLiteralKey(_ entry: YAMLEntry) -> Bool {
    guard hasExpression(entry.key) else { return true }
    report(.literalKey(at: entry.keyRange))
    return false
  }

  private func hasExpression(_ text: String) -> Bool {
    guard text.contains(byte: UInt8(ascii: "$")) else { return false }
    let (pieces, unterminated) = splitText(Array(text.utf8))
    return unterminated != nil
      || pieces.contains { if case .expression = $0 { true } else { false } }
  }
}

extension YAMLNode {
  /// True if a scalar in it would be written in another way, and no key is an expression.
  fileprivate var holdsSpelling: Bool {
    switch content {
    case .scalar(let scalar):
      scalar.isUnreadableNumber || scalar.spelling(besides: scalar.value) != nil
    case .sequence(let nodes): nodes.contains(where: \.holdsSpelling)
    case .mapping(let entries):
      entries.contains { $0.value.holdsSpelling }
        && !entries.contains { $0.key.contains(byte: UInt8(ascii: "$")) }
    }
  }
}

extension DataSpec {
  fileprivate var literal: Value? { if case .literal(let value) = content { value } else { nil } }
}
