import Diagnostics
import Values
import YAMLSyntax

/// The subject of a diagnostic about a value. Its text is made only for a diagnostic.
enum ValueSubject {
  case key(Key)
  case element(Key)
  case entry(String, of: Key)

  var text: String {
    switch self {
    case .key(let key): "`\(key.rawValue)`"
    case .element(let key): "each element of `\(key.rawValue)`"
    case .entry(let name, _): "`\(name)`"
    }
  }

  /// True if its text cannot contain an expression.
  fileprivate var takesLiteralText: Bool {
    switch self {
    case .key(let key), .element(let key): LanguageTable.literalTexts.contains(key)
    case .entry: false
    }
  }
}

extension Shape {
  /// True if a mapping of the table may stand in place of other forms.
  fileprivate var mayBeMapping: Bool {
    guard case .anyOf(let shapes) = self else { return false }
    return shapes.contains { if case .mapping = $0 { true } else { false } }
  }

  /// True if it is a scalar whose value is known when the file is read.
  fileprivate var isLiteralScalar: Bool {
    switch self {
    case .integer, .number, .bool, .flag, .words, .clock, .name, .address: true
    case .text, .eventName, .path, .duration, .anyDuration, .tick, .diagram, .fraction,
      .streamOperators, .count, .expression, .value, .literal, .noMap, .valueWithout, .scalar,
      .matcher, .sequence, .step, .script, .list, .map, .single, .mapping, .anyOf:
      false
    }
  }
}

extension MappingReader {
  func text(_ key: Key) -> Located<String>? {
    assertShape(key) { $0 == .text }
    return self[key].flatMap { values.readText($0.value, .key(key)) }
  }

  func texts(_ key: Key) -> [Located<String>] {
    assertShape(key) { $0 == .list(.text) }
    return elements(key).compactMap { values.readText($0, .element(key)) }
  }

  func name(_ key: Key) -> Located<String>? {
    assertShape(key) { $0 == .name }
    return self[key].flatMap { values.readName($0.value, .key(key)) }
  }

  func names(_ key: Key) -> [Located<String>] {
    assertShape(key) { $0 == .list(.name) }
    return values.withoutRepeated(
      elements(key).compactMap { values.readName($0, .element(key)) }, of: "`\(key.rawValue)`")
  }

  func address(_ key: Key) -> Located<String>? {
    assertShape(key) { $0 == .address }
    return self[key].flatMap { values.readAddress($0.value, .key(key)) }
  }

  /// Reads names that are declared here, such as those of parameters. Each is there once.
  func newNames(_ key: Key) -> [Located<String>] {
    assertShape(key) { $0 == .list(.name) }
    return values.withoutRepeated(
      elements(key).compactMap { values.readNewName($0, .element(key)) }, of: "`\(key.rawValue)`")
  }

  func duration(_ key: Key) -> Located<Microseconds>? {
    assertShape(key) { $0 == .duration }
    return self[key].flatMap { values.readDuration($0.value, .key(key)) }
  }

  /// Reads a duration, or an expression that gives one.
  func anyDuration(_ key: Key) -> DurationSpec? {
    assertShape(key) { $0 == .anyDuration }
    return self[key].flatMap { values.readAnyDuration($0.value, .key(key)) }
  }

  /// Reads a duration that is longer than nothing.
  func tick(_ key: Key) -> Located<Microseconds>? {
    assertShape(key) { $0 == .tick }
    return self[key].flatMap { values.readTick($0.value, .key(key)) }
  }

  func clock(_ key: Key) -> ClockSpec? {
    assertShape(key) { $0 == .clock }
    return self[key].flatMap { values.readClock($0.value, .key(key)) }
  }

  func bool(_ key: Key) -> Located<Bool>? {
    assertShape(key) { $0 == .bool }
    return self[key].flatMap { values.readBool($0.value, .key(key)) }
  }

  func integer(_ key: Key) -> Located<Int>? {
    guard let entry = self[key], case .integer(let range)? = rule.rule(for: key)?.shape else {
      assertShape(key) { if case .integer = $0 { true } else { false } }
      return nil
    }
    return values.readInteger(entry.value, in: range, .key(key))
  }

