import Diagnostics
import Values
import YAMLSyntax

extension StageReader {
  func readEndpoints(_ fields: MappingReader) -> [EndpointSpec] {
    fields.entries(.endpoints).compactMap { entry in
      let name = values.readStageName(entry)
      guard
        let parts = values.open(
          entry.value, LanguageTable.endpoint, Subject.entry(entry.key, of: .endpoints).text)
      else { return nil }
      var endpoint = EndpointSpec(name: name ?? entry.name)
      endpoint.url = parts.scalar(.url)
      endpoint.state = readState(parts)
      endpoint.http = parts.elements(.http).compactMap { readRoute($0) }
      endpoint.eventStreams = serverReader.readConversations(parts, .sse)
      endpoint.lines = serverReader.readConversations(parts, .ndjson)
      endpoint.webSockets = serverReader.readConversations(parts, .websocket)
      return name == nil ? nil : endpoint
    }
  }

  private func readRoute(_ node: YAMLNode) -> RouteSpec? {
    guard let fields = values.open(node, LanguageTable.route, Subject.element(.http).text) else {
      return nil
    }
    let when = fields.expression(.when)
    let answers = serverReader.readAnswers(fields)
    guard let method = fields.first(of: LanguageTable.routeMethods),
      let path = readPath(method.entry.value, .key(method.key)), let answers
    else { return nil }
    let name = method.key == .any ? nil : method.key.rawValue.uppercased()
    if let name, name != "GET", answers.openWebSocket {
      report(.webSocketMethod(name, at: method.entry.keyRange))
    }
    var route = RouteSpec(method: name, path: path, answers: answers, range: fields.range)
    route.when = when
    return route
  }

  private func readPath(_ node: YAMLNode, _ subject: Subject) -> Located<String>? {
    guard let text = node.text, !node.isNull else {
      values.reportWrongType(node, subject, takes: .path)
      return nil
    }
    guard text.utf8.first == UInt8(ascii: "/") else {
      report(.pathWithoutSlash(text, at: node.range))
      return nil
    }
    return Located(text, node.range)
  }
}

extension StageReader {
  func readProviders(_ fields: MappingReader) -> [ProviderSpec] {
    fields.entries(.providers).compactMap { entry in
      let name = values.readStageName(entry)
      guard
        let parts = values.open(
          entry.value, LanguageTable.provider, Subject.entry(entry.key, of: .providers).text)
      else { return nil }
      let parameters = parts.newNames(.params)
      let value = parts.data(.value)
      let retry = requestReader.readRequestRetry(parts)
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
    guard var request = requestReader.readRequestLine(fields) else { return nil }
    request.query = fields.scalars(.query)
    request.headers = fields.scalars(.headers)
    if let json = fields.data(.json) { request.body = .json(json) }
    if let text = fields.scalar(.text) { request.body = .text(text) }
    return .request(request)
  }
}
