import Diagnostics
import Values
import YAMLSyntax

extension ScenarioReader {
  func readEndpoints(_ fields: MappingReader) -> [EndpointSpec] {
    fields.entries(.endpoints).compactMap { entry in
      let name = readStageName(entry)
      guard
        let parts = open(
          entry.value, LanguageTable.endpoint, Subject.entry(entry.key, of: .endpoints).text)
      else { return nil }
      var endpoint = EndpointSpec(name: name ?? entry.name)
      endpoint.url = parts.scalar(.url)
      endpoint.state = readState(parts)
      endpoint.http = parts.elements(.http).compactMap { readRoute($0) }
      endpoint.eventStreams = readConversations(parts, .sse)
      endpoint.lines = readConversations(parts, .ndjson)
      endpoint.webSockets = readConversations(parts, .websocket)
      return name == nil ? nil : endpoint
    }
  }

  private func readRoute(_ node: YAMLNode) -> RouteSpec? {
    guard let fields = open(node, LanguageTable.route, Subject.element(.http).text) else {
      return nil
    }
    let when = fields.expression(.when)
    let answers = readAnswers(fields)
    guard let method = fields.first(of: LanguageTable.routeMethods),
      let path = readPath(method.entry.value, .key(method.key)), let answers
    else { return nil }
    let name = method.key == .any ? nil : method.key.rawValue.uppercased()
    var route = RouteSpec(method: name, path: path, answers: answers, range: fields.range)
    route.when = when
    return route
  }

  private func readPath(_ node: YAMLNode, _ subject: Subject) -> Located<String>? {
    guard let text = node.text, !node.isNull else {
      reportWrongType(node, subject, takes: .path)
      return nil
    }
    guard text.utf8.first == UInt8(ascii: "/") else {
      report(.pathWithoutSlash(text, at: node.range))
      return nil
    }
    return Located(text, node.range)
  }

  private func readAnswers(_ fields: MappingReader) -> RouteSpec.Answers? {
    if fields.has(.script) { return fields.script(.script).map { .script($0) } }
    guard let node = fields[.respond]?.value else { return nil }
    guard case .sequence(let nodes) = node.content else {
      return readAnswer(node).map { .inTurn([$0]) }
    }
    guard !nodes.isEmpty else {
      report(.emptyList("`respond`", of: "answer", at: node.range))
      return nil
    }
    let answers = nodes.compactMap { readAnswer($0) }
    return answers.count == nodes.count ? .inTurn(answers) : nil
  }

  func readAnswer(_ node: YAMLNode, _ key: Key = .respond) -> AnswerSpec? {
    switch node.content {
    case .mapping: readResponse(node, key)
    case .scalar, .sequence: readAnswerWord(node, key)
    }
  }

  private func readAnswerWord(_ node: YAMLNode, _ key: Key) -> AnswerSpec? {
    guard let scalar = node.scalar, scalar.isText else {
      reportWrongType(node, .key(key), takes: LanguageTable.answerShape)
      return nil
    }
    let words = Shape.words(["drop", "stall"])
    guard let word = readWord(node, words, .key(key), of: LanguageTable.answerShape)
    else { return nil }
    return AnswerSpec(kind: word.value == "drop" ? .drop : .stall, range: node.range)
  }

  private func readResponse(_ node: YAMLNode, _ key: Key) -> AnswerSpec? {
    guard let fields = open(node, LanguageTable.answer, "`\(key.rawValue)`") else { return nil }
    var response = ResponseSpec()
    response.status = fields.count(.status)
    response.headers = fields.scalars(.headers).map { ($0.name, $0.value) }
    if let json = fields.data(.json) { response.body = .json(json) }
    if let text = fields.scalar(.text) { response.body = .text(text) }
    return AnswerSpec(
      kind: .response(response), after: fields.anyDuration(.after), range: fields.range)
  }
}

extension ScenarioReader {
  func readProviders(_ fields: MappingReader) -> [ProviderSpec] {
    fields.entries(.providers).compactMap { entry in
      let name = readStageName(entry)
      guard
        let parts = open(
          entry.value, LanguageTable.provider, Subject.entry(entry.key, of: .providers).text)
      else { return nil }
      let parameters = parts.newNames(.params)
      let value = parts.data(.value)
      let retry = readRequestRetry(parts)
      guard let origin = readOrigin(parts, parameters), let name else { return nil }
      var provider = ProviderSpec(name: name, origin: origin)
      provider.parameters = parameters
      provider.value = value
      provider.retry = retry
      return provider
    }
  }

  private func readOrigin(
    _ fields: MappingReader, _ parameters: [Located<String>]
  ) -> ProviderSpec.Origin? {
    if fields.has(.items) { return fields.data(.items).map { .items($0) } }
    if fields.has(.file) { return fields.scalar(.file).map { .file($0) } }
    if fields.has(.stream) { return fields.address(.stream).map { .stream($0) } }
    if fields.has(.database) { return readQuery(fields, parameters) }
    guard var request = readRequestLine(fields) else { return nil }
    request.query = fields.scalars(.query)
    request.headers = fields.scalars(.headers)
    if let json = fields.data(.json) { request.body = .json(json) }
    if let text = fields.scalar(.text) { request.body = .text(text) }
    return .request(request)
  }
}
