import Values
import YAMLSyntax

/// Reading of the answers of mock endpoints.
extension DocumentReader {
  func readAnswers(_ fields: MappingReader) -> RouteSpec.Answers? {
    if fields.has(.script) { return fields.script(.script).map { .script($0) } }
    if fields.has(.turns) { return readTurns(fields) }
    if let turn = readConversation(fields) { return .inTurn([turn]) }
    guard let node = fields[.respond]?.value else { return nil }
    guard case .sequence(let nodes) = node.content else {
      return readAnswer(node).map { .inTurn([.answer($0)]) }
    }
    guard !nodes.isEmpty else {
      report(.emptyList("`respond`", of: "answer", at: node.range))
      return nil
    }
    let answers = nodes.compactMap { readAnswer($0) }
    return answers.count == nodes.count ? .inTurn(answers.map { .answer($0) }) : nil
  }

  private func readTurns(_ fields: MappingReader) -> RouteSpec.Answers? {
    if let node = fields[.turns]?.value, node.elements?.isEmpty == true {
      report(.emptyList("`turns`", of: "turn", at: node.range))
    }
    let nodes = fields.elements(.turns)
    let turns = nodes.compactMap { node -> TurnSpec? in
      guard let parts = open(node, LanguageTable.turn, ValueSubject.element(.turns).text)
      else {
        return nil
      }
      return readConversation(parts)
        ?? parts[.respond].flatMap { readAnswer($0.value) }.map { .answer($0) }
    }
    return turns.count == nodes.count && !turns.isEmpty ? .inTurn(turns) : nil
  }

  /// Reads what a route does besides answering: it opens a connection, or passes the request on.
  private func readConversation(_ fields: MappingReader) -> TurnSpec? {
    if fields.has(.proxy) { return readProxy(fields).map { .proxy($0) } }
    let kinds: [(Key, TurnSpec.Connection)] = [
      (.sse, .eventStream), (.ndjson, .lines), (.websocket, .webSocket),
    ]
    guard let (key, kind) = kinds.first(where: { fields.has($0.0) }) else { return nil }
    let headers = fields.items(.headers)
    return fields.script(key).map { .open(kind, $0, headers: headers) }
  }

  func readProxy(_ fields: MappingReader) -> ProxySpec? {
    let change = fields[.change].flatMap { readChange($0.value) }
    return fields.scalar(.proxy).map { ProxySpec(url: $0, change: change) }
  }

  private func readChange(_ node: YAMLNode) -> ResponseSpec? {
    guard let fields = open(node, LanguageTable.answerChange, ValueSubject.key(.change).text)
    else { return nil }
    var change = ResponseSpec()
    change.status = fields.count(.status)
    change.headers = fields.items(.headers)
    if let json = fields[.json].flatMap({ readData($0.value) }) { change.body = .json(json) }
    return change
  }

  func readAnswer(_ node: YAMLNode, _ key: Key = .respond) -> AnswerSpec? {
    switch node.content {
    case .mapping: readResponse(node, key)
    case .scalar, .sequence: readAnswerWord(node, key)
    }
  }

  private func readAnswerWord(_ node: YAMLNode, _ key: Key) -> AnswerSpec? {
    guard let scalar = node.scalar, scalar.isText else {
      let status = node.scalar.map { "write `{ status: \($0.text) }`" }
      reportWrongType(
        node, .key(key), takes: LanguageTable.answerShape, help: node.isNull ? nil : status)
      return nil
    }
    let words = Shape.words(["drop", "reset", "stall"])
    guard let word = readWord(node, words, .key(key), of: LanguageTable.answerShape)
    else { return nil }
    let kind: AnswerSpec.Kind =
      switch word.value {
      case "drop": .drop
      case "reset": .reset
      default: .stall
      }
    return AnswerSpec(kind: kind, range: node.range)
  }

  private func readResponse(_ node: YAMLNode, _ key: Key) -> AnswerSpec? {
    guard let fields = open(node, LanguageTable.answer, "`\(key.rawValue)`") else {
      return nil
    }
    var response = ResponseSpec()
    response.status = fields.count(.status)
    response.headers = fields.sentItems(.headers, by: self)
    response.body = readBody(fields)
    response.delivery = readDelivery(fields, response.body)
    return AnswerSpec(
      kind: .response(response), after: fields.anyDuration(.after), range: fields.range)
  }

  private func readBody(_ fields: MappingReader) -> BodySpec {
    if let json = fields[.json].flatMap({ readSent($0.value) }) { return .json(json) }
    if let text = fields.scalar(.text) { return .text(text) }
    if let path = fields.text(.file) { return .contents(path) }
    guard let node = fields[.bytes]?.value else { return .none }
    return readBytes(node).map { .bytes($0, at: node.range) } ?? .none
  }

  private func readDelivery(_ fields: MappingReader, _ body: BodySpec) -> ResponseSpec.Delivery {
    if let node = fields[.chunks]?.value,
      let parts = open(node, LanguageTable.chunks, ValueSubject.key(.chunks).text),
      let count = parts.integer(.count), let pause = parts.anyDuration(.every)
    {
      return .pieces(count.value, every: pause)
    }
    if let node = fields[.fault]?.value, let meant = ForeignNames.fault(for: node.text ?? "") {
      reportWrongType(node, fields.rule, .fault, help: meant)
      return .whole
    }
    guard let word = fields.word(.fault), let fault = AnswerFault(rawValue: word.value) else {
      return .whole
    }
    if case (.partialBody, .none) = (fault, body) { report(.partOfNoBody(at: word.range)) }
    return .fault(fault)
  }
}
