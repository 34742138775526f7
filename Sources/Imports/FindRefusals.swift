extension ImportedFlow {
  /// Finds requests for a stream or a WebSocket that were not accepted. A client that asks for a
  /// stream does so as a connection, whatever it gets.
  mutating func findRefusals() {
    for index in exchanges.indices {
      let exchange = exchanges[index]
      guard let kind = exchange.request.conversation else { continue }
      switch exchange.answer {
      case .response(let response) where (200...299).contains(response.status): break
      case .response(let response): exchanges[index].refuse(kind, response)
      case .none: exchanges[index].refuse(kind, nil)
      case .conversation: break
      }
    }
  }
}

extension ImportedExchange {
  fileprivate mutating func refuse(
    _ kind: ImportedConversation.Kind, _ response: ImportedResponse?
  ) {
    answer = .conversation(
      ImportedConversation(kind: kind, end: .refused(response), endTime: time))
  }
}

extension ImportedRequest {
  /// The kind of conversation that the request asks for; nil for any other request.
  fileprivate var conversation: ImportedConversation.Kind? {
    for field in headers {
      switch (field.name.lowercased(), field.value.lowercased()) {
      case ("upgrade", "websocket"): return .webSocket
      case ("accept", "text/event-stream"): return .eventStream
      case ("accept", "application/x-ndjson"): return .lines
      default: continue
      }
    }
    return nil
  }
}
