import Diagnostics
import Values
import YAMLSyntax

/// Reading of what mock endpoints do on connections that stay open.
extension DocumentReader {
  /// Reads the entries under `sse`, `ndjson` or `websocket` of an endpoint.
  func readConversations(_ fields: MappingReader, _ key: Key) -> [ConversationSpec] {
    if let node = fields[key]?.value, node.elements?.isEmpty == true {
      report(.emptyList("`\(key.rawValue)`", of: "entry", at: node.range))
    }
    return fields.elements(key).compactMap { node in
      let rule =
        switch key {
        case .websocket: LanguageTable.socketConversation
        case .ndjson: LanguageTable.lineConversation
        default: LanguageTable.conversation
        }
      guard let parts = open(node, rule, ValueSubject.element(key).text) else { return nil }
      return readConversation(parts, isSocket: key == .websocket)
    }
  }

  private func readConversation(_ parts: MappingReader, isSocket: Bool) -> ConversationSpec? {
    let script = parts.script(.script)
    if let refusal = parts[.refuse] {
      return readAnswer(refusal.value, .refuse).map {
        ConversationSpec(kind: .refuse($0), range: parts.range)
      }
    }
    guard let node = parts[.accept]?.value, let acceptance = readAcceptance(node, isSocket) else {
      return nil
    }
    let nothing = ScriptSpec(
      range: parts.range, steps: [StepSpec.waitForever(at: parts[.accept]?.keyRange ?? node.range)])
    var conversation = ConversationSpec(
      kind: .accept(acceptance, parts.has(.script) ? script ?? nothing : nothing),
      range: parts.range)
    conversation.headers = parts.items(.headers)
    return conversation
  }

  private func readAcceptance(_ node: YAMLNode, _ isSocket: Bool) -> AcceptanceSpec? {
    let rule = isSocket ? LanguageTable.socketAcceptance : LanguageTable.acceptance
    guard let fields = open(node, rule, "`accept`") else { return nil }
    let keys: [Key] = [.path, .method, .query, .headers, .json, .text]
    var acceptance = AcceptanceSpec(
      request: readParts(keys, of: fields, at: node.range), range: node.range)
    acceptance.when = fields.expression(.when)
    if isSocket {
      acceptance.subprotocol = fields.scalar(.protocol)
      acceptance.acceptKey = fields.scalar(.acceptKey)
    }
    return acceptance
  }

  /// Reads what the request that a route answers is like.
  func readMatch(_ fields: MappingReader) -> MatcherSpec? {
    guard let node = fields[.match]?.value,
      let parts = open(node, LanguageTable.requestMatch, ValueSubject.key(.match).text)
    else { return nil }
    if parts.entries.isEmpty { report(.emptyMap("`match`", at: node.range)) }
    return readParts(
      [.query, .headers, .cookies, .json, .form, .text], of: parts, at: node.range)
  }

  private func readParts(
    _ keys: [Key], of fields: MappingReader, at range: SourceRange
  ) -> MatcherSpec {
    fields.reportEmptyParts()
    let conditions = keys.compactMap { key -> (key: Located<Value>, value: MatcherSpec)? in
      guard let entry = fields[key], let matcher = readMatcher(entry.value) else {
        return nil
      }
      return (Located(.string(key.rawValue), entry.keyRange), matcher)
    }
    return MatcherSpec(.map(conditions), range)
  }

  /// Reads an action of a mock on its connection, by the verb of the step.
  func readAct(_ verb: Key, _ node: YAMLNode, at place: Place? = nil) -> ServerActSpec? {
    switch verb {
    case .event where place == .lines && !node.isEventWithData:
      var event = ServerEventSpec()
      event.data = readSent(node)
      return event.data.map { _ in .event(event) }
    case .event: return readEvent(node).map { .event($0) }
    case .send: return readSent(node).map { .message($0) }
    case .bytes: return readBytes(node).map { .bytes($0) }
    case .pings:
      let words = Shape.words(["answer", "ignore"])
      return readWord(node, words, .key(.pings)).map {
        .pings(areAnswered: $0.value == "answer")
      }
    case .close:
      if case .mapping = node.content { return readClosing(node) }
      return readFlag(node, .key(.close)) ? .close(code: nil, reason: nil) : nil
    default:
      return readFlag(node, .key(verb)) ? ServerActSpec(word: verb.rawValue) : nil
    }
  }

  private func readEvent(_ node: YAMLNode) -> ServerEventSpec? {
    var event = ServerEventSpec()
    guard case .mapping = node.content else {
      guard let data = readScalar(node, .key(.event)) else { return nil }
      event.data = data
      return event
    }
    guard let fields = open(node, LanguageTable.serverEvent, "`event`") else { return nil }
    event.id = readLine(fields, .id)
    event.event = readLine(fields, .event)
    event.data = fields[.data].flatMap { readSent($0.value) }
    event.retry = fields.anyDuration(.retry)
    event.comment = fields.scalar(.comment)
    return event
  }

  /// Reads a scalar that is sent as one line. A line break in it would end the line.
  private func readLine(_ fields: MappingReader, _ key: Key) -> DataSpec? {
    guard let data = fields.scalar(key) else { return nil }
    if case .literal(.string(let text)) = data.content,
      text.unicodeScalars.contains(where: { ["\n", "\r", "\0"].contains($0) })
    {
      let line = "text without line breaks and NUL"
      report(.outOfRange(ValueSubject.key(key).text, takes: line, at: data.range))
      return nil
    }
    return data
  }

