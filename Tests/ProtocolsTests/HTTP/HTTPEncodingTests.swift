import Testing

@testable import Protocols

struct `writing messages` {
  func text(_ result: Result<[UInt8], HTTPProblem>) -> String {
    switch result {
    case .success(let bytes): String(decoding: bytes, as: UTF8.self)
    case .failure(let problem): problem.id
    }
  }

  @Test func `a request is written with the length of its body`() {
    let request = HTTPRequest(
      method: "POST", target: "/a?b", headers: ["Host": "x"], body: bytes("hey"))
    #expect(
      text(request.encoded())
        == "POST /a?b HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nhey")
  }

  @Test func `only methods that usually carry a body tell that it is empty`() {
    let get = HTTPRequest(method: "GET", target: "/")
    let post = HTTPRequest(method: "POST", target: "/")
    #expect(text(get.encoded()) == "GET / HTTP/1.1\r\n\r\n")
    #expect(text(post.encoded()) == "POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n")
  }

  @Test func `a length that the headers tell is left as it is`() {
    let lie = HTTPResponse(status: 200, headers: ["content-length": "9"], body: bytes("hey"))
    #expect(text(lie.encoded()) == "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhey")
    let chunked = HTTPResponse(
      status: 200, headers: ["Transfer-Encoding": "chunked"], body: bytes("hey"))
    #expect(
      text(chunked.encoded())
        == "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhey\r\n0\r\n\r\n")
  }

  @Test func `answers that may have no body are written without`() {
    let body = bytes("hey")
    #expect(
      text(HTTPResponse(status: 200, body: body).encoded(answering: "HEAD"))
        == "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n")
    #expect(
      text(HTTPResponse(status: 204, body: body).encoded()) == "HTTP/1.1 204 No Content\r\n\r\n")
    #expect(text(HTTPResponse(status: 304).encoded()) == "HTTP/1.1 304 Not Modified\r\n\r\n")
    #expect(
      text(HTTPResponse(status: 304, body: body).encoded())
        == "HTTP/1.1 304 Not Modified\r\nContent-Length: 3\r\n\r\n")
  }

  @Test func `chunks are written in hexadecimal, and no bytes are no chunk`() {
    #expect(HTTPChunks.chunk([UInt8](repeating: 0x61, count: 16)).prefix(4) == bytes("10\r\n")[...])
    #expect(HTTPChunks.chunk([]) == [])
  }

  @Test(arguments: ["a\r\nEvil: 1", "a\nb", "a\rb", "\0", "a\u{7F}"])
  func `a value cannot break out of its line`(value: String) {
    let request = HTTPRequest(method: "GET", target: "/", headers: ["A": value])
    #expect(request.encoded() == .failure(.unsendableHeader))
    let response = HTTPResponse(status: 200, headers: ["A": value])
    #expect(response.encoded() == .failure(.unsendableHeader))
    #expect(HTTPResponse(status: 200, reason: value).encoded() == .failure(.unsendableStatus))
    let target = HTTPRequest(method: "GET", target: "/" + value)
    #expect(target.encoded() == .failure(.unsendableTarget))
    let method = HTTPRequest(method: value, target: "/")
    #expect(method.encoded() == .failure(.unsendableMethod))
    let name = HTTPRequest(method: "GET", target: "/", headers: [value: "1"])
    #expect(name.encoded() == .failure(.unsendableHeader))
  }

  @Test(arguments: [-1, 0, 99, 1000, Int.max])
  func `a status has three digits`(status: Int) {
    #expect(HTTPResponse(status: status).encoded() == .failure(.unsendableStatus))
  }

  @Test func `what is written is read back the same`() {
    let request = HTTPRequest(
      method: "PUT", target: "/x", headers: ["Host": "h", "X": "é ✓"], body: bytes("body"))
    var expected = request
    expected.headers.add("Content-Length", "4")
    expected.body = []
    guard case .success(let written) = request.encoded() else {
      Issue.record("not written")
      return
    }
    #expect(
      parseRequest(written) == [.request(expected), .body(bytes("body")), .end(keepAlive: true)])
  }
}

struct `headers` {
  @Test func `setting replaces all lines of the name in the place of the first`() {
    var headers: HTTPHeaders = ["A": "1", "B": "2", "a": "3"]
    headers["a"] = "4"
    #expect(headers == ["a": "4", "B": "2"])
    headers["b"] = nil
    headers["C"] = "5"
    #expect(headers == ["a": "4", "C": "5"])
  }

  @Test func `words of a list are found whatever their case and spaces`() {
    let headers: HTTPHeaders = ["Connection": "keep-alive , UPGRADE"]
    #expect(headers.lists("upgrade", under: "connection"))
    #expect(headers.lists("keep-alive", under: "connection"))
    #expect(!headers.lists("keep", under: "connection"))
  }
}
