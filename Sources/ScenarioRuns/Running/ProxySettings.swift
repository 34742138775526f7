import Glibc
import Protocols
import TextSearch

/// The requests that go through a proxy.
package struct ProxySettings: Sendable, Equatable {
  /// The proxies for `http` and for `https`.
  package var plain: AbsoluteURL?
  package var secure: AbsoluteURL?
  /// The hosts without a proxy. A name also stands for all names that end with it, and
  /// `10.0.0.0/8` for all addresses that begin with these bits.
  package var except: [String] = []
  /// The reason why the environment asks for something impossible. Such a run does not begin, so
  /// that no request silently goes past the proxy.
  var plainProblem: String?
  var secureProblem: String?

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
        || AddressBlock(name).map { $0.contains(host) } ?? false
    }
  }
}

/// Addresses that begin with the same bits: `127.0.0.0/8`, `fd00::/8`.
private struct AddressBlock {
  private let address: [UInt8]
  private let bits: Int

  init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1)
    guard parts.count == 2, let address = AddressBlock.bytes(String(parts[0])),
      let bits = Int(parts[1]), (0...address.count * 8).contains(bits)
    else { return nil }
    self.address = address
    self.bits = bits
  }

  func contains(_ host: String) -> Bool {
    guard let other = AddressBlock.bytes(host), other.count == address.count else { return false }
    return (0..<bits).allSatisfy { bit in
      let mask = UInt8(0x80) >> UInt8(bit % 8)
      return address[bit / 8] & mask == other[bit / 8] & mask
    }
  }

  /// Returns the bytes of an address; nil for a name.
  private static func bytes(_ text: String) -> [UInt8]? {
    let host = text.hasPrefix("[") ? String(text.dropFirst().prefix { $0 != "]" }) : text
    let isSix = host.contains(":")
    var bytes = [UInt8](repeating: 0, count: isSix ? 16 : 4)
    return inet_pton(isSix ? AF_INET6 : AF_INET, host, &bytes) == 1 ? bytes : nil
  }
}
