import Protocols
import World

/// Why the bytes between a client and a server came to an end, in words for programs.
public struct ConnectionFailure: Error, Sendable, Equatable {
  /// `connectionLost`, `connectionFailed`, `offline` or `protocolError`.
  public var reason: String
  /// What it was exactly, such as `refused`, where there is more to say.
  public var problem: String?
  /// What the system or a library says of it.
  public var message: String?

  public init(reason: String, problem: String? = nil) {
    self.reason = reason
    self.problem = problem
  }

  public static let lost = ConnectionFailure(reason: "connectionLost")
}

extension ConnectionFailure {
  package init(_ failure: TransportFailure) {
    switch failure {
    case .reset: self = .lost
    case .unreachable: self.init(reason: "offline")
    case .truncated: self.init(reason: "connectionLost", problem: failure.name)
    case .refused, .overfull, .timedOut, .nameNotFound, .tooManyFiles, .outOfPorts, .badAddress,
      .untrusted, .wrongHost, .notSecure, .proxyRefused, .system:
      self.init(reason: "connectionFailed", problem: failure.name)
      message = failure.details
    }
  }

  package init(_ problem: HTTPProblem) {
    if problemsOfEnds.contains(problem) {
      self = .lost
    } else {
      self.init(reason: "protocolError", problem: problem.id)
    }
  }
}

/// An answer that stops in the middle is a connection that was lost there.
private let problemsOfEnds: [HTTPProblem] = [
  .unexpectedEndBeforeHead, .unexpectedEndInHead, .unexpectedEndInBody,
  .unexpectedEndInChunkedBody, .connectionReset,
]
