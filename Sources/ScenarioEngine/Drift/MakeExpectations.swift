import CEL
import Diagnostics
import Protocols
import ScenarioPlan
import Values

/// Data as what something must be like, with the place of each part that was written by itself;
/// `shown` is how a value looks when it has come.
func expectation(
  of data: DataPlan, in slots: some CELSlots, as shown: (Value) -> Value = sentAsJSON
) throws(MessageFailure) -> MatcherPlan {
  switch data.content {
  case .map(let entries):
    var parts: [(key: Value, matcher: MatcherPlan)] = []
    for entry in entries { parts.append((entry.key, try expectation(of: entry.value, in: slots))) }
    return MatcherPlan(.map(parts), data.range)
  case .list(let elements):
    var parts: [MatcherPlan] = []
    for element in elements { parts.append(try expectation(of: element, in: slots)) }
    return MatcherPlan(.list(parts), data.range)
  case .example(_, let matcher): return try expectation(by: matcher, in: slots, as: shown)
  case .constant, .expression, .text, .keyedMap:
    return constant(shown(try valueOf(data, in: slots)), at: data.range)
  }
}

/// A matcher of a mock's example whose values are constants.
private func expectation(
  by matcher: MatcherPlan, in slots: some CELSlots, as shown: (Value) -> Value
) throws(MessageFailure) -> MatcherPlan {
  try matcher.mapData { data throws(MessageFailure) in
    DataPlan(.constant(shown(try valueOf(data, in: slots))), data.range)
  }
}

/// A payload as it arrives: text that is a JSON object or array is decoded.
func expectation(
  ofPayload data: DataPlan, in slots: some CELSlots
) throws(MessageFailure) -> MatcherPlan {
  try expectation(of: data, in: slots) { value in
    if case .bytes = value { value } else { payloadValue(payloadText(value)) }
  }
}

/// An event of a stream: the fields that are written, and that a client sees.
func expectation(
  of event: ServerEventPlan, _ data: DataPlan, in slots: some CELSlots
) throws(MessageFailure) -> MatcherPlan {
  var parts: [(key: Value, matcher: MatcherPlan)] = []
  for (key, field) in [("id", event.id), ("event", event.event)] {
    guard let field else { continue }
    guard let text = try textIfAny(field, in: slots) else { continue }
    parts.append((.string(key), constant(.string(text), at: field.range)))
  }
  parts.append(("data", try expectation(ofPayload: data, in: slots)))
  return MatcherPlan(.map(parts), event.id?.range ?? event.event?.range ?? data.range)
}

/// The parts of an answer that a mock writes, and its status.
func expectation(
  of response: ResponsePlan, at range: SourceRange, in slots: some CELSlots,
  from messages: MessageMaker
) throws(MessageFailure) -> MatcherPlan {
  var parts: [(key: Value, matcher: MatcherPlan)] = []
  if let status = response.status {
    parts.append(("status", try expectation(of: status, in: slots)))
  } else {
    parts.append(("status", constant(200, at: range)))
  }
  let headers = try expectations(ofHeaders: response.headers, in: slots)
  if let first = headers.first {
    parts.append(("headers", MatcherPlan(.map(headers), first.matcher.range)))
  }
  if let body = try expectation(of: response.body, in: slots, from: messages) { parts.append(body) }
  return MatcherPlan(.map(parts), range)
}

/// The headers that describe how a message travels. A mock makes no promise about them.
private let headersOfTransport: Set<String> = [
  "connection", "content-encoding", "content-length", "date", "keep-alive", "transfer-encoding",
]

/// Returns the expected headers by name in lower case; repeated ones are a list, as they are shown.
private func expectations(
  ofHeaders headers: [(name: String, value: DataPlan)], in slots: some CELSlots
) throws(MessageFailure) -> [(key: Value, matcher: MatcherPlan)] {
  var pairs: [(name: String, text: String)] = []
  var ranges: [String: SourceRange] = [:]
  var examples: [(key: Value, matcher: MatcherPlan)] = []
  for header in headers {
    let name = header.name.lowercasedASCII
    if headersOfTransport.contains(name) { continue }
    if case .example(_, let matcher) = header.value.content {
      let matcher = try expectation(by: matcher, in: slots) { .string($0.plainText) }
      examples.append((.string(name), matcher))
      continue
    }
    if ranges[name] == nil { ranges[name] = header.value.range }
    pairs += try makeItems([header], in: slots).map { (name, $0.value) }
  }
  return ValueMap(gathering: pairs).map { name, value in
    (name, constant(value, at: ranges[name.plainText] ?? headers[0].value.range))
  } + examples
}

/// Returns the expected body: JSON, text, or bytes; the parts of forms are not compared.
private func expectation(
  of body: BodyPlan, in slots: some CELSlots, from messages: MessageMaker
) throws(MessageFailure) -> (key: Value, matcher: MatcherPlan)? {
  switch body {
  case .none, .form, .multipart: return nil
  case .contents(let bytes, let path):
    return expectation(ofFile: bytes, mediaType(ofFile: path.value), at: path.range)
  case .bytes(let pieces, let range):
    return ("bytes", constant(.bytes(try messages.makeBytes(pieces, in: slots)), at: range))
  case .json(let data): return ("json", try expectation(of: data, in: slots))
  case .text(let data):
    if case .bytes(let bytes) = try valueOf(data, in: slots) {
      return ("bytes", constant(.bytes(bytes), at: data.range))
    }
    return try textIfAny(data, in: slots).map {
      ("text", constant(.string($0), at: data.range))
    }
  case .file(let data, let folder):
    let path = try textOf(data, in: slots)
    let (bytes, type) = try messages.contents(of: data, named: path, in: folder)
    return expectation(ofFile: bytes, type, at: data.range)
  }
}

private func expectation(
  ofFile bytes: [UInt8], _ type: String?, at range: SourceRange
) -> (key: Value, matcher: MatcherPlan) {
  if type == "application/json", case .success(let value) = parseJSON(bytes) {
    return ("json", constant(value, at: range))
  }
  let text = String(validating: bytes, as: UTF8.self)
  return text.map { ("text", constant(.string($0), at: range)) }
    ?? ("bytes", constant(.bytes(bytes), at: range))
}

func constant(_ value: Value, at range: SourceRange) -> MatcherPlan {
  MatcherPlan(.value(DataPlan(.constant(value), range)), range)
}

/// A value as it is read back from JSON, which has no times and no bytes.
func sentAsJSON(_ value: Value) -> Value {
  switch value {
  case .null, .bool, .int, .uint, .double, .digits, .string: return value
  case .bytes, .list, .map, .timestamp, .duration, .type, .optional:
    if case .success(let read) = parseJSON(value.jsonBytes) { return read }
    return value
  }
}
