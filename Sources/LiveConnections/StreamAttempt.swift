import Protocols
import World

/// One request for a stream and its answer, on a connection of its own.
final class StreamAttempt {
  /// What comes of it.
  enum Outcome {
    case opened
    case received([UInt8])
    case ended
    case failed(EventStreamError)
  }

  /// So many times in a row a server may send the client elsewhere.
  static let mostRedirects = 10

  private let doors: ConnectionDoors
  private var request: HTTPRequest
  private let isAccepted: (HTTPResponse) -> EventStreamError?
  private let onOutcome: (Outcome) -> Void
  private var transport: (any Transport)?
  private var http = HTTPClientConnection()
  private var redirects = 0
  private var isOver = false

  init(
    _ doors: ConnectionDoors, _ request: HTTPRequest,
    accepting isAccepted: @escaping (HTTPResponse) -> EventStreamError?,
    onOutcome: @escaping (Outcome) -> Void
  ) {
    self.doors = doors
    self.request = request
    self.isAccepted = isAccepted
    self.onOutcome = onOutcome
  }

  func begin() {
    let transport = doors.connect()
    self.transport = transport
    http = HTTPClientConnection()
    transport.onEvent = { [unowned self] event in receive(event) }
    perform(http.on(.requestSent(request, streams: true)))
  }

  /// Leaves without a word to anybody but the server.
  func leave() {
    isOver = true
    guard let transport else { return }
    self.transport = nil
    transport.onEvent = nil
    transport.abort()
  }

  private func receive(_ event: TransportEvent) {
    switch event {
    case .connected, .writable: break
    case .received(let bytes): perform(http.on(.bytesReceived(bytes)))
    case .ended: perform(http.on(.closed))
    case .failed(let failure): end(.failed(.connection(ConnectionFailure(failure))))
    }
  }

  /// What follows on a connection that was left for another is passed over.
  private func perform(_ actions: [HTTPClientConnection.Action]) {
    let connection = transport
    for action in actions where !isOver && transport === connection {
      switch action {
      case .send(let bytes): transport?.send(bytes)
      case .headArrived(let head): take(head)
      case .bodyArrived(let bytes): onOutcome(.received(bytes))
      case .bodyEnded: end(.ended)
      case .deliver(let response), .upgrade(let response):
        end(.failed(.status(response.status, reason: response.reason)))
      case .fail(let problem): end(.failed(.connection(ConnectionFailure(problem))))
      case .refuse(let problem): end(.failed(.request(problem.id)))
      case .passOn, .close, .abort: break
      }
    }
  }

  private func take(_ head: HTTPResponse) {
    if let target = redirection(of: head) { return follow(target) }
    if let error = isAccepted(head) { return end(.failed(error)) }
    onOutcome(.opened)
  }

  private func end(_ outcome: Outcome) {
    guard !isOver else { return }
    leave()
    onOutcome(outcome)
  }

  private func redirection(of head: HTTPResponse) -> Result<String, EventStreamError>? {
    guard [301, 302, 303, 307, 308].contains(head.status) else { return nil }
    guard let location = head.headers["Location"], !location.isEmpty else {
      return .failure(.redirect("missingLocation"))
    }
    guard redirects < StreamAttempt.mostRedirects else {
      return .failure(.redirect("tooManyRedirects"))
    }
    let target = redirectTarget(
      location, from: request.target, host: request.headers["Host"] ?? "")
    return target.map { .success($0) } ?? .failure(.redirect("otherServer"))
  }

  /// Asks again elsewhere, without what only the first place was to be told.
  private func follow(_ target: Result<String, EventStreamError>) {
    switch target {
    case .failure(let error): end(.failed(error))
    case .success(let target):
      redirects += 1
      request.target = target
      transport?.onEvent = nil
      transport?.abort()
      begin()
    }
  }
}

/// Where a redirect leads on the same server; nil where it leads to another.
func redirectTarget(_ location: String, from target: String, host: String) -> String? {
  var rest = location[...]
  for scheme in ["http://", "https://", "//"] where rest.lowercased().hasPrefix(scheme) {
    rest = rest.dropFirst(scheme.count)
    guard rest.lowercased().hasPrefix(host.lowercased()) else { return nil }
    rest = rest.dropFirst(host.count)
    if rest.isEmpty { return "/" }
    guard rest.first == "/" || rest.first == "?" else { return nil }
    return rest.first == "?" ? "/" + String(rest) : String(rest)
  }
  if rest.first == "/" { return String(rest) }
  let path = target.prefix { $0 != "?" }
  if rest.first == "?" { return String(path) + String(rest) }
  let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
  return String(folder) + String(rest)
}
