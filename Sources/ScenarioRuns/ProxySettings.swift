import Protocols

/// Which requests go through a proxy first.
package struct ProxySettings: Sendable, Equatable {
  /// For endpoints that are not secured, and for those that are.
  package var plain: AbsoluteURL?
  package var secure: AbsoluteURL?
  /// Hosts that are reached without one: a name stands for what ends with it, too.
  package var except: [String] = []

  package init() {}

  package init(for all: AbsoluteURL) {
    plain = all
    secure = all
  }

  /// As other programs read the environment; `HTTP_PROXY` in capitals counts for none of them.
  package init(environment: (String) -> String?) {
    let all = environment("all_proxy") ?? environment("ALL_PROXY")
    plain = ProxySettings.proxy(environment("http_proxy") ?? all)
    secure = ProxySettings.proxy(
      environment("https_proxy") ?? environment("HTTPS_PROXY") ?? all)
    except = (environment("no_proxy") ?? environment("NO_PROXY") ?? "")
      .split { $0 == "," || $0 == " " }.map { $0.lowercased() }
  }

  private static func proxy(_ text: String?) -> AbsoluteURL? {
    guard let text, !text.isEmpty else { return nil }
    let url = AbsoluteURL.read(text.contains("://") ? text : "http://" + text)
    guard case .success(let proxy) = url, !proxy.isSecure else { return nil }
    return proxy
  }

  func proxy(for url: AbsoluteURL) -> AbsoluteURL? {
    let host = url.host.lowercased()
    let isExcepted = except.contains { name in
      let suffix = name.hasPrefix(".") ? String(name.dropFirst()) : name
      return name == "*" || host == suffix || host.hasSuffix("." + suffix)
    }
    return isExcepted ? nil : url.isSecure ? secure : plain
  }
}
