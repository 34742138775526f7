import Diagnostics
import YAMLSyntax

extension DocumentReader {
  func readEndpoints(_ fields: MappingReader) -> [EndpointSpec] {
    fields.entries(.endpoints).compactMap { entry in
      let name = readStageName(entry)
      guard
        let parts = open(
          entry.value, LanguageTable.endpoint, ValueSubject.entry(entry.key, of: .endpoints).text,
          help: helpForEndpoint(entry))
      else { return nil }
      var endpoint = EndpointSpec(name: name ?? entry.name)
      endpoint.url = readURL(parts)
      endpoint.state = readState(parts)
      endpoint.crossOrigin = readCrossOrigin(parts)
      endpoint.proxy = readProxy(parts)
      endpoint.isResumable = parts.bool(.resumable)?.value ?? false
      endpoint.http = parts.elements(.http, help: helpForMap).compactMap { readRoute($0) }
      endpoint.eventStreams = readConversations(parts, .sse)
      endpoint.lines = readConversations(parts, .ndjson)
      endpoint.webSockets = readConversations(parts, .websocket)
      return name == nil ? nil : endpoint
    }
  }

  /// Returns the help for a value that is no endpoint: its address, or a part of the scenario.
  private func helpForEndpoint(_ entry: YAMLEntry) -> String? {
    if LanguageTable.scenario.rule(named: entry.key) != nil, entry.value.elements != nil {
      return "write `\(entry.key)` at the start of its line, as far left as `endpoints`"
    }
    return entry.value.text.map { "write `\(entry.key): { url: \($0) }`" }
  }

  /// Reads the address of the real endpoint, which says how to reach it.
  private func readURL(_ fields: MappingReader) -> DataSpec? {
    guard let node = fields[.url]?.value, let text = node.text, !node.isNull,
      !text.holdsExpression, !text.contains("://")
    else { return fields.scalar(.url) }
    let rest = text.drop { $0 == "/" }
    report(
      .wrongType(
        "`url`", takes: "an address that begins with `http://` or `https://`",
        found: node.kindName, at: node.range, help: "write `http://\(rest)`"))
    return nil
  }

  /// Returns the help for routes that are written as a map of methods and paths.
  private func helpForMap(_ node: YAMLNode) -> String? {
    guard let key = node.entries?.first?.key else { return nil }
    let words = key.split(separator: " ").map(String.init)
    let path = words.first { $0.hasPrefix("/") } ?? "/tasks"
    let method = words.count > 1 ? words[0].lowercased() : "get"
    return "write a list, with the method as a key: `- { \(method): \(path), respond: { … } }`"
  }

  private func readRoute(_ node: YAMLNode) -> RouteSpec? {
    guard let fields = open(node, LanguageTable.route, ValueSubject.element(.http).text)
    else {
      return nil
    }
    let when = fields.expression(.when)
    let match = readMatch(fields)
    let turnsBy = fields.expression(.turnsBy)
    let answers = readAnswers(fields)
    guard let method = fields.first(of: LanguageTable.routeMethods),
      let path = readPath(method.entry.value, .key(method.key)), let answers
    else { return nil }
    let name = method.key == .any ? nil : method.key.rawValue.uppercased()
    if let name, name != "GET", answers.openWebSocket {
      report(.webSocketMethod(name, at: method.entry.keyRange))
    }
    var route = RouteSpec(method: name, path: path, answers: answers, range: fields.range)
    route.when = when
    route.match = match
    route.turnsBy = turnsBy
    return route
  }

  private func readPath(_ node: YAMLNode, _ subject: ValueSubject) -> Located<String>? {
    guard let text = node.text, !node.isNull else {
      reportWrongType(node, subject, takes: .path)
      return nil
    }
    guard text.utf8.first == UInt8(ascii: "/") else {
      report(.pathWithoutSlash(text, at: node.range))
      return nil
    }
    if let mark = text.firstIndex(of: "?") {
      report(.queryInRoute(String(text[..<mark]), at: node.range))
    }
    checkSegments(of: text, at: node.range)
    _ = withoutRepeated(parameters(in: text, at: node.range), of: "the parts of a path")
    return Located(text, node.range)
  }
}

