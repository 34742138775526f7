import TextSearch

/// The cookies that servers have set, and the choice of those for a request (RFC 6265).
///
/// It has no clock: callers pass the time in seconds since 1970.
package struct CookieJar: Sendable {
  private struct Entry: Sendable {
    var cookie: SetCookie
    var domain: String
    var path: String
    /// True if the cookie returns only to the host that set it.
    var isHostOnly: Bool
    var expires: Int?

    func belongs(to host: String) -> Bool {
      isHostOnly ? domain == host : isWithin(host, domain)
    }

    func isSameCookie(as other: Entry) -> Bool {
      cookie.name == other.cookie.name && domain == other.domain && path == other.path
    }
  }

  /// The cookies in the order in which they were first set.
  private var entries: [Entry] = []

  package init() {}

  package var isEmpty: Bool { entries.isEmpty }

  /// Stores the cookies that the fields of an answer set.
  package mutating func store(_ fields: HTTPHeaders, host: String, path: String, now: Int) {
    for line in fields.values("Set-Cookie") {
      if let cookie = SetCookie(line) { store(cookie, host: host, path: path, now: now) }
    }
  }

  /// Stores the cookie of an answer; an expired one is removed.
  package mutating func store(_ cookie: SetCookie, host: String, path: String, now: Int) {
    let host = hostName(host)
    let domain = cookie.domain ?? host
    guard domain == host || isWithin(host, domain) && mayBeShared(domain) else { return }
    let entry = Entry(
      cookie: cookie, domain: domain, path: cookie.path ?? defaultPath(of: path),
      isHostOnly: cookie.domain == nil || !mayBeShared(domain), expires: cookie.end(from: now))
    let place = entries.firstIndex { $0.isSameCookie(as: entry) }
    if let end = entry.expires, end <= now {
      if let place { entries.remove(at: place) }
    } else if let place {
      entries[place] = entry
    } else {
      entries.append(entry)
    }
  }

  /// Removes all cookies that a host would get.
  package mutating func removeAll(for host: String) {
    let host = hostName(host)
    entries.removeAll { $0.belongs(to: host) }
  }

  /// Returns the cookies for a request: those of longer paths first, then in the order in which
  /// they were set.
  package func cookies(
    host: String, path: String, isSecure: Bool, now: Int
  ) -> [(name: String, value: String)] {
    let host = hostName(host)
    let fitting = entries.filter { entry in
      entry.belongs(to: host) && covers(entry.path, path) && (isSecure || !entry.cookie.isSecure)
        && entry.expires.map { $0 > now } ?? true
    }
    let ordered = fitting.enumerated().sorted { one, other in
      let lengths = (one.element.path.utf8.count, other.element.path.utf8.count)
      return lengths.0 == lengths.1 ? one.offset < other.offset : lengths.0 > lengths.1
    }
    return ordered.map { ($0.element.cookie.name, $0.element.cookie.written) }
  }
}

extension SetCookie {
  /// Returns the time at which it expires; nil if it lives as long as the client.
  fileprivate func end(from now: Int) -> Int? {
    guard let maxAge else { return expires }
    let (end, overflow) = now.addingReportingOverflow(maxAge)
    return maxAge <= 0 ? .min : overflow ? .max : end
  }
}

/// Returns the host without the port, in lower case.
private func hostName(_ host: String) -> String {
  let name = host.lowercasedASCII
  guard let colon = name.lastIndex(of: ":"), !name.hasSuffix("]") else { return name }
  return String(name[..<colon])
}

/// Returns whether a host is the domain or a part of it; IP addresses have no domains.
private func isWithin(_ host: String, _ domain: String) -> Bool {
  if host == domain { return true }
  let isNumeric = host.allSatisfy { $0.isNumber || $0 == "." || $0 == ":" || $0 == "[" }
  return !isNumeric && host.hasSuffix("." + domain)
}

/// Returns whether a cookie may be for all hosts of a domain. One without a dot inside is a whole
/// country or a name of this machine's own network.
private func mayBeShared(_ domain: String) -> Bool { domain.dropLast().contains(".") }

/// Returns whether a host is this machine, to which also a connection without TLS is safe.
package func isLoopback(_ host: String) -> Bool {
  let name = hostName(host)
  if name == "localhost" || name.hasSuffix(".localhost") || name == "[::1]" { return true }
  let parts = name.split(separator: ".", omittingEmptySubsequences: false)
  return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
}

/// Returns the folder of the path that set the cookie.
private func defaultPath(of path: String) -> String {
  guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
    return "/"
  }
  return String(path[..<slash])
}

/// Returns whether a cookie's path covers that of a request.
private func covers(_ cookiePath: String, _ path: String) -> Bool {
  guard path.hasPrefix(cookiePath) else { return false }
  return path.utf8.count == cookiePath.utf8.count || cookiePath.hasSuffix("/")
    || path.dropFirst(cookiePath.count).hasPrefix("/")
}
