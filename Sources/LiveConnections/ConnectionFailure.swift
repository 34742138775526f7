import Protocols
import World

/// The reason why the bytes between a client and a server ended, in words for programs.
public struct ConnectionFailure: Error, Sendable, Equatable {
  /// `connectionLost`, `connectionFailed`, `offline`, `timeout` or `protocolError`.
  public var reason: String
  /// The exact problem, such as `refused`, if there is more to say.
  public var problem: String?
  /// The message of the system or a library.
  public var message: String?

  /// Makes a failure, such as one of a custom transport.
  public init(reason: String, problem: String? = nil) {
    self.reason = reason
    self.problem = problem
  }

  /// The loss of a connection.
  public static let lost = ConnectionFailure(reason: "connectionLost")
  /// The end of the time in which the server had to answer.
  public static let timedOut = ConnectionFailure(reason: "timeout")
}

extension ConnectionFailure {
  package init(_ failure: TransportFailure) {
    switch failure {
    case .reset: self = .lost
    case .unreachable: self.init(reason: "offline")
    case .truncated: self.init(reason: "connectionLost", problem: failure.name)
    case .refused, .overfull, .timedOut, .nameNotFound, .tooManyFiles, .outOfPorts, .badAddress,
      .untrusted, .wrongHost, .notSecure, .proxyFailed, .proxyRefused, .system:
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

/// The problems that mean a connection lost in the middle of an answer.
private let problemsOfEnds: [HTTPProblem] = [
  .unexpectedEndBeforeHead, .unexpectedEndInHead, .unexpectedEndInBody,
  .unexpectedEndInChunkedBody, .connectionReset,
]
