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

  /// What went wrong on the way to a URL, and what may help.
  package func sentence(about url: String) -> String {
    switch self {
    case .refused: "nobody listens at `\(url)`"
    case .unreachable: "`\(url)` cannot be reached from here"
    case .reset: "`\(url)` ended the connection"
    case .overfull: "`\(url)` does not read what is sent to it"
    case .timedOut: "`\(url)` did not answer for as long as the system waits"
    case .nameNotFound(let text): "no address is known for `\(url)` (\(text))"
    case .tooManyFiles: "there is no file left for a connection; raise the limit: `ulimit -n`"
    case .outOfPorts: "all ports to connect to `\(url)` from are taken"
    case .badAddress(let text): "`\(url)` cannot be connected to: \(text)"
    case .untrusted(let text):
      "nobody trusted vouches for `\(url)` (\(text)); `--cacert FILE` trusts more"
    case .wrongHost(let text): "the certificate of `\(url)` is for another name (\(text))"
    case .notSecure(let text):
      "no secure connection to `\(url)` came about (\(text))\(hint(on: text))"
    case .truncated: "the secure connection to `\(url)` ended without a goodbye"
    case .proxyRefused(let text): "the proxy does not lead to `\(url)`: \(text)"
    case .system(let text): "`\(url)` cannot be connected to: \(text)"
    }
  }

  /// OpenSSL's words say what a record or an alert was like, not what to do.
  private func hint(on words: String) -> String {
    if words.contains("alert certificate") || words.contains("alert handshake failure") {
      return "; it may ask who you are: `--cert FILE`"
    }
    if words.contains("no application protocol") { return "; it may speak HTTP/2 only" }
    return words.contains("wrong version number") ? "; does it speak TLS?" : ""
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
