/// The cookies that servers have set, and which of them go with a request (RFC 6265).
///
/// It knows no time: whoever asks says what time it is, in seconds since 1970.
package struct CookieJar: Sendable {
  private struct Entry: Sendable {
    var cookie: SetCookie
    var domain: String
    var path: String
    /// True if only the host that set it gets it back.
    var isHostOnly: Bool
    var expires: Int?

    func isSameCookie(as other: Entry) -> Bool {
      cookie.name == other.cookie.name && domain == other.domain && path == other.path
    }
  }

  /// In the order they were first set.
  private var entries: [Entry] = []

  package init() {}

  package var isEmpty: Bool { entries.isEmpty }

  /// Keeps what an answer sets; a cookie whose time is over is let go.
  package mutating func store(_ cookie: SetCookie, host: String, path: String, now: Int) {
    let host = hostName(host)
    let domain = cookie.domain ?? host
    guard isWithin(host, domain) else { return }
    let entry = Entry(
      cookie: cookie, domain: domain, path: cookie.path ?? defaultPath(of: path),
      isHostOnly: cookie.domain == nil, expires: cookie.end(from: now))
    let place = entries.firstIndex { $0.isSameCookie(as: entry) }
    if let end = entry.expires, end <= now {
      if let place { entries.remove(at: place) }
    } else if let place {
      entries[place] = entry
    } else {
      entries.append(entry)
    }
  }

  /// The cookies for a request: those of longer paths first, else in the order they were set.
  package func cookies(
    host: String, path: String, isSecure: Bool, now: Int
  ) -> [(name: String, value: String)] {
    let host = hostName(host)
    let fitting = entries.filter { entry in
      (entry.isHostOnly ? entry.domain == host : isWithin(host, entry.domain))
        && covers(entry.path, path) && (isSecure || !entry.cookie.isSecure)
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
  /// Until when it lives; nil for one that lives as long as the client.
  fileprivate func end(from now: Int) -> Int? {
    guard let maxAge else { return expires }
    let (end, overflow) = now.addingReportingOverflow(maxAge)
    return maxAge <= 0 ? .min : overflow ? .max : end
  }
}

/// Without the port, in lower case.
private func hostName(_ host: String) -> String {
  let name = host.lowercased()
  guard let colon = name.lastIndex(of: ":"), !name.hasSuffix("]") else { return name }
  return String(name[..<colon])
}

/// Returns whether a host is the domain or lies in it; numbers have no domains.
private func isWithin(_ host: String, _ domain: String) -> Bool {
  if host == domain { return true }
  let isNumeric = host.allSatisfy { $0.isNumber || $0 == "." || $0 == ":" || $0 == "[" }
  return !isNumeric && host.hasSuffix("." + domain)
}

/// The folder of the path that set the cookie.
private func defaultPath(of path: String) -> String {
  guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
    return "/"
  }
  return String(path[..<slash])
}

/// Returns whether a request's path lies under that of a cookie.
private func covers(_ cookiePath: String, _ path: String) -> Bool {
  guard path.hasPrefix(cookiePath) else { return false }
  return path.utf8.count == cookiePath.utf8.count || cookiePath.hasSuffix("/")
    || path.dropFirst(cookiePath.count).hasPrefix("/")
}
