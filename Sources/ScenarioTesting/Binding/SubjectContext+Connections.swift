import ConnectionLoops

/// Clients that stay connected, and clients of the program's own code.
extension SubjectContext {
  /// The loop that leads a program's own clients to the scenario's endpoints, in virtual time.
  ///
  /// `EventStreamClient`, `WebSocketClient` and `HTTPClient` take it as `on:`. The host of a URL is
  /// the name of an endpoint, or the host in the endpoint's `url`:
  ///
  /// ```swift
  /// stage.bind("prices") { PricesReactor(EventStreamClient("http://feed/prices", on: $0.loop)) }
  /// ```
  ///
  /// Latency, faults and a lost network strike these connections as any other. A host that the
  /// scenario does not have fails the scenario.
  public var loop: any ClientLoop { world.loop(for: part) }

  /// Returns the URL of a path at an endpoint, for clients on the `loop`.
  ///
  /// A name that the scenario does not have is an error before the run.
  public func url(_ endpoint: String, _ path: String = "/") -> String {
    "http://" + place(endpoint, path)
  }

  /// Returns a client of an endpoint's event stream. It does nothing until `connect`.
  public func events(
    _ endpoint: String, _ path: String = "/", headers: HeaderFields = [:],
    retry: RetryPolicy? = nil, idle: Duration? = nil
  ) -> EventStreamClient {
    let request = ClientRequest(url(endpoint, path), headers: headers)
    return EventStreamClient(request, retry: retry, idle: idle, on: loop)
  }

  /// Returns a client of an endpoint's lines, such as NDJSON. It does nothing until `connect`.
  public func lines(
    _ endpoint: String, _ path: String = "/", headers: HeaderFields = [:],
    retry: RetryPolicy? = nil, idle: Duration? = nil
  ) -> EventStreamClient {
    let request = ClientRequest(url(endpoint, path), headers: headers)
    return EventStreamClient(request, format: .lines, retry: retry, idle: idle, on: loop)
  }

  /// Returns a client of an endpoint's WebSocket. It does nothing until `connect`.
  public func webSocket(
    _ endpoint: String, _ path: String = "/", protocols: [String] = [],
    headers: HeaderFields = [:], retry: RetryPolicy? = nil, ping: PingPolicy? = PingPolicy(),
    idle: Duration? = nil
  ) -> WebSocketClient {
    let request = ClientRequest("ws://" + place(endpoint, path), headers: headers)
    return WebSocketClient(
      request, protocols: protocols, retry: retry, ping: ping, idle: idle, on: loop)
  }

  private func place(_ endpoint: String, _ path: String) -> String {
    _ = world.endpoint(named: endpoint, for: part)
    return endpoint + (path.hasPrefix("/") ? path : "/" + path)
  }
}
