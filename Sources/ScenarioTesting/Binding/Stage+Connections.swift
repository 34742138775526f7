import ConnectionLoops

// Clients that play connections.
extension Stage {
  /// Lets a Swift client play a connection of the scenario that is an event stream or has lines.
  ///
  /// The steps `connect`, `disconnect` and `terminate` reach the client. Its states are the
  /// connection's, and its events are the connection's. The request, the retry policy and the
  /// longest silence are the client's:
  ///
  /// ```swift
  /// stage.bind(connection: "prices") { $0.events("feed", "/prices", retry: RetryPolicy()) }
  /// ```
  public func bind(
    connection: String, file: String = #fileID, line: Int = #line,
    _ make: @escaping @MainActor @Sendable (SubjectContext) -> EventStreamClient
  ) {
    add(connection, .connection, file, line) { .connection(.stream(make($0))) }
  }

  /// Lets a Swift client play a connection of the scenario that is a WebSocket. The step `send`
  /// reaches it as well.
  public func bind(
    connection: String, file: String = #fileID, line: Int = #line,
    _ make: @escaping @MainActor @Sendable (SubjectContext) -> WebSocketClient
  ) {
    add(connection, .connection, file, line) { .connection(.socket(make($0))) }
  }
}
