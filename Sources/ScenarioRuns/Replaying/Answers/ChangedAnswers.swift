import Events
import Protocols
import ScenarioEngine
import Synchronization
import TextSearch
import Traces
import Values
import World

/// The answers of a recorded run that are to be others, once each.
final class ChangedAnswers: Sendable {
  /// The changes of what comes with one line.
  struct Change: Sendable {
    var status: Int?
    var body: [UInt8]?
    var delay: Microseconds = 0
    var isDropped = false
  }

  /// An exchange with changes.
  struct Exchange: Sendable {
    /// The index of its answer, or what came in place of one.
    var answer: Int
    /// By the index of a line.
    var changes: [Int: Change] = [:]

    init(answer: Int) { self.answer = answer }

    /// True if its own answer does not come at all: the server did nothing.
    fileprivate var isRefused: Bool {
      let change = changes[answer]
      return change?.isDropped == true || (change?.status ?? 0) >= 400
    }
  }

  /// By the index of the request.
  let exchanges: [Int: Exchange]
  /// The requests whose answers are others by now.
  private let taken = Mutex<Set<Int>>([])

  init(_ exchanges: [Int: Exchange]) { self.exchanges = exchanges }

  /// The index of the first request whose answer nothing asked for; nil if there is none.
  var untaken: Int? {
    taken.withLock { taken in exchanges.keys.filter { !taken.contains($0) }.min() }
  }

  /// Changes an exchange that is about to be played, unless that was done before. Returns whether
  /// its own answer is still there for the next request like it.
  func change(_ played: PlayedExchange, at request: Int) -> Bool {
    guard let exchange = exchanges[request], taken.withLock({ $0.insert(request).inserted }) else {
      return false
    }
    var later: Microseconds = 0
    played.change(hasEffects: !exchange.isRefused) { input in
      let change = exchange.changes[input.position]
      later += change?.delay ?? 0
      var input = input
      input.time += later
      let isLast = change?.apply(to: &input.kind) ?? false
      return (input, isLast)
    }
    return exchange.isRefused
  }
}

extension ChangedAnswers.Change {
  /// Returns whether nothing follows what comes then.
  fileprivate func apply(to kind: inout Traffic.Kind) -> Bool {
    if isDropped {
      kind = .drop
      return true
    }
    if status == nil, let body { return put(body, into: &kind) }
    guard let status else { return false }
    var (head, isConversation) = (kind.head, kind.opensConversation)
    head.status = status
    head.reason = standardReason(of: status)
    if let body {
      head.put(body)
      isConversation = false
    } else if status >= 400 {
      head = .page(status)
      isConversation = false
    }
    kind = isConversation ? .stream(head) : .response(head)
    return !isConversation
  }

  private func put(_ body: [UInt8], into kind: inout Traffic.Kind) -> Bool {
    let text = String(decoding: body, as: UTF8.self)
    switch kind {
    case .event(var event):
      event.data = text
      kind = .event(event)
    case .line: kind = .line(text.hasSuffix("\n") ? String(text.dropLast()) : text)
    case .message: kind = .message(.string(text))
    default:
      var head = kind.head
      head.put(body)
      kind = .response(head)
      return true
    }
    return false
  }
}

extension Traffic.Kind {
  /// The head of an answer; an empty one where none came.
  fileprivate var head: Exchange.Response {
    switch self {
    case .response(let head), .stream(let head), .upgrade(let head): head
    case .request, .event, .comment, .retry, .id, .cutEvent, .line, .message, .ping, .pong, .bytes,
      .goodbye, .left, .drop, .reset, .unreachable:
      Exchange.Response(status: 200, reason: "", headers: [], body: [])
    }
  }

  fileprivate var opensConversation: Bool { if case .stream = self { true } else { false } }
}

extension Exchange.Response {
  /// Puts another body behind the head, whose length and framing follow from it.
  fileprivate mutating func put(_ body: [UInt8]) {
    let framing = ["content-length", "transfer-encoding", "content-encoding"]
    headers.removeAll { framing.contains($0.name.lowercasedASCII) }
    self.body = body
  }

  /// The answer of servers, and what stands before them, when something is wrong.
  fileprivate static func page(_ status: Int) -> Exchange.Response {
    Exchange.Response(
      status: status, reason: standardReason(of: status),
      headers: [.init("Content-Type", "text/html")], body: Array(pageOfDisturbance(status).utf8))
  }
}
