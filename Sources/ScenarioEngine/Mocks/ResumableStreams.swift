import Protocols
import ScenarioPlan
import Values

/// A stream that has sent events with ids: its entry, and the request that opened it.
struct StreamOrigin {
  var entry: Int
  var request: Value
  var method: String
  var path: String

  init(_ entry: Int, _ request: Value, _ message: HTTPRequest) {
    self.entry = entry
    self.request = request
    method = message.method
    path = HTTPTarget(message.target).path
  }
}

/// How a stream begins whose client names the last event that it has received.
enum Resumption {
  /// Events up to that one are not sent again.
  case afterEvent
  /// The script of another stream sent it, and goes on behind it.
  case ofStream(StreamOrigin)
  /// Another turn of the same stream sent it: this one is what follows.
  case fromBeginning
  /// No stream has sent it, and this one will not.
  case unknown
}

/// The streams of an endpoint by the ids of the events that they have sent.
struct ResumableStreams {
  /// The number of ids that are kept. With one more, all are forgotten.
  static let mostIDs = 100_000

  private var origins: [String: StreamOrigin] = [:]

  mutating func note(_ id: String, sentBy origin: StreamOrigin) {
    if origins.count == ResumableStreams.mostIDs, origins[id] == nil { origins = [:] }
    origins[id] = origin
  }

  /// Returns the stream that a GET goes on with although no entry is for it: one that a request
  /// with another method opened at the same path.
  func origin(of id: String, for request: HTTPRequest) -> StreamOrigin? {
    guard request.method == "GET", let origin = origins[id], origin.method != "GET",
      origin.path == HTTPTarget(request.target).path
    else { return nil }
    return origin
  }

  /// Decides how the stream of an entry begins.
  ///
  /// - Parameter ids: The ids that its script can send; nil stands for those of expressions.
  func resumption(
    after id: String, at entry: Int, sending ids: Set<String?>, for request: HTTPRequest
  ) -> Resumption {
    if let origin = origin(of: id, for: request), origin.entry != entry { return .ofStream(origin) }
    let known = origins[id]
    if known?.entry == entry || ids.contains(id) { return .afterEvent }
    if known != nil { return .fromBeginning }
    return ids.contains(nil) ? .afterEvent : .unknown
  }
}

extension ScenarioPlan {
  /// The ids that the events of a script can have; nil stands for those of expressions.
  func eventIDs(in script: ScriptID) -> Set<String?> {
    scripts[script].steps.reduce(into: []) { ids, step in
      if case .mock(.act(.event(let event))) = step.kind, let id = event.id {
        if case .constant(let value) = id.content {
          ids.insert(value.sentText)
        } else {
          ids.insert(nil)
        }
      }
      for inner in step.kind.innerScripts { ids.formUnion(eventIDs(in: inner)) }
    }
  }
}
