import Protocols
import Synchronization
import World

/// The server's end of a connection in memory. It may be used on any thread; what it does happens
/// in order on the loop.
public final class MemoryConnection: Sendable {
  private let transport: LoopConfined<any Transport>
  private let loop: VirtualLoop

  init(_ transport: any Transport, on loop: VirtualLoop) {
    self.transport = LoopConfined(transport)
    self.loop = loop
  }

  /// Calls a function with the bytes of the client, on the loop. It takes the place of an earlier
  /// function. Bytes wait until there is one.
  public func onReceive(_ receive: @escaping @Sendable ([UInt8]) -> Void) {
    loop.perform { [transport] in
      // The connection is kept by its handler until it ends.
      transport.value.onEvent = { [self] event in
        switch event {
        case .received(let bytes): receive(bytes)
        case .ended, .halfClosed, .failed: transport.value.onEvent = nil
        case .connected, .writable: break
        }
        _ = self
      }
    }
  }

  /// Sends bytes to the client.
  public func send(_ bytes: [UInt8]) {
    loop.perform { [transport] in transport.value.send(bytes) }
  }

  /// Sends a text to the client, in UTF-8.
  public func send(_ text: String) { send(Array(text.utf8)) }

  /// Ends the connection in good order.
  public func close() { loop.perform { [transport] in transport.value.close() } }

  /// Ends the connection with a reset.
  public func abort() { loop.perform { [transport] in transport.value.abort() } }
}

/// A request as a server in memory receives it.
public struct ServedRequest: Sendable, Equatable {
  /// The method, such as `GET`.
  public var method: String
  /// The path and the query, as they were sent.
  public var target: String
  /// The fields of the head.
  public var headers: HeaderFields
  /// The whole body.
  public var body: [UInt8]

  init(_ request: HTTPRequest) {
    method = request.method
    target = request.target
    headers = HeaderFields(request.headers)
    body = request.body
  }

  /// The body as text, in UTF-8.
  public var text: String { String(decoding: body, as: UTF8.self) }
}

/// A connection of a server that answers requests.
final class ServedConnection: Sendable {
  private let connection: MemoryConnection
  private let answer: @Sendable (ServedRequest) -> ClientResponse
  private let http = Mutex(HTTPServerConnection())

  init(
    _ connection: MemoryConnection, _ answer: @escaping @Sendable (ServedRequest) -> ClientResponse
  ) {
    self.connection = connection
    self.answer = answer
  }

  func begin() {
    connection.onReceive { [self] bytes in perform(http.withLock { $0.on(.bytesReceived(bytes)) }) }
  }

  private func perform(_ actions: [HTTPServerConnection.Action]) {
    for action in actions {
      switch action {
      case .requestArrived(let request):
        let response = answer(ServedRequest(request))
        perform(http.withLock { $0.on(.responded(HTTPResponse(response))) })
      case .send(let bytes): connection.send(bytes)
      case .close: connection.close()
      case .cancelled, .refuse, .fail, .passOn: break
      }
    }
  }
}
