import Protocols

/// Which requests go through a proxy first.
package struct ProxySettings: Sendable, Equatable {
  /// For endpoints that are not secured, and for those that are.
  package var plain: AbsoluteURL?
  package var secure: AbsoluteURL?
  /// Hosts that are reached without one: a name stands for what ends with it, too.
  package var except: [String] = []
  /// Why what the environment says cannot be done; nobody is reached past a proxy unnoticed.
  var plainProblem: String?
  var secureProblem: String?

  package init() {}

  package init(for all: AbsoluteURL) {
    plain = all
    secure = all
  }

  /// As other programs read the environment; `HTTP_PROXY` in capitals counts for none of them.
  package init(environment: (String) -> String?) {
    let all = ["all_proxy", "ALL_PROXY"]
    (plain, plainProblem) = ProxySettings.proxy(["http_proxy"] + all, environment)
    (secure, secureProblem) = ProxySettings.proxy(
      ["https_proxy", "HTTPS_PROXY"] + all, environment)
    except = (environment("no_proxy") ?? environment("NO_PROXY") ?? "")
      .split { $0 == "," || $0 == " " }.map { $0.lowercased() }
  }

  /// The proxy of the first variable that is there, where it is empty none.
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
    let host = url.host.lowercased()
    return except.contains { name in
      let suffix = name.hasPrefix(".") ? String(name.dropFirst()) : name
      return name == "*" || host == suffix || host.hasSuffix("." + suffix)
    }
  }
}