  func number(_ key: Key) -> Located<Double>? {
    guard let entry = self[key], case .number(let least)? = rule.rule(for: key)?.shape else {
      assertShape(key) { if case .number = $0 { true } else { false } }
      return nil
    }
    return values.readNumber(entry.value, from: least, .key(key))
  }

  /// Reads one of the words that a key takes by the table.
  func word(_ key: Key) -> Located<String>? {
    guard let entry = self[key], let shape = rule.rule(for: key)?.shape else { return nil }
    return values.readWord(entry.value, shape, .key(key))
  }

  /// Returns the elements of a list. Reports anything else.
  func elements(_ key: Key, help: (YAMLNode) -> String? = { _ in nil }) -> YAMLElements {
    guard let node = self[key]?.value else { return .none }
    if case .sequence(let elements) = node.content { return elements }
    let isList = rule.rule(for: key)?.shape.mayBeMapping == false
    let single = node.isNull || !isList ? nil : node.text
    values.reportWrongType(
      node, rule, key, help: help(node) ?? single.map { "write `[\($0)]`" })
    return .none
  }

  /// Returns the entries of a map whose keys the author chooses. Reports anything else.
  func entries(_ key: Key) -> YAMLEntries {
    guard let node = self[key]?.value else { return .none }
    if case .mapping(let entries) = node.content { return entries }
    let help = "indent what belongs to `\(key.rawValue)` below it, by two spaces"
    values.reportWrongType(node, rule, key, help: node.isNull ? help : nil)
    return .none
  }
}

extension DocumentReader {
  /// Reports a value that is not of the shape the table gives its key.
  func reportWrongType(_ node: YAMLNode, _ rule: MappingRule, _ key: Key, help: String? = nil) {
    guard let known = rule.rule(for: key) else { return }
    let help = help ?? known.shape.name(in: node).map { "write `\(known.name): \($0)`" }
    let example = "write `\(known.name): \(known.example)`"
    let isShown = known.shape.phrase.contains("such as")
    reportWrongType(
      node, .key(key), takes: known.shape, help: help ?? (isShown ? nil : example))
  }

  func reportWrongType(
    _ node: YAMLNode, _ subject: ValueSubject, takes shape: Shape, help: String? = nil
  ) {
    if shape.isLiteralScalar, refusesExpression(node, subject, takes: shape) { return }
    report(
      .wrongType(
        subject.text, takes: shape.phrase, found: node.isNull ? "nothing" : node.kindName,
        at: node.range, help: help))
  }

  /// Reports an expression where only a literal may stand, and returns whether there is one.
  func refusesExpression(
    in text: String, _ subject: @autoclosure () -> String, takes shape: Shape, at range: SourceRange
  ) -> Bool {
    guard text.holdsExpression else { return false }
    report(.noExpression(in: subject(), takes: shape.phrase, at: range))
    return true
  }

  private func refusesExpression(
    _ node: YAMLNode, _ subject: ValueSubject, takes shape: Shape
  ) -> Bool {
    refusesExpression(in: node.text ?? "", subject.text, takes: shape, at: node.range)
  }

  /// Reads text, or a number as text. A truth value is probably a mistake.
  func readText(_ node: YAMLNode, _ subject: ValueSubject) -> Located<String>? {
    guard let scalar = node.scalar else {
      let isTitle = if case .key(.scenario) = subject { node.entries != nil } else { false }
      reportWrongType(
        node, subject, takes: .text,
        help: isTitle ? "write `scenario: TITLE`, and the other keys below it, not indented" : nil)
      return nil
    }
    switch scalar.value {
    case .null, .bool:
      let help = scalar.isAbsent ? nil : "put quotes around it: `'\(scalar.text)'`"
      reportWrongType(node, subject, takes: .text, help: help)
      return nil
    default:
      if subject.takesLiteralText, refusesExpression(node, subject, takes: .text) { return nil }
      return Located(scalar.text, node.range)
    }
  }

  func readBool(_ node: YAMLNode, _ subject: ValueSubject) -> Located<Bool>? {
    if case .bool(let value)? = node.scalar?.value { return Located(value, node.range) }
    reportWrongType(node, subject, takes: .bool)
    return nil
  }

