import Events
import Protocols
import ScenarioPlan
import Values
import World

/// The taps on the connections of a run that is recorded.
final class TrafficTaps {
  private let observer: any RunObserver
  private let run: RunParts
  /// By endpoint: the number of connections that clients have made.
  private var connections: PerID<EndpointPlan, Int>
  /// By number of the network: the numbers of a replay's connections at their run.endpoints.
  private var numbers: [Int: Int] = [:]
  /// The connections of the scenario's own clients to endpoints that are served, by number of the
  /// network. Their endpoints show what passes.
  private var own: Set<Int>?
  /// Called for each request and message that the running side sent; for replays.
  var onSent: ((EndpointID) -> Void)?
  /// True once the scenario's own clients leave because the run is over.
  private var haveClientsLeft = false

  init(_ observer: any RunObserver, _ run: RunParts) {
    self.observer = observer
    self.run = run
    own = run.isServing ? [] : nil
    connections = PerID(repeating: 0, for: run.plan.endpoints)
  }

  /// Taps a connection that a client of the scenario makes. A mock that is served shows what passes
  /// on it, once.
  ///
  /// - Parameter isRequests: True if the connection carries one request after the other.
  func tapped(
    _ transport: any Transport, to endpoint: EndpointID, forRequests isRequests: Bool
  ) -> any Transport {
    guard own == nil || run.endpoints.mock(of: endpoint) == nil else {
      own?.insert(transport.connection)
      return transport
    }
    connections[endpoint] += 1
    if run.director != nil { numbers[transport.connection] = connections[endpoint] }
    return tapped(transport, endpoint, connections[endpoint], .client, ofRequests: isRequests)
  }

  /// Returns the number at its endpoint of a connection of the network.
  func number(of connection: Int) -> Int? { numbers[connection] }

  /// Taps a connection that an endpoint of the scenario has accepted.
  func tapped(
    _ transport: any Transport, acceptedAt endpoint: EndpointID, number: Int
  ) -> any Transport {
    tapped(transport, endpoint, number, .server, ofRequests: false)
  }

  private func tapped(
    _ transport: any Transport, _ endpoint: EndpointID, _ number: Int, _ side: Traffic.Side,
    ofRequests isRequests: Bool
  ) -> any Transport {
    guard observer.wantsTraffic(of: endpoint, ofRequests: isRequests) else { return transport }
    let place = run.endpoints.remotes?.place(of: endpoint)
    let isOwn = own?.contains(transport.connection) ?? false
    let tap = TrafficTap(side) { [weak self, unowned transport] kind, from in
      // Once the run is over, what ends its connections is no part of it.
      guard let self, side == .server || !haveClientsLeft else { return }
      let received = from != side
      let cause = received ? run.causes.cause(on: transport.connection) : run.recorder.cause
      var traffic = Traffic(
        kind.relative(to: place), endpoint: endpoint, connection: number, from: from,
        time: run.loop.now, cause: cause)
      traffic.isOwn = isOwn && received
      observer.observe(traffic)
      if !received, kind.isCounted { onSent?(endpoint) }
    }
    return TappedTransport(transport, tap)
  }

  func observe(_ setting: NetworkSetting) {
    observer.observe(
      conditions: setting.conditions, of: setting.endpoint, at: run.loop.now,
      cause: run.recorder.cause)
  }

  func observe(now: Timestamp) {
    observer.observe(now: now, at: run.loop.now, cause: run.recorder.cause)
  }

  func clientsLeave() { haveClientsLeft = true }

  /// Shows what passes between the scenario and its programs.
  func observe(_ kind: ProgramTraffic.Kind) {
    observer.observe(ProgramTraffic(kind, time: run.loop.now, cause: run.recorder.cause))
  }

  func changeSettled() { observer.changeSettled() }
}

extension Traffic.Kind {
  /// A request without the path that the URL of a real endpoint begins with.
  fileprivate func relative(to place: RemotePlace?) -> Traffic.Kind {
    guard case .request(var request) = self, let place else { return self }
    if request.target.hasPrefix(place.proxied) {
      request.target = String(request.target.dropFirst(place.proxied.count))
    }
    request.target = place.relativeTarget(of: request.target) ?? request.target
    return .request(request)
  }
}

extension Traffic.Kind {
  /// True if it counts for what the other side has seen.
  fileprivate var isCounted: Bool {
    switch self {
    case .request, .response, .stream, .upgrade, .event, .line, .message: true
    case .comment, .retry, .id, .cutEvent, .ping, .pong, .bytes, .goodbye, .left, .drop, .reset,
      .unreachable:
      false
    }
  }
}

extension NetworkSetting {
  fileprivate var conditions: ValueMap {
    var map = ValueMap()
    map["online"] = isOnline.map { .bool($0) }
    map["latency"] = latency.map { .int(Int($0)) }
    map["loss"] = loss.map { .double($0) }
    map["fragments"] = fragments.map { .list($0.map { .int($0) }) }
    map["faults"] = faults.map { .bool($0 != FaultShares()) }
    return map
  }
}

/// A connection that shows a tap everything that passes.
final class TappedTransport: Transport {
  private let inner: any Transport
  private let tap: TrafficTap

  init(_ inner: any Transport, _ tap: TrafficTap) {
    self.inner = inner
    self.tap = tap
  }

  var connection: Int { inner.connection }
  var stage: ConnectionStage { inner.stage }
  var hasUnconfirmedBytes: Bool { inner.hasUnconfirmedBytes }
  var hasUnreportedInput: Bool { inner.hasUnreportedInput }

  var onEvent: ((TransportEvent) -> Void)? {
    didSet {
      guard let handler = onEvent else {
        inner.onEvent = nil
        return
      }
      inner.onEvent = { [tap] event in
        tap.receive(event)
        handler(event)
      }
    }
  }

  var isReceiving: Bool {
    get { inner.isReceiving }
    set { inner.isReceiving = newValue }
  }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    tap.send(bytes)
    return inner.send(bytes)
  }

  /// Shows the tap a request that gets lost before any byte of it is sent.
  func lose(_ request: HTTPRequest) {
    guard case .success(let bytes) = request.encoded() else { return }
    tap.send(bytes)
    tap.isLost = true
  }

  /// Shows the tap that the head of a request took too long.
  func cutHead() { tap.cutHead() }

  func shutDownWriting() { inner.shutDownWriting() }

  func abort() {
    tap.end(.reset)
    inner.abort()
  }

  func close() {
    tap.end(.drop)
    inner.close()
  }
}
