import Protocols

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
    for index in exchanges.indices { followRedirect(of: index) }
  }

  /// Finds the request to which an answer to a connection's request led.
  private mutating func followRedirect(of number: Int) {
    guard case .conversation(var refused) = exchanges[number].answer,
      let redirect = exchanges[number].redirect
    else { return }
    let next = exchanges.indices.dropFirst(number + 1).first { index in
      exchanges[index].mayFollow(redirect, from: exchanges[number])
    }
    refused.redirect = next.map { .followed(by: $0) } ?? .notFollowed
    exchanges[number].answer = .conversation(refused)
    guard let next, case .conversation(var conversation) = exchanges[next].answer else { return }
    conversation.follows = number
    exchanges[next].answer = .conversation(conversation)
  }
}

extension ImportedExchange {
  /// The redirect that a connection got in place of a stream. A WebSocket follows none unless the
  /// scenario says so.
  fileprivate var redirect: Redirect? {
    guard case .conversation(let conversation) = answer, conversation.kind != .webSocket,
      case .refused(let response?) = conversation.end
    else { return nil }
    var headers = HTTPHeaders()
    for field in response.headers { headers.add(field.name, field.value) }
    return Redirect(HTTPResponse(status: response.status, headers: headers), to: request.path)
  }

  /// Returns whether this is what a connection asked after a redirect.
  fileprivate func mayFollow(_ redirect: Redirect, from first: ImportedExchange) -> Bool {
    guard case .conversation(let conversation) = answer,
      case .conversation(let refused) = first.answer
    else { return false }
    return conversation.follows == nil && conversation.kind == refused.kind
      && server == first.server
      && HTTPTarget(request.path).segments == HTTPTarget(redirect.path).segments
  }

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
