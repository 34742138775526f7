import Testing

@testable import Protocols

struct `HTTP problems` {
  @Test func `each has an id and a sentence of its own`() {
    #expect(Set(HTTPProblem.allCases.map(\.id)).count == HTTPProblem.allCases.count)
    #expect(Set(HTTPProblem.allCases.map(\.message)).count == HTTPProblem.allCases.count)
  }

  @Test(arguments: [
    ("GE?T / HTTP/1.1\r\nHost: x\r\n\r\n", HTTPProblem.invalidMethod),
    ("NOPE / HTTP/1.1\r\nHost: x\r\n\r\n", .invalidMethod),
    ("GET /\u{1} HTTP/1.1\r\nHost: x\r\n\r\n", .invalidTarget),
    ("GET / HTPT/1.1\r\nHost: x\r\n\r\n", .invalidVersion),
    ("GET / HTTP/1.x\r\nHost: x\r\n\r\n", .invalidVersion),
    ("GET / HTTP/2.0\r\nHost: x\r\n\r\n", .unsupportedVersion),
    ("GET / HTTP/1.1\r\n\r\n", .invalidHost),
    ("GET / HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n", .invalidHost),
    ("GET / HTTP/1.1\r\nHost: x\r\nA B: 1\r\n\r\n", .invalidHeader),
    ("GET / HTTP/1.1\r\nHost : x\r\n\r\n", .invalidHeader),
    ("GET / HTTP/1.1\r\nHost: x\r\nA: \u{1}\r\n\r\n", .invalidHeader),
    ("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1x\r\n\r\n", .invalidContentLength),
    ("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", .invalidContentLength),
    (
      "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999999\r\n\r\n",
      .invalidContentLength
    ),
    ("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n", .bodyTooLarge),
    ("GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", .invalidTransferEncoding),
    ("GET / HTTP/1.1\r\nHo", .unexpectedEndInHead),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na", .unexpectedEndInBody),
    (
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n",
      .unexpectedEndInChunkedBody
    ),
  ])
  func `a request that breaks a rule is refused for it`(text: String, expected: HTTPProblem) {
    #expect(problem(parseRequest(bytes(text))) == expected)
  }

