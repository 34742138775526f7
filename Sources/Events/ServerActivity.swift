import Values

/// What an endpoint did on a connection, or noticed of it.
package enum ServerActivity: Sendable {
  /// A whole answer.
  case answered(status: Int, type: String?, bytes: Int)
  /// The head of an answer whose body comes piece by piece.
  case streamed(status: Int, type: String?)
  /// HTTP is over on the connection; it speaks WebSocket from now on.
  case upgraded(protocol: String?)
  case sentEvent(SentEvent)
  case sentMessage(Value)
  /// Bytes past all framing.
  case sentBytes(Int)
  /// The stream, or the WebSocket, was ended in good order.
  case saidGoodbye(code: Int?, reason: String)
  /// The connection was broken on purpose.
  case brokeOff
  /// What arrived is not what the protocol allows, or more than its limits.
  case misunderstood(String)
}

/// An event of a stream, as an endpoint sends it.
package struct SentEvent: Sendable {
  package var name: String?
  package var id: String?
  package var data: Value?
  package var comment: String?

  package init(name: String?, id: String?, data: Value?, comment: String?) {
    self.name = name
    self.id = id
    self.data = data
    self.comment = comment
  }
}
