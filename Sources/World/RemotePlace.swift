import TextSearch

/// The way in which requests to a real endpoint begin.
package struct RemotePlace: Sendable, Equatable {
  /// The value of the header `Host`.
  package var host: String
  /// The prefix of each path: empty, or a path without a slash at its end.
  package var path: String
  /// True if the connection is secured.
  package var isSecure = false
  /// The credentials of the URL, for requests that have none of their own.
  package var authorization: String?
  /// The text before the path for a proxy that handles requests; otherwise empty.
  package var proxied = ""
  /// The credentials for such a proxy.
  package var proxyAuthorization: String?
  /// The value of the header `User-Agent`, for requests that have none.
  package var userAgent = ""
  /// The URL as reports write it, the URL as `curl` takes it, and the options that `curl` needs
  /// besides. None of them holds a secret.
  package var shown = ""
  package var curlURL = ""
  package var curlOptions: [String] = []

  package init(host: String, path: String) {
    self.host = host
    self.path = path
  }

  /// Returns the target as the server sees it, for a target of the endpoint.
  package func absoluteTarget(for target: String) -> String { path + target }

  /// Returns the target of the endpoint, for a target as the server sees it; nil if it is not below
  /// the endpoint's path.
  package func relativeTarget(of absolute: String) -> String? {
    guard absolute.hasPrefix(path) else { return nil }
    let rest = absolute.dropFirst(path.count)
    return rest.hasPrefix("/") ? String(rest) : nil
  }

  /// Returns whether a URL with this host, as redirects write it, leads here.
  package func isReached(at host: String, isSecure: Bool) -> Bool {
    guard isSecure == self.isSecure else { return false }
    let usualPort = isSecure ? ":443" : ":80"
    let name = host.lowercasedASCII
    return (name.hasSuffix(usualPort) ? String(name.dropLast(usualPort.count)) : name)
      == self.host.lowercasedASCII
  }
}
