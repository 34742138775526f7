import Protocols
import TextSearch

/// The requests that go through a proxy.
package struct ProxySettings: Sendable, Equatable {
  /// The proxies for `http` and for `https`.
  package var plain: AbsoluteURL?
  package var secure: AbsoluteURL?
  /// The hosts without a proxy. A name also stands for all names that end with it.
  package var except: [String] = []
  /// The reason why the environment asks for something impossible. Such a run does not begin, so
  /// that no request silently goes past the proxy.
  var plainProblem: String?
  var secureProblem: String?

  package init() {}

  package init(for all: AbsoluteURL) {
    plain = all
    secure = all
  }

  /// Reads the environment as other programs do. All of them ignore `HTTP_PROXY` in capitals.
  package init(environment: (String) -> String?) {
    let all = ["all_proxy", "ALL_PROXY"]
    (plain, plainProblem) = ProxySettings.proxy(["http_proxy"] + all, environment)
    (secure, secureProblem) = ProxySettings.proxy(
      ["https_proxy", "HTTPS_PROXY"] + all, environment)
    except = (environment("no_proxy") ?? environment("NO_PROXY") ?? "")
      .split { $0 == "," || $0 == " " }.map { $0.lowercasedASCII }
  }

  /// Returns the proxy of the first variable that is set; an empty one stands for none.
  private static func proxy(
    _ names: [String], _ environment: (String) -> String?
  ) -> (AbsoluteURL?, problem: String?) {
    for name in names {
      guard let text = environment(name) else { continue }
      if text.isEmpty { return (nil, nil) }
      let url = AbsoluteURL.read(text.contains("://") ? text : "http://" + text)
      if case .success(let proxy) = url, !proxy.isSecure, proxy.socket == nil {
        return (proxy, nil)
      }
      return (nil, "`\(name)` is no proxy with a URL that begins with `http://`")
    }
    return (nil, nil)
  }

  func proxy(for url: AbsoluteURL) -> AbsoluteURL? {
    isExcepted(url) ? nil : url.isSecure ? secure : plain
  }

  func problem(for url: AbsoluteURL) -> String? {
    isExcepted(url) ? nil : url.isSecure ? secureProblem : plainProblem
  }

  private func isExcepted(_ url: AbsoluteURL) -> Bool {
    guard url.socket == nil else { return true }
    let host = url.host.lowercasedASCII
    return except.contains { name in
      let suffix = name.hasPrefix(".") ? String(name.dropFirst()) : name
      return name == "*" || host == suffix || host.hasSuffix("." + suffix)
    }
  }
}
