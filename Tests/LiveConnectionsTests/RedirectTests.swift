import Testing

@testable import LiveConnections

@Suite struct RedirectTests {
  @Test(arguments: [
    ("/b", "/b"), ("b", "/x/b"), ("?q=1", "/x/a?q=1"), ("http://host/c?d", "/c?d"),
    ("https://HOST", "/"), ("//host?x", "/?x"), ("http://other/c", nil), ("http://hostile/", nil),
  ])
  func `a redirect leads somewhere on the same server, or nowhere`(
    location: String, target: String?
  ) {
    #expect(redirectTarget(location, from: "/x/a?b", host: "host") == target)
  }
}