  @Test(arguments: [
    ("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", HTTPProblem?.none),
    ("Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n0\r\n\r\n", nil),
    ("Content-Length: 1\r\nContent-Length: 1\r\n\r\na", nil),
    ("Content-Length: 1\r\nContent-Length: 2\r\n\r\na", nil),
    ("Content-Length: 1, 1\r\n\r\na", .invalidContentLength),
    ("Content-Length: +1\r\n\r\na", .invalidContentLength),
    ("Content-Length: 0x1\r\n\r\na", .invalidContentLength),
    ("Content-Length: 1 1\r\n\r\na", .invalidContentLength),
    ("Content-Length: \r\n\r\na", .invalidContentLength),
    ("Content-Length:\u{B}1\r\n\r\na", .invalidContentLength),
    ("Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n", .invalidTransferEncoding),
    ("Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", .invalidTransferEncoding),
    ("Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", .invalidHeader),
    ("Transfer-Encoding:\u{B}chunked\r\n\r\n0\r\n\r\n", nil),
    ("A: 1\nB: 2\r\n\r\n", nil),
    ("A: 1\r\n\n", nil),
    ("A: 1\rB: 2\r\n\r\n", nil),
    ("A: 1\r\n B: 2\r\n\r\n", nil),
    ("\rA: 1\r\n\r\n", nil),
    ("A:\r\rB: 1\r\n\r\n", nil),
    ("A: 1\r\n\rX: 1\r\n\r\n", nil),
    (": 1\r\n\r\n", .invalidHeader),
    ("Transfer-Encoding: chunked\r\n\r\n0\r\n\n", .invalidLineEnd),
    ("Transfer-Encoding: chunked\r\n\r\n0\r\nA: 1\r\n\n", .invalidLineEnd),
    ("Transfer-Encoding: chunked\r\n\r\n0\r\nA: 1\r\n B: 1\r\n\r\n", .invalidHeader),
    ("Transfer-Encoding: chunked\r\n\r\n1\r\na0\r\n\r\n", .invalidLineEnd),
    ("Transfer-Encoding: chunked\r\n\r\nx\r\n", .invalidChunkSize),
    ("Transfer-Encoding: chunked\r\n\r\n 1\r\na\r\n0\r\n\r\n", .invalidChunkSize),
    ("Transfer-Encoding: chunked\r\n\r\n-1\r\na\r\n0\r\n\r\n", .invalidChunkSize),
    ("Transfer-Encoding: chunked\r\n\r\n0x1\r\na\r\n0\r\n\r\n", .invalidChunkSize),
    ("Transfer-Encoding: chunked\r\n\r\n1_0\r\na\r\n0\r\n\r\n", .invalidChunkSize),
    ("Transfer-Encoding: chunked\r\n\r\n11111111111111111\r\na", .invalidChunkSize),
    ("Transfer-Encoding: chunked\r\n\r\n1\na\r\n0\r\n\r\n", nil),
    ("Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n", nil),
    ("Transfer-Encoding: chunked\r\n\r\n1\r\na\n0\r\n\r\n", nil),
    ("Transfer-Encoding: chunked\r\n\r\n1;x\ny\r\na\r\n0\r\n\r\n", nil),
  ])
  func `what two readers could read differently is refused`(rest: String, exact: HTTPProblem?) {
    let found = problem(parseRequest(bytes("POST / HTTP/1.1\r\nHost: x\r\n" + rest)))
    #expect(found != nil)
    if let exact { #expect(found == exact) }
  }

  @Test(arguments: [
    ("", HTTPProblem.unexpectedEndBeforeHead), ("HTTP/1.1 2", .unexpectedEndInHead),
    ("FTP/1.1 200 OK\r\n\r\n", .invalidStatusLine), ("HTTP/1.1 2x0 OK\r\n\r\n", .invalidStatus),
    ("HTTP/1.1 20 OK\r\n\r\n", .invalidStatus), ("HTTP/1.1 2000 OK\r\n\r\n", .invalidStatus),
    ("HTTP/1.1 099 OK\r\n\r\n", .invalidStatus), ("HTTP/1.1  OK\r\n\r\n", .invalidStatus),
    ("HTTP/2.0 200 OK\r\n\r\n", .unsupportedVersion),
    ("\0\0\u{6}\u{4}\0\0\0\0\0\0\u{3}\0\0\0d", .http2),
    ("\u{15}\u{3}\u{1}\0\u{2}\u{2}\n", .secured),
    ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", .unexpectedEndInBody),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", .unexpectedEndInChunkedBody
    ),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", .invalidChunkSize),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n",
      .conflictingLengths
    ),
    ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\n", .conflictingLengths),
  ])
  func `a response that breaks a rule is refused for it`(text: String, expected: HTTPProblem) {
    #expect(problem(parseResponse(bytes(text))) == expected)
  }

  @Test(arguments: [
    ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", HTTPProblem.http2),
    ("\u{16}\u{3}\u{1}\u{2}\0\u{1}", .secured),
  ])
  func `a request of another protocol is named`(text: String, expected: HTTPProblem) {
    #expect(problem(parseRequest(bytes(text))) == expected)
  }

  @Test func `nothing follows a problem`() {
    var parser = HTTPRequestParser()
    #expect(parser.receive(bytes("?")) == [.problem(.invalidMethod)])
    #expect(parser.receive(bytes("GET / HTTP/1.1\r\n\r\n")) == [])
    #expect(parser.finish() == [])
    #expect(parser.receive(bytes("x")) == [])
  }

  @Test func `heads, headers and bodies are bounded`() {
    let start = "GET / HTTP/1.1\r\nHost: x\r\n"
    let long = String(repeating: "a", count: HTTPLimits.headBytes)
    #expect(problem(parseRequest(bytes(start + "A: \(long)\r\n\r\n"))) == .headTooLarge)
    #expect(problem(parseRequest(bytes("GET /\(long)"))) == .headTooLarge)
    let many = String(repeating: "A: 1\r\n", count: HTTPLimits.headers)
    #expect(problem(parseRequest(bytes(start + many + "\r\n"))) == .tooManyHeaders)
    let trailers = start + "Transfer-Encoding: chunked\r\n\r\n0\r\nA: \(long)\r\n\r\n"
    #expect(problem(parseRequest(bytes(trailers))) == .headTooLarge)
    let extensions = start + "Transfer-Encoding: chunked\r\n\r\n1;a=\(long)\r\na\r\n0\r\n\r\n"
    #expect(problem(parseRequest(bytes(extensions))) == .headTooLarge)
    var parser = HTTPResponseParser()
    parser.expectResponse(to: "GET")
    var events = parser.receive(bytes("HTTP/1.1 200 OK\r\n\r\n"))
    let piece = [UInt8](repeating: 0, count: HTTPLimits.bodyBytes / 4)
    for _ in 0..<5 { events = parser.receive(piece) }
    #expect(events == [.problem(.bodyTooLarge)])
  }
}
