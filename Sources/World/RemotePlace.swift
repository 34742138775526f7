/// How requests to a real endpoint begin.
package struct RemotePlace: Sendable, Equatable {
  /// What stands in the header `Host`.
  package var host: String
  /// What stands before each path: empty, or a path without a slash at its end.
  package var path: String
  /// Whether the way there is secured.
  package var isSecure = false
  /// Who asks, where the URL says so and the request does not.
  package var authorization: String?
  /// What stands before the path for a proxy that takes requests; else empty.
  package var proxied = ""
  /// What such a proxy is told of who asks.
  package var proxyAuthorization: String?
  /// How reports write the URL, how `curl` takes it, and what that has to be told besides:
  /// nothing secret.
  package var shown = ""
  package var curlURL = ""
  package var curlOptions: [String] = []

  package init(host: String, path: String) {
    self.host = host
    self.path = path
  }

  /// The target as the server sees it.
  package func whole(_ target: String) -> String { path + target }

  /// The target without what each path begins with; nil for one that is not below it.
  package func inner(_ whole: String) -> String? {
    guard whole.hasPrefix(path) else { return nil }
    let rest = whole.dropFirst(path.count)
    return rest.hasPrefix("/") ? String(rest) : nil
  }

  /// Whether a URL with this host, as redirects write it, leads here.
  package func isReached(at host: String, isSecure: Bool) -> Bool {
    guard isSecure == self.isSecure else { return false }
    let usualPort = isSecure ? ":443" : ":80"
    let name = host.lowercased()
    return (name.hasSuffix(usualPort) ? String(name.dropLast(usualPort.count)) : name)
      == self.host.lowercased()
  }
}
