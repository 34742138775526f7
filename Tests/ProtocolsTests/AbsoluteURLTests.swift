import Testing

@testable import Protocols

struct `the URL of a server` {
  @Test(arguments: [
    ("http://example.org", "example.org", UInt16(80), "", "example.org"),
    ("https://example.org/", "example.org", 443, "", "example.org"),
    ("HTTPS://example.org:8443/v1/", "example.org", 8443, "/v1", "example.org:8443"),
    ("ws://[::1]:80/chat", "::1", 80, "/chat", "[::1]"),
    ("wss://me:secret@host:1", "host", 1, "", "host:1"),
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
    "", "example.org", "mailto:me@example.org", "ftp://example.org", "http://", "http://:80",
    "http://host:", "http://host:0", "http://host:65536", "http://[::1", "http://[::1]x",
    "http://host?x=1", "http://host/#top",
  ])
  func `is none without a host, or with more than that`(text: String) {
    #expect(throws: AbsoluteURL.Problem.self) { try AbsoluteURL.read(text).get() }
  }
}
