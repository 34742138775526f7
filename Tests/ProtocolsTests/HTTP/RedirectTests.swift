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
    let request = HTTPRequest(method: "GET", target: "/a/c?page=1")
    let redirect = Redirect(response, to: request)
    #expect(redirect?.host == host)
    #expect(redirect?.target == target)
  }

  @Test(arguments: [
    ("/b", "http://h:1/b"), ("b", "http://h:1/a/b"), ("http://h:1/b", "http://h:1/b"),
    ("../../b", "http://h:1/b"),
  ])
  func `keeps the form of a request that goes through a proxy`(location: String, target: String) {
    let response = HTTPResponse(status: 302, headers: ["Location": location])
    let request = HTTPRequest(method: "GET", target: "http://h:1/a/c?page=1")
    #expect(Redirect(response, to: request)?.target == target)
  }

  @Test(arguments: [
    ("https://h/b", true), ("http://h/b", false), ("//h/b", nil), ("/b", nil),
  ])
  func `says whether the way is secured, where its location does`(
    location: String, isSecure: Bool?
  ) {
    let response = HTTPResponse(status: 302, headers: ["Location": location])
    #expect(Redirect(response, to: HTTPRequest(method: "GET", target: "/"))?.isSecure == isSecure)
  }

  @Test(arguments: [200, 201, 300, 304, 305, 404])
  func `is no other answer, even with a location`(status: Int) {
    let response = HTTPResponse(status: status, headers: ["Location": "/b"])
    #expect(Redirect(response, to: HTTPRequest(method: "GET", target: "/")) == nil)
  }

  @Test func `needs a location`() {
    let request = HTTPRequest(method: "GET", target: "/")
    #expect(Redirect(HTTPResponse(status: 302), to: request) == nil)
    let empty = HTTPResponse(status: 302, headers: ["Location": ""])
    #expect(Redirect(empty, to: request) == nil)
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
