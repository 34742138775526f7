import TextSearch

/// The reason why a connection is gone.
package enum TransportFailure: Error, Sendable, Equatable {
  /// No server listens under the name.
  case refused
  /// There is no network between the two sides.
  case unreachable
  /// The other side reset the connection.
  case reset
  /// The sender sent more than the connection holds for a receiver that does not read.
  case overfull
  /// The other side did not answer in the time that the system waits.
  case timedOut
  /// The name has no known address, with the resolver's text.
  case nameNotFound(String)
  /// The process or the machine has no room for another connection.
  case tooManyFiles
  /// All ports to connect from are in use.
  case outOfPorts
  /// The address is unusable, with the reason.
  case badAddress(String)
  /// No trusted certificate vouches for the other side, with OpenSSL's text.
  case untrusted(String)
  /// The other side's certificate is for another name.
  case wrongHost(String)
  /// The two sides agreed on no secure connection for another reason, with OpenSSL's text.
  case notSecure(String)
  /// A secure connection ended without a goodbye, so the received bytes may be incomplete.
  case truncated
  /// The proxy cannot be connected to, with the reason.
  case proxyFailed(String)
  /// The proxy refused to connect to the other side, with its answer.
  case proxyRefused(String)
  /// Any other error, with the system's text.
  case system(String)

  /// Makes the failure of a word and the text beside it; nil if no failure has the word.
  package init?(name: String, details: String) {
    let failures: [TransportFailure] = [
      .refused, .unreachable, .reset, .overfull, .timedOut, .nameNotFound(details), .tooManyFiles,
      .outOfPorts, .badAddress(details), .untrusted(details), .wrongHost(details),
      .notSecure(details), .truncated, .proxyFailed(details), .proxyRefused(details),
      .system(details),
    ]
    guard let failure = failures.first(where: { $0.name == name }) else { return nil }
    self = failure
  }

  /// The word for the failure in scenarios.
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
    case .proxyFailed: "proxyFailed"
    case .proxyRefused: "proxyRefused"
    case .system: "system"
    }
  }

  /// Returns a sentence for people about the failure of a URL, with help if there is any.
  package func sentence(about url: String) -> String {
    switch self {
    case .refused: "nobody listens at `\(url)`"
    case .unreachable: "`\(url)` cannot be reached from here"
    case .reset: "`\(url)` ended the connection"
    case .overfull:
      "more than \(MemoryPipe.maximumBytesOnTheWay) bytes wait to be sent to `\(url)`, which is "
        + "the limit of a connection"
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
    case .proxyFailed(let text): "the proxy for `\(url)` cannot be reached: \(text)"
    case .proxyRefused(let text): "the proxy does not lead to `\(url)`: \(text)"
    case .system(let text): "`\(url)` cannot be connected to: \(text)"
    }
  }

  /// Returns help for OpenSSL's text, which describes a record or an alert, not what to do.
  private func hint(on words: String) -> String {
    if words.contains("alert certificate") || words.contains("alert handshake failure") {
      return "; it may ask who you are: `--cert FILE`"
    }
    if words.contains("no application protocol") {
      return "; it speaks HTTP/2 only, which is out of reach: let it allow HTTP/1.1 as well"
    }
    let isPlain = words.contains("wrong version number") || words.contains("packet length too long")
    return isPlain ? "; does it speak TLS?" : ""
  }

  /// The text besides the word; nil for most failures.
  package var details: String? {
    switch self {
    case .refused, .unreachable, .reset, .overfull, .timedOut, .tooManyFiles, .outOfPorts,
      .truncated:
      nil
    case .nameNotFound(let text), .badAddress(let text), .untrusted(let text),
      .wrongHost(let text), .notSecure(let text), .proxyFailed(let text), .proxyRefused(let text),
      .system(let text):
      text
    }
  }

  /// Returns the failure to connect to a proxy, for the client that wanted to pass it.
  package func ofProxy(at url: String) -> TransportFailure { .proxyFailed(sentence(about: url)) }
}
