/// Why a connection is gone.
package enum TransportFailure: Error, Sendable, Equatable {
  /// Nobody listens under the name.
  case refused
  /// There is no network between the two.
  case unreachable
  /// The other side left without a goodbye.
  case reset
  /// More was sent than the connection holds for a receiver that does not read.
  case overfull
  /// The other side did not answer for as long as the system waits.
  case timedOut
  /// No address is known for the name; what the resolver says.
  case nameNotFound(String)
  /// This process, or the machine, has no room for another connection.
  case tooManyFiles
  /// All ports to connect from are taken.
  case outOfPorts
  /// The address cannot be connected to at all; what is wrong with it.
  case badAddress(String)
  /// Whoever the other side is, nobody vouches for it; in OpenSSL's words.
  case untrusted(String)
  /// The other side's certificate is for another name.
  case wrongHost(String)
  /// What else came between the two and a secure connection; in OpenSSL's words.
  case notSecure(String)
  /// A secure connection ended without a goodbye: what was received may be a part only.
  case truncated
  /// The proxy would not lead to the other side; what it answered.
  case proxyRefused(String)
  /// What the system says, where it is none of these.
  case system(String)

  /// A word for each, for scenarios.
  package var name: String {
    switch self {
    case .refused: "refused"
    case .unreachable: "unreachable"
    case .reset: "reset"
    case .overfull: "overfull"
    case .timedOut: "timedOut"
    case .nameNotFound: "nameNotFound"
    case .tooManyFiles: "tooManyFiles"
    case .outOfPorts: "outOfPorts"
    case .badAddress: "badAddress"
    case .untrusted: "untrusted"
    case .wrongHost: "wrongHost"
    case .notSecure: "notSecure"
    case .truncated: "truncated"
    case .proxyRefused: "proxyRefused"
    case .system: "system"
    }
  }

  /// What there is to say beyond the word.
  package var details: String? {
    switch self {
    case .refused, .unreachable, .reset, .overfull, .timedOut, .tooManyFiles, .outOfPorts,
      .truncated:
      nil
    case .nameNotFound(let text), .badAddress(let text), .untrusted(let text),
      .wrongHost(let text), .notSecure(let text), .proxyRefused(let text), .system(let text):
      text
    }
  }
}
