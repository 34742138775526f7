import Values
import YAMLSyntax

/// Reading of the step `request`, and of the requests of providers.
extension DocumentReader {
  func readExchange(_ node: YAMLNode) -> ExchangeSpec? {
    guard let fields = open(node, LanguageTable.request, "`request`") else { return nil }
    let expected = readExpectedAnswer(fields)
    let capture = fields[.as].flatMap { readCapture($0.value, .key(.as)) }
    guard let request = readRequest(fields) else { return nil }
    var exchange = ExchangeSpec(request: request)
    exchange.expected = expected
    exchange.capture = capture
    return exchange
  }

  /// Reads what is sent, to whom and by whom: the same keys in each place that has a request.
  func readRequest(_ fields: MappingReader) -> RequestSpec? {
    let authorization = readAuthorization(fields)
    let cookies = readCookies(fields)
    let session = fields.scalar(.session)
    let redirects = fields.integer(.redirects)
    let timeout = fields.tick(.timeout)
    let body = readBody(fields)
    guard var request = readRequestLine(fields) else { return nil }
    request.query = fields.items(.query)
    request.headers = fields.items(.headers)
    request.body = body
    request.authorization = authorization
    request.cookies = cookies
    request.session = session
    request.redirects = redirects?.value
    request.timeout = timeout
    return request
  }

  /// Reads the endpoint, the method and the path.
  private func readRequestLine(_ fields: MappingReader) -> RequestSpec? {
    let endpoint = fields.address(.endpoint)
    if fields.has(.method) {
      let method = fields.scalar(.method)
      let path = fields.scalar(.path)
      guard let endpoint, let method, let path else { return nil }
      return RequestSpec(endpoint: endpoint, method: method, path: path)
    }
    guard let endpoint, let method = fields.first(of: [.path] + LanguageTable.requestMethods),
      let path = readSentText(method.entry.value, .key(method.key))
    else { return nil }
    if let text = method.entry.value.text, text.holds("://"), !text.hasPrefix("/"),
      !text.holdsExpression
    {
      report(.pathWithoutSlash(text, at: method.entry.value.range))
      return nil
    }
    let name = method.key == .path ? "GET" : method.key.rawValue.uppercased()
    let verb = DataSpec(.literal(.string(name)), method.entry.keyRange)
    return RequestSpec(endpoint: endpoint, method: verb, path: path)
  }

  private func readBody(_ fields: MappingReader) -> BodySpec {
    // A WebSocket is opened without a body.
    guard fields.rule.rule(for: .json) != nil else { return .none }
    if fields.has(.form) { return .form(fields.items(.form)) }
    if fields.has(.multipart) {
      return .multipart(fields.elements(.multipart).compactMap { readPart($0) })
    }
    if let json = fields.data(.json) { return .json(json) }
    if let text = fields.scalar(.text) { return .text(text) }
    return fields.scalar(.file).map { .file($0) } ?? .none
  }

  private func readPart(_ node: YAMLNode) -> PartSpec? {
    guard let fields = open(node, LanguageTable.part, ValueSubject.element(.multipart).text)
    else {
      return nil
    }
    let content: PartSpec.Content? =
      if fields.has(.json) {
        fields.data(.json).map { .json($0) }
      } else if fields.has(.text) {
        fields.scalar(.text).map { .text($0) }
      } else {
        fields.scalar(.file).map { .file($0) }
      }
    let filename = fields.scalar(.filename)
    let contentType = fields.scalar(.contentType)
    guard let name = fields.scalar(.name), let content else { return nil }
    return PartSpec(name: name, content: content, filename: filename, contentType: contentType)
  }

  private func readAuthorization(_ fields: MappingReader) -> RequestSpec.Authorization? {
    guard let node = fields[.auth]?.value,
      let auth = open(node, LanguageTable.authorization, "`auth`")
    else { return nil }
    guard let basic = auth[.basic]?.value else {
      return auth.scalar(.bearer).map { .bearer($0) }
    }
    guard let parts = open(basic, LanguageTable.credentials, "`basic`") else { return nil }
    let user = parts.scalar(.user)
    let password = parts.scalar(.password)
    guard let user, let password else { return nil }
    return .basic(user: user, password: password)
  }

  private func readCookies(_ fields: MappingReader) -> RequestSpec.Cookies? {
    guard let node = fields[.cookies]?.value else { return nil }
    if case .mapping = node.content { return .given(fields.scalars(.cookies)) }
    let full = fields.rule.rule(for: .cookies)?.shape
    let word = readWord(node, .words(["none"]), .key(.cookies), of: full)
    return word.map { _ in RequestSpec.Cookies.none }
  }

