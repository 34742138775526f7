import Values

/// The sizes to which an imported scenario is cut, so that it can be read.
enum ImportLimits {
  /// The most elements of a list in an answer.
  static let elements = 20
  /// The most characters of a text.
  static let characters = 2_000
  /// The most bytes of a body that is no text.
  static let bytes = 256
  /// The most characters of an answer that is expected word by word.
  static let expectedCharacters = 400
}

extension ImportedFlow {
  /// Cuts what is long, and returns how many lists, texts and bodies were cut.
  mutating func shorten() -> Int {
    var cuts = 0
    for index in exchanges.indices {
      switch exchanges[index].answer {
      case .none: break
      case .response(var response):
        response.body?.shorten(&cuts)
        exchanges[index].answer = .response(response)
      case .conversation(var conversation):
        for number in conversation.messages.indices {
          conversation.messages[number].data =
            conversation.messages[number].data.shortened(&cuts)
        }
        exchanges[index].answer = .conversation(conversation)
      }
    }
    return cuts
  }
}

extension ImportedBody {
  fileprivate mutating func shorten(_ cuts: inout Int) {
    switch self {
    case .json(let json): self = .json(json.shortened(&cuts))
    case .form: break
    case .text(let text):
      guard case .string(let short) = Value.string(text).shortened(&cuts) else { return }
      self = .text(short)
    case .bytes(let bytes):
      guard bytes.count > ImportLimits.bytes else { return }
      cuts += 1
      self = .bytes(Array(bytes.prefix(ImportLimits.bytes)))
    }
  }
}

extension Value {
  fileprivate func shortened(_ cuts: inout Int) -> Value {
    switch self {
    case .string(let text):
      guard text.count > ImportLimits.characters else { return self }
      cuts += 1
      return .string(String(text.prefix(ImportLimits.characters)))
    case .list(let elements):
      if elements.count > ImportLimits.elements { cuts += 1 }
      return .list(elements.prefix(ImportLimits.elements).map { $0.shortened(&cuts) })
    case .map(let map): return .map(ValueMap(map.map { ($0.key, $0.value.shortened(&cuts)) }))
    case .null, .bool, .int, .uint, .double, .digits, .bytes, .timestamp, .duration, .type,
      .optional:
      return self
    }
  }
}
