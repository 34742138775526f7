import Testing
import Values

@testable import Protocols

struct `Cookies that are set` {
  @Test(arguments: [
    ("a=1", "a", "1"), ("a = 1 ; Path=/", "a", "1"), ("a=", "a", ""), ("a=b=c", "a", "b=c"),
    ("a=\"b c\"", "a", "b c"), ("a=1;;;=;", "a", "1"),
  ])
  func `have a name and a value`(line: String, name: String, value: String) {
    let cookie = SetCookie(line)
    #expect(cookie?.name == name)
    #expect(cookie?.value == value)
  }

  @Test(arguments: ["", "a", "=1", ";a=1", "  =1"])
  func `have a name, or there is none`(line: String) {
    #expect(SetCookie(line) == nil)
  }

  @Test func `have attributes in any case and order, and others are passed over`() {
    let line =
      "a=1; SECURE; Max-Age=60; domain=.Example.com; HttpOnly; path=/x; SameSite=Lax; Color=red"
    var cookie = SetCookie(name: "a", value: "1")
    cookie.isSecure = true
    cookie.maxAge = 60
    cookie.domain = "example.com"
    cookie.isHTTPOnly = true
    cookie.path = "/x"
    cookie.sameSite = "Lax"
    #expect(SetCookie(line) == cookie)
  }

  @Test(arguments: ["a=1; Path=x", "a=1; Max-Age=soon", "a=1; Expires=tomorrow", "a=1; Domain="])
  func `lose an attribute that cannot be read`(line: String) {
    #expect(SetCookie(line) == SetCookie(name: "a", value: "1"))
  }

  @Test(arguments: [
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
    ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799),
    ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
    ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
  ])
  func `end at a date in any of the forms servers use`(text: String, seconds: Int) {
    #expect(HTTPDate.seconds(text) == seconds)
  }

  @Test(arguments: ["", "now", "Sun, 06 Nov 1994", "06 Nov 1994 25:00:00", "32 Nov 1994 00:00:00"])
  func `have no end where the date is none`(text: String) {
    #expect(HTTPDate.seconds(text) == nil)
  }
}

struct `A cookie jar` {
  @Test(arguments: [
    ("a=1", "/x/y", "/x/z", "a=1"), ("a=1", "/x/y", "/x", "a=1"), ("a=1", "/x/y", "/", ""),
    ("a=1", "/x", "/", "a=1"), ("a=1; Path=/x", "/", "/x/y", "a=1"),
    ("a=1; Path=/x", "/", "/xy", ""), ("a=1; Path=/x/", "/", "/x/y", "a=1"),
    ("a=1; Path=/x/", "/", "/x", ""),
  ])
  func `gives a cookie to its path`(line: String, set: String, asked: String, sent: String) {
    #expect(header(line, setAt: set, asked: asked) == sent)
  }

  @Test(arguments: [
    ("a=1", "shop.example.com", "a=1"), ("a=1", "example.com", ""),
    ("a=1; Domain=example.com", "www.example.com", "a=1"),
    ("a=1; Domain=example.com", "example.com", "a=1"),
    ("a=1; Domain=example.com", "badexample.com", ""),
    ("a=1; Domain=example.org", "example.org", ""), ("a=1", "SHOP.example.com:8080", "a=1"),
    ("a=1; Domain=com", "shop.example.com", ""), ("a=1; Domain=.com", "shop.example.com", ""),
    ("a=1; Domain=com.", "shop.example.com", ""),
  ])
  func `gives a cookie to its host, or all of a domain`(line: String, host: String, sent: String) {
    #expect(header(line, askedHost: host) == sent)
  }

  @Test(arguments: [
    ("a=1; Max-Age=10", 9, "a=1"), ("a=1; Max-Age=10", 10, ""), ("a=1; Max-Age=0", 0, ""),
    ("a=1; Max-Age=-5", 0, ""), ("a=1; Max-Age=9223372036854775807", 1_000, "a=1"),
    ("a=1; Expires=Thu, 01 Jan 1970 00:00:20 GMT", 19, "a=1"),
    ("a=1; Expires=Thu, 01 Jan 1970 00:00:20 GMT", 20, ""),
    ("a=1; Max-Age=30; Expires=Thu, 01 Jan 1970 00:00:20 GMT", 25, "a=1"),
  ])
  func `lets a cookie go when its time is over`(line: String, time: Int, sent: String) {
    #expect(header(line, at: time) == sent)
  }

  @Test func `keeps what is secure from a connection that is not`() {
    #expect(header("a=1; Secure", isSecure: false) == "")
    #expect(header("a=1; Secure", isSecure: true) == "a=1")
  }

  @Test(arguments: [
    ("localhost", true), ("localhost:3000", true), ("a.localhost", true), ("127.0.0.1:80", true),
    ("127.255.0.9", true), ("[::1]:80", true), ("LOCALHOST", true), ("localhost.com", false),
    ("127.0.0.1.com", false), ("127.1", false), ("128.0.0.1", false), ("mylocalhost", false),
  ])
  func `knows the hosts that are this machine`(host: String, isHere: Bool) {
    #expect(isLoopback(host) == isHere)
  }

  @Test(arguments: [
    ("shop.example.com", ""), ("example.com", "own=1"), ("example.org", "own=1; all=2"),
  ])
  func `forgets what a host would get, and nothing else`(host: String, left: String) {
    var jar = CookieJar()
    for line in ["own=1", "all=2; Domain=example.com"] {
      if let cookie = SetCookie(line) {
        jar.store(cookie, host: "shop.example.com", path: "/", now: 0)
      }
    }
    jar.removeAll(for: host)
    let cookies = jar.cookies(host: "shop.example.com", path: "/", isSecure: true, now: 0)
    #expect(cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ") == left)
  }

  @Test func `gives a value back with the quotes it came in`() {
    #expect(header("a=\"b c\"") == "a=\"b c\"")
  }

  @Test func `gives those of longer paths first, else in the order they were set`() {
    var jar = CookieJar()
    for line in ["a=1; Path=/", "b=2; Path=/x", "c=3; Path=/", "a=4; Path=/"] {
      if let cookie = SetCookie(line) { jar.store(cookie, host: "h", path: "/", now: 0) }
    }
    let cookies = jar.cookies(host: "h", path: "/x", isSecure: true, now: 0)
    #expect(cookies.map { "\($0.name)=\($0.value)" } == ["b=2", "a=4", "c=3"])
  }

  private func header(
    _ line: String, setAt path: String = "/", asked: String = "/",
    askedHost: String = "shop.example.com", isSecure: Bool = true, at time: Int = 0
  ) -> String? {
    guard let cookie = SetCookie(line) else { return nil }
    var jar = CookieJar()
    jar.store(cookie, host: "shop.example.com", path: path, now: 0)
    let cookies = jar.cookies(host: askedHost, path: asked, isSecure: isSecure, now: time)
    return cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
  }
}
