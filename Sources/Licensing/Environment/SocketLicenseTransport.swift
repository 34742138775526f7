import Glibc
import LiveWorld
import Protocols
import Publishers
import World

/// A transport over sockets and TLS. Each request has a connection and a thread of its own.
@MainActor
public final class SocketLicenseTransport: LicenseTransport {
  private let trustedFile: String?

  /// Makes a transport. Certificates in `trustedFile` are trusted in addition to the
  /// system's.
  public nonisolated init(trustedFile: String? = nil) { self.trustedFile = trustedFile }

  /// Sends a request. If it is cancelled, its connection ends with the answer or its timeout.
  public func send(
    _ request: LicenseRequest,
    completion: @escaping @MainActor (Result<LicenseResponse, LicenseTransportError>) -> Void
  ) -> any Cancellable {
    var isCancelled = false
    let deliver: @MainActor (Result<LicenseResponse, LicenseTransportError>) -> Void = {
      if !isCancelled { completion($0) }
    }
    let thread = startThread { [trustedFile] in
      let result = SocketExchange(request, trustedFile: trustedFile).run()
      Task { @MainActor in deliver(result) }
    }
    if let thread {
      pthread_detach(thread)
    } else {
      Task { @MainActor in
        deliver(.failure(LicenseTransportError("the system has no threads left")))
      }
    }
    return AnyCancellable { isCancelled = true }
  }
}

/// One request and its answer, on the thread that runs it.
private final class SocketExchange {
  private let request: LicenseRequest
  private let trustedFile: String?
  private let scheduler = Scheduler()
  private var http = HTTPClientConnection()
  private var transport: (any Transport)?
  private var result: Result<LicenseResponse, LicenseTransportError>?

  init(_ request: LicenseRequest, trustedFile: String?) {
    self.request = request
    self.trustedFile = trustedFile
  }

  func run() -> Result<LicenseResponse, LicenseTransportError> {
    let query = request.url.firstIndex(of: "?") ?? request.url.endIndex
    guard case .success(let url) = AbsoluteURL.read(String(request.url[..<query])) else {
      return .failure(LicenseTransportError("the URL cannot be read"))
    }
    guard let loop = EventLoop(scheduler) else {
      return .failure(LicenseTransportError("the system has no file descriptors left"))
    }
    let network = SocketNetwork(on: loop)
    defer {
      network.discardAll()
      loop.end()
    }
    network.destinations["server"] = Destination(
      .internet(host: url.host, port: url.port), security: security(url))
    begin(on: network, url, query: request.url[query...])
    scheduler.schedule(after: timeout, phase: .completion) { [unowned self] in
      fail("the server did not answer in time")
    }
    while result == nil { turn(loop) }
    transport?.onEvent = nil
    transport?.abort()
    return result ?? .failure(LicenseTransportError("nothing happened"))
  }

  private var timeout: Int64 {
    let parts = request.timeout.components
    return parts.seconds * 1_000_000 + parts.attoseconds / 1_000_000_000_000
  }

  private func security(_ url: AbsoluteURL) -> TLSClient? {
    guard url.isSecure else { return nil }
    var settings = TLSClientSettings()
    settings.trustedFile = trustedFile
    return TLSClient(host: url.host, context: TLSContext(settings))
  }

  private func begin(on network: SocketNetwork, _ url: AbsoluteURL, query: Substring) {
    var headers = HTTPHeaders([HTTPHeaderLine("Host", url.hostHeader)])
    for header in request.headers { headers.add(header.name, header.value) }
    let transport = network.connect(to: "server")
    self.transport = transport
    transport.onEvent = { [unowned self] in receive($0) }
    let path = url.path.isEmpty ? "/" : url.path
    perform(
      http.on(
        .requestSent(
          HTTPRequest(
            method: request.method, target: path + query, headers: headers, body: request.body))))
  }

  private func turn(_ loop: EventLoop) {
    if !scheduler.runNext(upTo: scheduler.now) { loop.poll(until: scheduler.nextDue) }
  }

  private func receive(_ event: TransportEvent) {
    switch event {
    case .connected, .writable: break
    case .received(let bytes): perform(http.on(.bytesReceived(bytes)))
    case .ended, .halfClosed: perform(http.on(.closed))
    case .failed(let failure): fail(failure.sentence(about: request.url))
    }
  }

  private func perform(_ actions: [HTTPClientConnection.Action]) {
    for action in actions where result == nil {
      switch action {
      case .send(let bytes): transport?.send(bytes)
      case .deliver(let answer), .upgrade(let answer):
        result = .success(LicenseResponse(status: answer.status, body: answer.body))
      case .fail(let problem), .refuse(let problem): fail(problem.id)
      case .headArrived, .bodyArrived, .bodyEnded, .passOn, .close, .abort: break
      }
    }
  }

  private func fail(_ reason: String) {
    if result == nil { result = .failure(LicenseTransportError(reason)) }
  }
}