  private func readClosing(_ node: YAMLNode) -> ServerActSpec? {
    guard let fields = open(node, LanguageTable.closing, "`close`") else { return nil }
    return .close(code: fields.count(.code), reason: fields.scalar(.reason))
  }

  func readBytes(_ node: YAMLNode) -> [BytesSpec]? {
    guard case .sequence(let nodes) = node.content else {
      return readPiece(node).map { [$0] }
    }
    let pieces = nodes.compactMap { readPiece($0) }
    return pieces.count == nodes.count ? pieces : nil
  }

  private func readPiece(_ node: YAMLNode) -> BytesSpec? {
    guard case .mapping = node.content else {
      guard !node.isNull else {
        reportWrongType(node, .key(.bytes), takes: LanguageTable.bytesShape)
        return nil
      }
      return readSentText(node, .key(.bytes)).map { .value($0) }
    }
    guard let fields = open(node, LanguageTable.hexadecimal, "`bytes`"),
      let text = fields.text(.hex)
    else { return nil }
    guard let bytes = bytes(ofHexadecimal: text.value) else {
      report(.badHexadecimal(at: text.range))
      return nil
    }
    return .hexadecimal(Located(bytes, text.range))
  }
}

// What a step of the scenario makes endpoints do.
extension DocumentReader {
  func readServe(_ fields: MappingReader, _ node: YAMLNode) -> StepKind? {
    guard case .mapping(let entries) = node.content else {
      reportWrongType(node, fields.rule, .serve)
      return nil
    }
    if entries.isEmpty { report(.emptyMap("`serve`", at: node.range)) }
    let audience = readAudience(fields)
    let deeds = entries.compactMap { entry -> ServeSpec? in
      let endpoint = readAddress(entry)
      guard let command = readCommand(entry), let endpoint else { return nil }
      return ServeSpec(endpoint: endpoint, command: command.value, commandRange: command.range)
    }
    guard let audience, !deeds.isEmpty, deeds.count == entries.count else { return nil }
    return .serve(deeds, to: audience)
  }

  private func readAudience(_ fields: MappingReader) -> ServeSpec.Audience? {
    guard let node = fields[.to]?.value else { return .all }
    if node.scalar?.isText != true || node.text?.contains(byte: UInt8(ascii: "$")) == true {
      return readCount(node, in: 1...Int.max, .key(.to)).map { .connection($0) }
    }
    let shape = fields.rule.rule(for: .to)?.shape
    return readWord(node, .words(["all", "last"]), .key(.to), of: shape).map {
      $0.value == "all" ? .all : .last
    }
  }

  private func readCommand(_ entry: YAMLEntry) -> Located<ServeSpec.Command>? {
    let subject = ValueSubject.entry(entry.key, of: .serve)
    guard case .mapping = entry.value.content else {
      let full = Shape.anyOf([LanguageTable.servedWords, .mapping(.served)])
      guard entry.value.scalar?.isText ?? false else {
        reportWrongType(entry.value, subject, takes: full)
        return nil
      }
      return readWord(entry.value, LanguageTable.servedWords, subject, of: full).flatMap {
        word in
        ServeSpec.Command(word: word.value).map { Located($0, word.range) }
      }
    }
    guard let fields = open(entry.value, LanguageTable.served, subject.text),
      let (key, act) = fields.first(of: [.event, .send, .bytes, .close, .pings])
    else { return nil }
    return readAct(key, act.value).map { Located(.act($0), act.keyRange) }
  }
}

extension YAMLNode {
  /// True for the long form of an event, which says what it carries under `data`.
  fileprivate var isEventWithData: Bool { entry(Key.data.rawValue) != nil }
}

extension ServeSpec.Command {
  fileprivate init?(word: String) {
    switch word {
    case "stop": self = .stop
    case "start": self = .start
    case "restart": self = .restart
    default:
      guard let act = ServerActSpec(word: word) else { return nil }
      self = .act(act)
    }
  }
}

extension ServerActSpec {
  /// Makes the action that a word stands for.
  init?(word: String) {
    switch word {
    case "drop": self = .drop
    case "reset": self = .reset
    case "stall": self = .stall
    case "halfClose": self = .halfClose
    case "close": self = .close(code: nil, reason: nil)
    default: return nil
    }
  }
}

extension StepSpec {
  /// Makes the step of an entry without a script.
  fileprivate static func waitForever(at range: SourceRange) -> StepSpec {
    StepSpec(kind: .wait(nil), verb: Located("accept", range), range: range)
  }
}

/// Returns the bytes of pairs of hexadecimal digits; nil if the text has other characters.
package func bytes(ofHexadecimal text: String) -> [UInt8]? {
  let digits: [Int?] = text.utf8.filter { !isBlankByte($0) }.map {
    Character(UnicodeScalar($0)).hexDigitValue
  }
  guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
  return stride(from: 0, to: digits.count, by: 2).map { index in
    let (high, low): (Int, Int) = (digits[index] ?? 0, digits[index + 1] ?? 0)
    return UInt8(high << 4 | low)
  }
}