  /// Reads `true`, and nothing else.
  func readFlag(_ node: YAMLNode, _ subject: ValueSubject) -> Bool {
    if case .bool(true)? = node.scalar?.value { return true }
    reportWrongType(node, subject, takes: .flag)
    return false
  }

  func readInteger(_ node: YAMLNode, in range: ClosedRange<Int>, _ subject: ValueSubject)
    -> Located<
      Int
    >?
  {
    guard case .int(let value)? = node.scalar?.value else {
      reportWrongType(node, subject, takes: .integer(range))
      return nil
    }
    guard range.contains(value) else {
      report(.outOfRange(subject.text, takes: Shape.integer(range).phrase, at: node.range))
      return nil
    }
    return Located(value, node.range)
  }

  func readNumber(_ node: YAMLNode, from least: Double, _ subject: ValueSubject) -> Located<Double>?
  {
    let number: Double
    switch node.scalar?.value {
    case .int(let whole)?: number = Double(whole)
    case .double(let double)?: number = double
    default:
      reportWrongType(node, subject, takes: .number(from: least))
      return nil
    }
    guard number >= least, number.isFinite else {
      report(.outOfRange(subject.text, takes: Shape.number(from: least).phrase, at: node.range))
      return nil
    }
    return Located(number, node.range)
  }

  /// Reads one of the words of a shape. Diagnostics name the full shape.
  func readWord(_ node: YAMLNode, _ shape: Shape, _ subject: ValueSubject, of full: Shape? = nil)
    -> Located<String>?
  {
    guard case .words(let known) = shape, let text = node.text else {
      reportWrongType(node, subject, takes: shape)
      return nil
    }
    if known.contains(text) { return Located(text, node.range) }
    if refusesExpression(node, subject, takes: full ?? shape) { return nil }
    report(
      .unknownWord(
        text, for: subject.text, takes: (full ?? shape).phrase, known: known, at: node.range))
    return nil
  }

  func readDuration(_ node: YAMLNode, _ subject: ValueSubject) -> Located<Microseconds>? {
    guard let text = node.text, !node.isNull else {
      let inner = node.entries?.first?.value.text.flatMap { text in
        if case .success = parseDuration(text) { "write `\(text)` alone" } else { nil }
      }
      reportWrongType(node, subject, takes: .duration, help: inner)
      return nil
    }
    if text.holdsExpression {
      report(.literalDuration(subject.text, at: node.range))
      return nil
    }
    switch parseDuration(text) {
    case .success(let duration): return Located(duration, node.range)
    case .failure(.bareNumber):
      report(.bareNumberDuration(text, for: subject.text, at: node.range))
    case .failure(let problem):
      report(
        .badDuration(
          subject.text, reason: reason(text, problem), mended: mendedDuration(text),
          at: node.range))
    }
    return nil
  }

  /// Reads a duration, or a scalar with expressions that becomes one.
  func readAnyDuration(_ node: YAMLNode, _ subject: ValueSubject) -> DurationSpec? {
    guard let text = node.text, text.holdsExpression else {
      return readDuration(node, subject).map { .literal($0) }
    }
    return readScalar(node, subject).map { .data($0) }
  }

  func readTick(_ node: YAMLNode, _ subject: ValueSubject) -> Located<Microseconds>? {
    guard let tick = readDuration(node, subject) else { return nil }
    if tick.value > 0 { return tick }
    report(.outOfRange(subject.text, takes: Shape.tick.phrase, at: tick.range))
    return nil
  }

  /// Reads a point in time, or the word for the machine's clock.
  func readClock(_ node: YAMLNode, _ subject: ValueSubject) -> ClockSpec? {
    if node.text == ClockSpec.machineWord { return .machine }
    if let text = node.text, let time = Timestamp(text: text) { return .fixed(time) }
    if !refusesExpression(node, subject, takes: .clock) {
      report(.badTimestamp(subject.text, at: node.range))
    }
    return nil
  }
}

extension Shape {
  /// The name in a map that stands in place of a name: `c` of `connect: { c: /path }`.
  fileprivate func name(in node: YAMLNode) -> String? {
    guard case .mapping(let entries) = node.content, let first = entries.first else { return nil }
    if self == .address { return first.key }
    guard case .anyOf(let shapes) = self, shapes.contains(.address) else { return nil }
    return first.key
  }
}
