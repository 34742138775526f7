import Testing

@testable import Protocols

struct `the URL of a server` {
  @Test(arguments: [
    ("http://example.org", "example.org", UInt16(80), "", "example.org"),
    ("https://example.org/", "example.org", 443, "", "example.org"),
    ("HTTPS://example.org:8443/v1/", "example.org", 8443, "/v1", "example.org:8443"),
    ("ws://[::1]:80/chat", "::1", 80, "/chat", "[::1]"),
    ("wss://me:secret@host:1", "host", 1, "", "host:1"),
    ("http://häuser.example:81/é//", "häuser.example", 81, "/é", "häuser.example:81"),
    ("http://me:secret@h/\u{301}", "h", 80, "/\u{301}", "h"),
  ])
  func `says where it is and what paths begin with`(
    text: String, host: String, port: UInt16, path: String, header: String
  ) throws {
    let url = try AbsoluteURL.read(text).get()
    #expect(url.host == host)
    #expect(url.port == port)
    #expect(url.path == path)
    #expect(url.hostHeader == header)
    #expect(url.isSecure == (text.lowercased().hasPrefix("https") || text.hasPrefix("wss")))
    #expect(url.credentials == (text.contains("@") ? "me:secret" : nil))
  }

  @Test(arguments: [
    ("http://example.org", true), ("https://example.org:8443/v1//", true), ("ws://h:080/", true),
    ("wss://häuser.example/é/\u{301}", true), ("http://h/a:b", true), ("http://h:65535", true),
    ("http://h:65536", false), ("http://h:0", false), ("http://h:", false), ("http://:80", false),
    ("http://h:+80", false), ("http://h:1:2", false), ("http://[::1]:80/", false),
    ("http://me:secret@h/", false), ("http://h/@", false), ("http://h/?a", false),
    ("http://h#top", false), ("HTTP://h", false), ("httpx://h", false), ("http:/h", false),
    ("http://", false), ("", false),
  ])
  func `of the usual form is read as any other`(text: String, isUsual: Bool) {
    let usual = UsualURL.read(text)
    #expect((usual != nil) == isUsual)
    if let usual { #expect(AbsoluteURL.readAny(text) == .success(usual)) }
  }

  @Test(arguments: [
    ("unix:///run/app.sock", "/run/app.sock", ""),
    ("http+unix://%2Frun%2Fapp.sock/v1/", "/run/app.sock", "/v1"),
    ("HTTP+UNIX://%40name", "@name", ""),
  ])
  func `may lead to a unix socket`(text: String, socket: String, path: String) throws {
    let url = try AbsoluteURL.read(text).get()
    #expect(url.socket == socket)
    #expect(url.path == path)
    #expect(url.hostHeader == "localhost")
  }

  @Test(arguments: [
    ("http://ann:s%2Ft@h", "ann:s/t", "s%2Ft"), ("http://token@h", "token:", "token"),
    ("http://key:@h", "key:", "key"), ("http://a:b:c@h", "a:b:c", "b:c"),
  ])
  func `says who asks, and what of that is secret`(
    text: String, login: String, secret: String
  ) throws {
    let url = try AbsoluteURL.read(text).get()
    #expect(url.login == login)
    #expect(url.secret == secret)
    #expect(url.shown == "http://h")
  }

  @Test(arguments: [
    "http://ann:s3cret/t@h", "http://ann:s3cret?@h/", "ann:s3cret@h", "http://ann:s3cret@",
  ])
  func `that is none is not reported with its password`(text: String) {
    guard case .failure(let problem) = AbsoluteURL.read(text) else {
      Issue.record("\(text) was read")
      return
    }
    #expect(!problem.message.contains("s3cret"))
  }

  @Test(arguments: [
    "unix://", "unix://run/app.sock", "unix:///", "http+unix:///run/app.sock",
    "http+unix://%2Fa/?b",
    "", "example.org", "mailto:me@example.org", "ftp://example.org", "http://", "http://:80",
    "http://host:", "http://host:0", "http://host:65536", "http://[::1", "http://[::1]x",
    "http://host?x=1", "http://host/#top",
  ])
  func `is none without a host, or with more than that`(text: String) {
    #expect(throws: AbsoluteURL.Problem.self) { try AbsoluteURL.read(text).get() }
  }
}