// The parts of routes.
extension DocumentReader {
  /// Returns the names in braces, each with its place.
  private func parameters(in path: String, at range: SourceRange) -> [Located<String>] {
    guard path.utf8.contains(UInt8(ascii: "{")) else { return [] }
    // The quotes of a text are as long on both sides; with escapes, all of it is the place.
    let quotes = (Int(range.end - range.start) - path.utf8.count) / 2
    return path.split(separator: "/").compactMap { segment in
      guard segment.hasPrefix("{"), segment.hasSuffix("}") else { return nil }
      let name = segment.dropFirst().dropLast(segment.hasSuffix("...}") ? 4 : 1)
      guard 0...1 ~= quotes else { return Located(String(name), range) }
      let start = path.utf8.distance(from: path.startIndex, to: name.startIndex) + quotes
      return Located(
        String(name),
        SourceRange(
          file: range.file, start: range.start + Int32(start),
          end: range.start + Int32(start + name.utf8.count)))
    }
  }

  /// Reports what looks like a pattern of another tool and would stand for itself.
  private func checkSegments(of path: String, at range: SourceRange) {
    guard mayHavePattern(path) else { return }
    let segments = path.split(separator: "/").map(String.init)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      if segment.hasPrefix("{"), segment.hasSuffix("...}"), !isLast {
        report(.restBeforeTheEnd(segment, at: range))
      } else if segment.contains("...}"), !(segment.hasPrefix("{") && segment.hasSuffix("}")) {
        report(.restWithinSegment(segment, at: range))
      }
      if segment.utf8.count(where: { $0 == UInt8(ascii: "{") }) > 1 {
        report(.namesInOneSegment(segment, at: range))
      }
      let name =
        segment.hasPrefix(":")
        ? String(segment.dropFirst())
        : segment.hasPrefix("*") ? "rest" : isPattern(segment) ? "id" : ""
      guard !name.isEmpty else { continue }
      let isRest = segment.hasPrefix("*") && isLast
      report(.foreignPattern(segment, "{\(name)\(isRest ? "..." : "")}", at: range))
    }
  }

  /// Returns whether a segment is a regular expression, as routes of other tools have them.
  private func isPattern(_ segment: String) -> Bool {
    segment.utf8.contains { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "\\") }
  }

  /// Returns whether a path has a segment that begins as patterns of other tools do, or one that
  /// stands for the rest of the path.
  private func mayHavePattern(_ path: String) -> Bool {
    var previous = UInt8(ascii: "/")
    for byte in path.utf8 {
      let isAtStart = previous == UInt8(ascii: "/")
      if isAtStart, byte == UInt8(ascii: ":") || byte == UInt8(ascii: "*") { return true }
      if previous == UInt8(ascii: "."), byte == UInt8(ascii: "}") { return true }
      if !isAtStart, byte == UInt8(ascii: "{") { return true }
      if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "\\") { return true }
      previous = byte
    }
    return false
  }

  private func readCrossOrigin(_ fields: MappingReader) -> CrossOrigin {
    guard let node = fields[.cors]?.value else { return .unsaid }
    guard case .mapping = node.content else {
      guard let flag = readBool(node, .key(.cors)) else { return .unsaid }
      return flag.value ? .allowed(CrossOriginPolicy()) : .none
    }
    guard let parts = open(node, LanguageTable.crossOrigin, ValueSubject.key(.cors).text)
    else {
      return .unsaid
    }
    func texts(_ key: Key) -> [String]? { parts.has(key) ? parts.texts(key).map(\.value) : nil }
    var policy = CrossOriginPolicy()
    policy.origins = texts(.origins).flatMap { $0.contains("*") ? nil : $0 }
    policy.methods = texts(.methods)
    policy.headers = texts(.headers)
    policy.exposedHeaders = texts(.expose) ?? []
    policy.allowsCredentials = parts.bool(.credentials)?.value ?? false
    policy.maxAge = parts.duration(.maxAge)?.value
    return .allowed(policy)
  }
}

extension DocumentReader {
  func readProviders(_ fields: MappingReader) -> [ProviderSpec] {
    fields.entries(.providers).compactMap { entry in
      let name = readStageName(entry)
      guard
        let parts = open(
          entry.value, LanguageTable.provider, ValueSubject.entry(entry.key, of: .providers).text)
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
    if fields.has(.file), !fields.has(.endpoint) { return fields.scalar(.file).map { .file($0) } }
    if fields.has(.stream) { return fields.address(.stream).map { .stream($0) } }
    if fields.has(.database) { return readQuery(fields, parameters) }
    return readRequest(fields).map { .request($0) }
  }
}
