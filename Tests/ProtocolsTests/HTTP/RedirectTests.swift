import Testing

@testable import Protocols

struct `A redirect` {
  @Test(arguments: [
    ("/b", nil, "/b"), ("b?x=1#top", nil, "/a/b?x=1"), ("../b", nil, "/b"), ("./b/.", nil, "/a/b/"),
    ("?page=2", nil, "/a/c?page=2"), ("/x/../../y", nil, "/y"), ("https://h:1/b?c", "h:1", "/b?c"),
    ("HTTP://h", "h", "/"), ("//h/b", "h", "/b"), ("http://h?q", "h", "/?q"),
  ])
  func `leads where its location says, seen from the request`(
    location: String, host: String?, target: String
  ) {
    let response = HTTPResponse(status: 302, headers: ["Location": location])
    let redirect = Redirect(response, to: "/a/c?page=1")
    #expect(redirect?.host == host)
    #expect(redirect?.target == target)
  }

  @Test(arguments: [
    ("/b", "http://h:1/b"), ("b", "http://h:1/a/b"), ("http://h:1/b", "http://h:1/b"),
    ("../../b", "http://h:1/b"),
  ])
  func `keeps the form of a request that goes through a proxy`(location: String, target: String) {
    let response = HTTPResponse(status: 302, headers: ["Location": location])
    #expect(Redirect(response, to: "http://h:1/a/c?page=1")?.target == target)
  }

  @Test(arguments: [
    ("https://h/b", true), ("http://h/b", false), ("//h/b", nil), ("/b", nil),
  ])
  func `says whether the way is secured, where its location does`(
    location: String, isSecure: Bool?
  ) {
    let response = HTTPResponse(status: 302, headers: ["Location": location])
    #expect(Redirect(response, to: "/")?.isSecure == isSecure)
  }

  @Test(arguments: [200, 201, 300, 304, 305, 404])
  func `is no other answer, even with a location`(status: Int) {
    let response = HTTPResponse(status: status, headers: ["Location": "/b"])
    #expect(Redirect(response, to: "/") == nil)
  }

  @Test func `needs a location`() {
    #expect(Redirect(HTTPResponse(status: 302), to: "/") == nil)
    let empty = HTTPResponse(status: 302, headers: ["Location": ""])
    #expect(Redirect(empty, to: "/") == nil)
  }

  @Test(arguments: [
    (301, "POST", "GET"), (302, "POST", "GET"), (302, "PUT", "PUT"), (303, "DELETE", "GET"),
    (303, "HEAD", "HEAD"), (307, "POST", "POST"), (308, "PATCH", "PATCH"), (301, "GET", "GET"),
  ])
  func `is followed with the method its status asks for`(
    status: Int, method: String, next: String
  ) {
    #expect(Redirect.method(after: status, method) == next)
  }
}

struct `Following redirects` {
  private let request = HTTPRequest(method: "POST", target: "/a")

  private func redirect(_ status: Int, _ location: String?) -> HTTPResponse {
    guard let location else { return HTTPResponse(status: status) }
    return HTTPResponse(status: status, headers: ["Location": location])
  }

  @Test func `an answer that is no redirect is the last`() {
    var follower = RedirectFollower(limit: 1)
    #expect(follower.decide(after: redirect(200, "/b"), to: request) == .stay)
    #expect(follower.decide(after: redirect(304, nil), to: request) == .stay)
  }

  @Test func `a redirect without a location leads nowhere, and is not counted`() throws {
    var follower = RedirectFollower(limit: 1)
    #expect(follower.decide(after: redirect(302, nil), to: request) == .missingLocation)
    let answer = redirect(302, "/b")
    let next = try #require(Redirect(answer, to: request.target))
    let decision = follower.decide(after: answer, to: request)
    #expect(decision == .follow(next, HTTPRequest(method: "GET", target: "/b")))
  }

  @Test(arguments: [
    (301, "POST", true), (302, "PUT", false), (303, "GET", true), (303, "HEAD", true),
    (307, "POST", false), (308, "GET", false),
  ])
  func `a request that becomes another one leaves its body behind`(
    status: Int, method: String, dropsBody: Bool
  ) {
    var follower = RedirectFollower(limit: 1)
    let request = HTTPRequest(
      method: method, target: "/a", headers: ["Content-Type": "text/plain"], body: [1])
    let decision = follower.decide(after: redirect(status, "/b"), to: request)
    let next: HTTPRequest? = if case .follow(_, let next) = decision { next } else { nil }
    #expect(next?.body == (dropsBody ? [] : [1]))
    #expect(next?.headers.contains("Content-Type") == !dropsBody)
  }

  @Test func `as many redirects are followed as are allowed, and where the next leads is known`()
    throws
  {
    let answer = redirect(307, "http://other/b")
    let next = try #require(Redirect(answer, to: request.target))
    for limit in 0...3 {
      var follower = RedirectFollower(limit: limit)
      for _ in 0..<limit {
        let decision = follower.decide(after: answer, to: request)
        #expect(decision == .follow(next, HTTPRequest(method: "POST", target: "/b")))
      }
      #expect(follower.decide(after: answer, to: request) == .tooMany(next))
    }
  }
}
