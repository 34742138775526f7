import ScenarioSpec
import TextSearch
import Values
import YAMLSyntax

// What the client expects: the recorded answers, with captures of what is used later, and by type
// where another recording had another value.
extension ImportStage {
  func expectation(_ response: ImportedResponse, _ number: Int) -> YAMLText {
    var entries = [YAMLText.Entry("status", .scalar(.int(response.status)))]
    if let location = captures.locations[number] {
      let capture = YAMLText.map([YAMLText.Entry("$as", .text(location.name))])
      entries.append(YAMLText.Entry("headers", .map([YAMLText.Entry("Location", capture)])))
    }
    switch response.body {
    case .json(let json):
      if let matcher = matcher(for: json, [], number) {
        entries.append(YAMLText.Entry("json", matcher))
      }
    case .text(let text):
      if text.count <= ImportLimits.expectedCharacters, !noise.contains([], of: number) {
        entries.append(YAMLText.Entry("text", .text(said(text))))
      }
    case .form, .bytes, nil: break
    }
    return .map(entries)
  }

  /// Returns the expectation of the messages that came before an action; nil if there are none.
  ///
  /// - Parameter seen: By exchange of a connection that was opened: the messages expected already.
  func expectation(before action: TimedAction?, _ seen: inout [Int: Int]) -> YAMLText? {
    var messages: [(name: String, matchers: [YAMLText])] = []
    for (number, first) in seen.sorted(by: { $0.key < $1.key }) {
      guard case .conversation(let conversation) = flow.exchanges[number].answer,
        let name = connections[number]
      else { continue }
      let all = conversation.messages.indices.dropFirst(first)
      let count = all.prefix { action?.follows(conversation.messages[$0], $0, of: number) ?? true }
        .count
      seen[number] = first + count
      let matchers = (first..<first + count).compactMap {
        matcher(for: conversation.messages[$0], $0, of: conversation.kind, number)
      }
      guard !matchers.isEmpty else { continue }
      if let place = messages.firstIndex(where: { $0.name == name }) {
        messages[place].matchers += matchers
      } else {
        messages.append((name, matchers))
      }
    }
    guard !messages.isEmpty else { return nil }
    return Imports.step(
      "expect",
      .map(
        messages.map { name, matchers in
          // A message that is a list would be read as a list of messages.
          YAMLText.Entry(
            name, matchers.count == 1 && !matchers[0].isList ? matchers[0] : .list(matchers))
        }))
  }

  private func matcher(
    for message: ImportedMessage, _ index: Int, of kind: ImportedConversation.Kind, _ number: Int
  ) -> YAMLText? {
    guard !message.isFromClient else { return nil }
    let data = matcher(for: message.data, [.int(index)], number) ?? anything
    guard kind == .eventStream else { return data }
    var entries: [YAMLText.Entry] = []
    if let event = message.event { entries.append(YAMLText.Entry("event", .text(event.escaped))) }
    if let id = message.id { entries.append(YAMLText.Entry("id", .text(id.escaped))) }
    entries.append(YAMLText.Entry("data", data))
    return .map(entries)
  }

  /// Returns what a value must be like; nil if nothing is required of it.
  private func matcher(
    for value: Value, _ place: ValuePlace, _ exchange: Int
  ) -> YAMLText? {
    let isLong = value.json().count > ImportLimits.expectedCharacters
    return matcher(for: value, place, exchange, isLong: isLong)
  }

  private func matcher(
    for value: Value, _ place: ValuePlace, _ exchange: Int, isLong: Bool
  ) -> YAMLText? {
    if let name = captures.names[exchange]?[place] {
      return .map([YAMLText.Entry("$as", .text(name))])
    }
    if let known = captures.name(for: value, before: exchange) { return .text("${\(known)}") }
    if noise.contains(place, of: exchange) {
      return capturesOnly(of: value, place, exchange) ?? like(value)
    }
    switch value {
    case .map(let map):
      let entries = map.compactMap { key, value in
        matcher(for: value, place + [key], exchange, isLong: isLong).map {
          YAMLText.Entry(key.plainText.escaped, $0)
        }
      }
      if map.looksLikeMatcher { return exactly(value) }
      return .map(entries)
    case .list(let elements):
      let hasCapture = captures.names[exchange]?.keys.contains { $0.starts(with: place) } ?? false
      if isLong, !hasCapture {
        return .map([YAMLText.Entry("$size", .scalar(.int(elements.count)))])
      }
      return .list(
        elements.enumerated().map { index, element in
          matcher(for: element, place + [.int(index)], exchange, isLong: isLong) ?? anything
        })
    case .string(let text): return .text(said(text))
    case .null, .bool, .int, .uint, .double, .digits, .bytes, .timestamp, .duration, .type,
      .optional:
      return exactly(value)
    }
  }

  /// Returns a matcher that captures what later requests use, and requires nothing else; nil if
  /// nothing in the value is used.
  private func capturesOnly(
    of value: Value, _ place: ValuePlace, _ exchange: Int
  ) -> YAMLText? {
    if let name = captures.names[exchange]?[place] {
      return .map([YAMLText.Entry("$as", .text(name))])
    }
    switch value {
    case .map(let map):
      let entries = map.compactMap { key, value in
        capturesOnly(of: value, place + [key], exchange).map {
          YAMLText.Entry(key.plainText.escaped, $0)
        }
      }
      return entries.isEmpty ? nil : .map(entries)
    case .list(let elements):
      let matchers = elements.enumerated().map { index, element in
        capturesOnly(of: element, place + [.int(index)], exchange)
      }
      return matchers.contains { $0 != nil } ? .list(matchers.map { $0 ?? anything }) : nil
    case .null, .bool, .int, .uint, .double, .digits, .string, .bytes, .timestamp, .duration, .type,
      .optional:
      return nil
    }
  }

  /// A value of the same type.
  private func like(_ value: Value) -> YAMLText {
    switch value {
    case .list, .map: anything
    case .null: anything
    case .digits: .map([YAMLText.Entry("$type", .text("int"))])
    case .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .type,
      .optional:
      .map([YAMLText.Entry("$like", written(value))])
    }
  }

  private var anything: YAMLText { .map([YAMLText.Entry("$any", .bare("true"))]) }
}

extension ValueMap {
  /// True if a key begins with `$`, or if the only one is the name of a matcher of other tools.
  fileprivate var looksLikeMatcher: Bool {
    if keys.contains(where: { $0.plainText.hasPrefix("$") }) { return true }
    guard count == 1, let (key, value) = first else { return false }
    return ForeignMatchers.isMatcher(key.plainText, value: value.plainText)
  }
}

/// Returns a matcher of data: a map whose keys begin with `$` would be read as operators.
///
/// - Parameter said: Returns a text as the scenario has it.
func exactly(_ value: Value, _ said: ((String) -> String)? = nil) -> YAMLText {
  switch value {
  case .map(let map) where map.looksLikeMatcher:
    .map([YAMLText.Entry("$exactly", written(value))])
  case .map(let map):
    .map(map.map { YAMLText.Entry($0.key.plainText.escaped, exactly($0.value, said)) })
  case .list(let elements): .list(elements.map { exactly($0, said) })
  case .string(let text): said.map { .text($0(text)) } ?? written(value)
  // A number beyond 64 bits is not compared, but its text is.
  case .digits:
    .map([YAMLText.Entry("$where", .text("string(value) == '\(value.plainText)'"))])
  case .null, .bool, .int, .uint, .double, .bytes, .timestamp, .duration, .type, .optional:
    written(value)
  }
}

extension YAMLText {
  fileprivate var isList: Bool { if case .list = self { true } else { false } }
}
