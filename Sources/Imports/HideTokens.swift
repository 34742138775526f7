import Secrets
import Values

extension ImportedFlow {
  /// Puts names in place of tokens, so that the scenario can be shared. A token has the same name
  /// in the answer that issued it and in the requests that use it.
  mutating func hideTokens() {
    // What has a name already is hidden.
    var tokens = CredentialFinder(isPublic: PlaceholderText.isMarked)
    for exchange in exchanges { tokens.find(in: exchange.texts) }
    let found = tokens.takeFound()
    var names = NamedSecrets()
    for token in found { names.add(token.text, name: token.name) }
    let given = Set(found.map(\.name))
    for index in exchanges.indices {
      exchanges[index].changeTexts { [names] in
        let masked = names.masked($0)
        return masked == $0 ? masked : PlaceholderText.marked(masked, given.contains)
      }
    }
  }

  /// Changes all texts of the recording.
  mutating func changeTexts(_ change: (String) -> String) {
    title = change(title)
    for index in exchanges.indices { exchanges[index].changeTexts(change) }
  }
}

extension ImportedExchange {
  /// All that may hold a token, as one value with its keys.
  fileprivate var texts: Value {
    var parts: [Value] = [request.headers.value, request.query.value]
    if let body = request.body { parts.append(body.value) }
    switch answer {
    case .none: break
    case .response(let response):
      parts.append(response.headers.value)
      if let body = response.body { parts.append(body.value) }
    case .conversation(let conversation): parts += conversation.messages.map(\.data)
    }
    return .list(parts)
  }

  fileprivate mutating func changeTexts(_ change: (String) -> String) {
    // A path is no token, though a cookie may hold it.
    request.path = request.path.split(separator: "/", omittingEmptySubsequences: false)
      .map { change(String($0)) }.joined(separator: "/")
    request.headers.change(change)
    request.query.change(change)
    request.body?.change(change)
    switch answer {
    case .none: break
    case .response(var response):
      response.headers.change(change)
      response.body?.change(change)
      answer = .response(response)
    case .conversation(var conversation):
      for index in conversation.messages.indices {
        conversation.messages[index].change(change)
      }
      if case .closed(let code, let reason) = conversation.end {
        conversation.end = .closed(code: code, reason: change(reason))
      }
      answer = .conversation(conversation)
    }
  }
}

extension ImportedMessage {
  fileprivate mutating func change(_ change: (String) -> String) {
    event = event.map(change)
    id = id.map(change)
    data = data.changed(change)
  }
}

extension [ImportedField] {
  fileprivate var value: Value {
    .list(map { [.string($0.name): .string($0.value)] })
  }

  fileprivate mutating func change(_ change: (String) -> String) {
    for index in indices { self[index].value = change(self[index].value) }
  }
}

extension ImportedBody {
  fileprivate var value: Value {
    switch self {
    case .json(let json): json
    case .form(let fields): fields.value
    case .text(let text): .string(text)
    case .bytes: .null
    }
  }

  fileprivate mutating func change(_ change: (String) -> String) {
    switch self {
    case .json(let json): self = .json(json.changed(change))
    case .form(var fields):
      fields.change(change)
      self = .form(fields)
    case .text(let text): self = .text(change(text))
    case .bytes: break
    }
  }
}

extension Value {
  fileprivate func changed(_ change: (String) -> String) -> Value {
    switch self {
    case .string(let text): .string(change(text))
    case .list(let elements): .list(elements.map { $0.changed(change) })
    case .map(let map): .map(ValueMap(map.map { ($0.changed(change), $1.changed(change)) }))
    case .null, .bool, .int, .uint, .double, .digits, .bytes, .timestamp, .duration, .type,
      .optional:
      self
    }
  }
}
