import Values

/// A request or an answer as a line shows it, and what was sent for it.
package struct TraceMessage {
  package enum Body {
    case text(String)
    case bytes([UInt8])
  }

  private let json: Value
  /// The exact text of the body, if it is not its value in its shortest form.
  private let text: Value?

  package init(_ line: TraceLine) {
    json = line.value?.json ?? .null
    text = line.text?.json
  }

  /// Each field with its name. A name that came several times comes several times.
  package var headers: [(name: String, value: String)] { fields(json["headers"]) }

  package var query: [(name: String, value: String)] { fields(json["query"]) }

  /// The path with its query, as it was sent. That is better than what it was decoded to.
  package var target: String {
    if let target = json["target"] { return target.plainText }
    let items = query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    return (json["path"]?.plainText ?? "/") + (items.isEmpty ? "" : "?" + items)
  }

  /// The path without its query, as it was sent.
  package var path: String {
    guard let target = json["target"] else { return json["path"]?.plainText ?? "/" }
    return String(target.plainText.prefix { $0 != "?" })
  }

  /// Returns what the exact text of the body, else its value, stands for; nil if there is no body.
  package func decodedBody(_ resolver: TraceResolver) -> Value? {
    (text ?? json["body"]).map { json in
      (try? TraceValue(json: json).decoded(resolver).get()) ?? json
    }
  }

  /// Returns the body: its exact text, else what its value stands for; nil if there is none.
  package func body(_ resolver: TraceResolver = TraceResolver()) -> Body? {
    guard let json = text ?? json["body"] else { return nil }
    switch TraceValue(json: json).decoded(resolver) {
    case .success(.bytes(let bytes)): return .bytes(bytes)
    case .success(.string(let text)): return .text(text)
    // A JSON body whose text is not recorded was sent in its shortest form.
    case .success(let value): return .text(value.json(sortedKeys: true))
    case .failure: return .text(json.json(sortedKeys: true))
    }
  }

  private func fields(_ json: Value?) -> [(name: String, value: String)] {
    // A single name that begins with `$`, as queries of OData have it, is written as `$map`.
    guard let json, case .success(.map(let map)) = TraceValue(json: json).decoded() else {
      return []
    }
    return map.flatMap { key, value in
      let values = if case .list(let values) = value { values } else { [value] }
      return values.map { (key.plainText, $0.plainText) }
    }
  }
}
