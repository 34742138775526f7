import Diagnostics
import Values
import YAMLSyntax

extension DocumentReader {
  /// Reads a matcher. Parsing bounds its depth.
  func readMatcher(_ node: YAMLNode) -> MatcherSpec? {
    switch node.content {
    case .scalar(let scalar):
      warnOfOperator(scalar, at: node.range)
      return readSpelled(node).map { MatcherSpec(.scalar($0), node.range) }
    case .sequence(let nodes): return readMatchers(nodes).map { MatcherSpec(.list($0), node.range) }
    case .mapping(let entries): return readMapMatcher(entries, node)
    }
  }

  /// Warns of an operator without its value, which is read as text.
  private func warnOfOperator(_ scalar: YAMLScalar, at range: SourceRange) {
    if scalar.text.utf8.first == UInt8(ascii: "#"),
      let meant = ForeignMatchers.markers[scalar.text]
    {
      report(.markerAsText(scalar.text, meant: meant, at: range))
    }
    guard scalar.text.utf8.first == UInt8(ascii: "$"), scalar.style == .plain,
      let rule = LanguageTable.operators.rule(named: scalar.text)
    else { return }
    report(.operatorAsText(scalar.text, takesFlag: rule.shape == .flag, at: range))
  }

  /// Warns of a single field that has the name of a matcher: `{ equals: 200 }`. Fields of these
  /// names hardly ever have a plain value.
  private func warnOfMatcher(_ entry: YAMLEntry) {
    guard let scalar = entry.value.scalar else { return }
    // The number of matches is a field of many answers.
    if entry.key == "contains" || entry.key == "matches", !scalar.isText { return }
    guard ForeignMatchers.isMatcher(entry.key, value: scalar.text) else { return }
    let value = scalar.shownAsWritten
    let meant = ForeignMatchers.matcher(meantBy: entry.key, value: value)
    report(.matcherAsField(entry.key, meant: meant, value: value, at: entry.keyRange))
  }

  private func readMatchers(_ nodes: YAMLElements) -> [MatcherSpec]? {
    let matchers = nodes.compactMap { readMatcher($0) }
    return matchers.count == nodes.count ? matchers : nil
  }

  private func readMapMatcher(_ entries: YAMLEntries, _ node: YAMLNode) -> MatcherSpec? {
    for entry in entries where !hasLiteralKey(entry) { return nil }
    if let first = entries.first(where: { $0.isOperator }) {
      if let plain = entries.first(where: { !$0.isOperator }) {
        // `$.status` among fields is a path, whatever stands beside it.
        if first.key.hasPrefix("$.") { return readOperator(first).flatMap { _ in nil } }
        report(.mixedOperators(KeyPlace(first), KeyPlace(plain)))
        return nil
      }
      if let mark = node.entry(Key.secretOperator.rawValue),
        node.entry(Key.asOperator.rawValue) == nil,
        node.entry(Key.regexOperator.rawValue) == nil
      {
        report(
          .missingCompanion(
            of: KeyPlace(mark), [.asOperator, .regexOperator], rival: nil,
            in: LanguageTable.operators))
      }
      let specs = entries.compactMap { readOperator($0) }
      return specs.count == entries.count ? MatcherSpec(.operators(specs), node.range) : nil
    }
    if let only = entries.first, entries.count == 1 { warnOfMatcher(only) }
    var parts: [(key: Located<Value>, value: MatcherSpec)] = []
    parts.reserveCapacity(entries.count)
    for entry in entries {
      guard let matcher = readMatcher(entry.value) else { continue }
      parts.append((Located(entry.keyValue, entry.keyRange), matcher))
    }
    return parts.count == entries.count ? MatcherSpec(.map(parts), node.range) : nil
  }

  private func readOperator(_ entry: YAMLEntry) -> OperatorSpec? {
    let table = LanguageTable.operators
    guard let rule = table.rule(named: entry.key) else {
      let known = table.keys.map(\.name)
      let nearest = nearestName(to: entry.key, among: known)
      report(.unknownOperator(entry.key, nearest: nearest, at: entry.keyRange))
      return nil
    }
    return readOperator(rule.key, entry.value).map { OperatorSpec(kind: $0, name: entry.name) }
  }

  private func readSecret(_ node: YAMLNode) -> OperatorSpec.Kind? {
    reading.marksSecrets = true
    return readBool(node, .key(.secretOperator)).map { .secret($0.value) }
  }

