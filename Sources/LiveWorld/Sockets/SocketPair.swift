/// The two ends of a connection between two sockets of one network.
struct SocketPair {
  let client: SocketTransport
  /// Nil until the connection was accepted.
  var server: SocketTransport?

  /// True if one end has not yet received all that the other end sent.
  var hasBytesUnderWay: Bool {
    guard let server else { return client.phase != .closed }
    return client.phase.isConnecting || isUnderWay(from: client, to: server)
      || isUnderWay(from: server, to: client)
  }

  var isOver: Bool {
    client.phase == .closed && (server?.phase ?? .closed) == .closed
  }

  /// Makes the client receive in the pieces in which the server sends.
  func keepPieces() {
    let pieces = SentPieces()
    server?.piecesSent = pieces
    client.piecesToCome = pieces
  }

  private func isUnderWay(from sender: SocketTransport, to receiver: SocketTransport) -> Bool {
    receiver.isListening
      && (sender.bytesSent > receiver.bytesReceived || sender.phase.hasSentAll)
  }
}