  private func readExpectedAnswer(_ fields: MappingReader) -> ExpectedAnswerSpec? {
    guard let entry = fields[.expect],
      let parts = open(
        entry.value, LanguageTable.expectedAnswer, "`expect`",
        help: entry.value.scalar.flatMap { scalar in
          if case .int(let status) = scalar.value { "write `{ status: \(status) }`" } else { nil }
        })
    else { return nil }
    if entry.value.entries?.isEmpty == true {
      report(.emptyMap("`expect`", at: entry.value.range))
    }
    parts.reportEmptyParts()
    let matchers = LanguageTable.partsOfAnswer.compactMap { key in
      readPart(key, of: parts).map { (key: key, matcher: $0) }
    }
    return ExpectedAnswerSpec(
      parts: matchers, within: parts.tick(.within), keyRange: entry.keyRange)
  }

  /// Reports parts of a cookie beside operators: operators judge its value, which is text.
  private func checkParts(of cookie: YAMLEntry) {
    guard let match = cookie.value.entry(Key.matchOperator.rawValue), match.value.entries != nil
    else { return }
    report(
      .wrongType(
        "`\(cookie.key)`", takes: "operators for its value, or a map of its parts",
        found: "a map of parts among operators", at: match.value.range,
        help: "write the parts alone, with operators inside: "
          + "`\(cookie.key): { value: { $regex: '^a' }, path: / }`"))
  }

  /// Returns whether a scalar is a status, its class, or an expression.
  private func mayBeStatus(_ node: YAMLNode) -> Bool {
    guard let scalar = node.scalar else { return true }
    if case .int(let status) = scalar.value { return (100...999).contains(status) }
    guard let text = node.text, !text.holdsExpression else { return true }
    let digits = text.utf8.prefix(1).allSatisfy { (0x31...0x39).contains($0) }
    return text.utf8.count == 3 && digits && text.lowercased().hasSuffix("xx")
  }

  private func readPart(_ key: Key, of fields: MappingReader) -> MatcherSpec? {
    guard let node = fields[key]?.value else { return nil }
    if key == .status, let statuses = node.elements {
      let listed = statuses.compactMap(\.text).joined(separator: ", ")
      report(
        .wrongType(
          "`status`", takes: "a number or a matcher", found: node.kindName, at: node.range,
          help: "write `status: { $in: [\(listed)] }`"))
      return nil
    }
    if key == .status, !mayBeStatus(node) {
      report(
        .wrongType(
          "`status`", takes: "a number from 100 to 999, a class such as `2xx`, or a matcher",
          found: "`\(node.text ?? "")`", at: node.range,
          help: "write `status: 200`, or `status: 2xx` for all that begin with 2"))
      return nil
    }
    guard key == .headers || key == .cookies else { return readMatcher(node) }
    let entries = fields.entries(key).filter { hasLiteralKey($0) }.compactMap { entry in
      if key == .cookies { checkParts(of: entry) }
      return readMatcher(entry.value).map {
        (key: Located(entry.keyValue, entry.keyRange), value: $0)
      }
    }
    return MatcherSpec(.map(entries), node.range)
  }
}

extension DataSpec {
  /// A literal text, which is the same wherever it stands.
  fileprivate var plainText: Value? {
    if case .literal(.string(let text)) = content { .string(text) } else { nil }
  }
}

extension MappingReader {
  /// Reports parts that are maps of names and name nothing: they demand nothing. An empty `json` or
  /// `form` demands a map.
  func reportEmptyParts() {
    for key in [Key.query, .headers, .cookies] {
      guard let node = self[key]?.value, node.entries?.isEmpty == true else { continue }
      values.report(.emptyMap("`\(key.rawValue)`", at: node.range))
    }
  }

  /// Reads names with single values, or with lists that repeat the name.
  func items(_ key: Key) -> [NamedData] {
    assertShape(key) {
      [LanguageTable.itemsShape, .anyOf([LanguageTable.itemsShape, .text])].contains($0)
    }
    return entries(key).compactMap { entry in
      guard values.hasLiteralKey(entry) else { return nil }
      return values.readItem(entry, key).map { (entry.name, $0) }
    }
  }
}

extension DocumentReader {
  func readItem(_ entry: YAMLEntry, _ key: Key) -> DataSpec? {
    let subject = ValueSubject.entry(entry.key, of: key)
    switch entry.value.content {
    case .scalar: return readSentText(entry.value, subject)
    case .sequence(let nodes):
      let isPlain = nodes.allSatisfy { $0.scalar?.isAbsent == false }
      if isPlain {
        let texts = nodes.compactMap { readSentText($0, subject) }
        let plain = texts.compactMap(\.plainText)
        return DataSpec(
          plain.count == texts.count ? .literal(.list(plain)) : .list(texts), entry.value.range)
      }
    case .mapping: break
    }
    reportWrongType(entry.value, subject, takes: .anyOf([.scalar, .list(.scalar)]))
    return nil
  }
}