  private func readOperator(_ key: Key, _ node: YAMLNode) -> OperatorSpec.Kind? {
    switch key {
    case .anyOperator: readFlag(node, .key(key)) ? .any : nil
    case .absentOperator: readFlag(node, .key(key)) ? .absent : nil
    case .typeOperator: readType(node)
    case .exactlyOperator: readSpelledParts(node).map { .data(.exactly, $0) }
    case .greaterOperator: readData(node).map { .data(.compare(.greaterThan), $0) }
    case .atLeastOperator: readData(node).map { .data(.compare(.atLeast), $0) }
    case .lessOperator: readData(node).map { .data(.compare(.lessThan), $0) }
    case .atMostOperator: readData(node).map { .data(.compare(.atMost), $0) }
    case .startsWithOperator: readScalar(node, .key(key)).map { .data(.affix(.start), $0) }
    case .endsWithOperator: readScalar(node, .key(key)).map { .data(.affix(.end), $0) }
    case .likeOperator: readData(node).map { .data(.like, $0) }
    case .eachLikeOperator: readData(node).map { .data(.eachLike, $0) }
    case .matchOperator: readMatcher(node).map { .inner(.match, $0) }
    case .notOperator: readMatcher(node).map { .inner(.not, $0) }
    case .eachOperator: readMatcher(node).map { .inner(.each, $0) }
    case .containsOperator: readMatcher(node).map { .inner(.contains, $0) }
    case .sizeOperator: readMatcher(node).map { .inner(.size, $0) }
    case .textOperator: readMatcher(node).map { .inner(.text, $0) }
    case .jsonOperator: readMatcher(node).map { .inner(.json, $0) }
    case .fileOperator:
      readFile(node) { DocumentReader($0).readMatcher($1) }.map { .inner(.match, $0) }
    case .inOperator: readList(node, key).map { .list(.oneOf, $0) }
    case .anyOrderOperator: readList(node, key).map { .list(.anyOrder, $0) }
    case .regexOperator: readText(node, .key(key)).map { .regex($0) }
    case .whereOperator: readExpression(node, .key(key)).map { .where($0) }
    case .asOperator: readCapture(node, .key(.asOperator)).map { .capture($0) }
    case .secretOperator: readSecret(node)
    case .schemaOperator: readLiteralData(node, .key(key)).map { .schema($0) }
    case .exampleOperator: readData(node).map { .example($0) }
    default: nil
    }
  }

  private func readType(_ node: YAMLNode) -> OperatorSpec.Kind? {
    readWord(node, LanguageTable.typeWords, .key(.typeOperator))
      .flatMap { TypeName(rawValue: $0.value) }.map { .type($0) }
  }

  private func readList(_ node: YAMLNode, _ key: Key) -> [MatcherSpec]? {
    guard case .sequence(let nodes) = node.content else {
      reportWrongType(node, .key(key), takes: .list(.matcher))
      return nil
    }
    return readMatchers(nodes)
  }

  /// Reads the name of a capture. It must not hide a name of the stage.
  func readCapture(_ node: YAMLNode, _ subject: ValueSubject) -> Located<String>? {
    guard let name = readNewName(node, subject) else { return nil }
    if let stage = reading.declaration(of: name.value) {
      report(.duplicateName(name.value, at: name.range, first: stage))
      return nil
    }
    return name
  }

  /// Reads the matcher of one event. A diagram, which is many events, is an error.
  func readEventMatcher(_ node: YAMLNode, _ source: String, in place: String) -> MatcherSpec? {
    guard let key = marbleKey(of: node) else { return readMatcher(node) }
    report(.misplacedMarble(key.key, source, in: place, at: key.keyRange))
    return nil
  }

  /// Returns the key of a diagram in the map form of `expect`; nil if the value is no diagram.
  func marbleKey(of node: YAMLNode) -> YAMLEntry? {
    node.entry(Key.marble.rawValue) ?? node.entry(Key.subscriptions.rawValue)
  }
}

extension YAMLScalar {
  /// The value for a help line, with quotes if it has any; a long one is left out.
  fileprivate var shownAsWritten: String {
    let isShort = text.utf8.count <= 40 && !text.contains { $0 == "'" || $0.isNewline }
    guard isShort else { return "…" }
    return style == .plain ? text : "'\(text)'"
  }
}

extension YAMLEntry {
  fileprivate var isOperator: Bool { key.utf8.first == UInt8(ascii: "$") }
}
