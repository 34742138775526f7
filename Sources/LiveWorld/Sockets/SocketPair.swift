import World

/// Both ends of a connection between two sockets of one network.
struct SocketPair {
  let client: SocketTransport
  /// Nil until the connection was accepted.
  var server: SocketTransport?

  /// Whether one end has yet to be told what the other did.
  var hasBytesUnderWay: Bool {
    guard let server else { return client.phase != .over }
    return client.phase == .connecting || isUnderWay(from: client, to: server)
      || isUnderWay(from: server, to: client)
  }

  var isOver: Bool {
    client.phase == .over && (server?.phase ?? .over) == .over
  }

  /// From now on the client receives in the pieces the server sends in.
  func keepPieces() {
    let pieces = SentPieces()
    server?.piecesSent = pieces
    client.piecesToCome = pieces
  }

  private func isUnderWay(from sender: SocketTransport, to receiver: SocketTransport) -> Bool {
    receiver.isListening
      && (sender.bytesSent > receiver.bytesReceived || sender.hasSaidAll)
  }
}
