import Testing

@testable import Protocols

/// Messages in which every kind of byte and every ending occurs.
private let requests = [
  "GET /a?b=c HTTP/1.1\r\nHost: x\r\nAccept:  a , b \r\nEmpty:\r\n\r\n",
  "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\nHost: x\r\n\r\n",
  "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    + "a;n=\"v\"\r\n0123456789\r\n1\r\nx\r\n0\r\nT: 1\r\n\r\nGET / HTTP/1.0\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: w\r\n\r\n\u{1}\u{2}\u{3}",
  "POST / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: w\r\nContent-Length: 2\r\n"
    + "\r\nabcd",
  "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\nfoo",
  "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\nGET",
  "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc",
  "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
  "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
  "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nT: 1\r\n x\r\n\r\n",
  "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n00\r\n\r\nGET",
  "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\n",
  "GET / HTTP/1.1\r\nHost: x\r\nBad Name: 1\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
  "GET / HTTP/2.0\r\n\r\n", "\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n\r\n",
]

private let responses: [(method: String, text: String)] = [
  ("GET", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nX: é\r\n\r\nabc"),
  ("GET", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\n\r\nuntil the end"),
  ("GET", "HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"),
  ("GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nz\r\n\r\n"),
  ("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"),
  ("HEAD", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0"),
  ("GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 3\r\n\r\n"),
  ("GET", "HTTP/1.1 204 No Content\r\n\r\nX"),
  ("GET", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\nab"),
  ("GET", "HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: w\r\n\r\nabc"),
  ("CONNECT", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nabc"),
  ("GET", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), ("GET", "HTTP/1.1 2x0 OK\r\n\r\n"),
  ("GET", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc"),
]

struct `wherever bytes are cut` {
  @Test(arguments: requests)
  func `a request is read the same at every boundary and every pair of boundaries`(text: String) {
    let bytes = bytes(text)
    let whole = parseRequest(bytes)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        let cut = parseRequest(bytes, cutAt: [first, second])
        guard cut == whole else {
          #expect(cut == whole, "cut at \(first) and \(second)")
          return
        }
      }
    }
    #expect(parseRequest(bytes, cutAt: Array(0...bytes.count)) == whole)
  }

  @Test(arguments: responses.indices)
  func `a response is read the same at every boundary and every pair of boundaries`(index: Int) {
    let (method, text) = responses[index]
    let bytes = bytes(text)
    let whole = parseResponse(bytes, to: [method])
    for first in 0...bytes.count {
      for second in first...bytes.count {
        let cut = parseResponse(bytes, to: [method], cutAt: [first, second])
        guard cut == whole else {
          #expect(cut == whole, "cut at \(first) and \(second)")
          return
        }
      }
    }
    #expect(parseResponse(bytes, to: [method], cutAt: Array(0...bytes.count)) == whole)
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `damaged messages are read the same however they are cut, and never crash`(seed: UInt64) {
    var dice = Dice(state: seed)
    for round in 0..<1500 {
      let source = responses[dice.below(responses.count)]
      var bytes = bytes(round % 2 == 0 ? requests[dice.below(requests.count)] : source.text)
      for _ in 0...dice.below(4) { dice.damage(&bytes) }
      let cuts = (0..<dice.below(6)).map { _ in dice.below(bytes.count + 1) }.sorted()
      if round % 2 == 0 {
        #expect(parseRequest(bytes, cutAt: cuts) == parseRequest(bytes))
      } else {
        let method = source.method
        #expect(
          parseResponse(bytes, to: [method], cutAt: cuts) == parseResponse(bytes, to: [method]))
      }
    }
  }
}

struct `a server that answers at once` {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `does the same however damaged requests are cut`(seed: UInt64) {
    var dice = Dice(state: seed)
    for round in 0..<1500 {
      var bytes = bytes(requests[dice.below(requests.count)] + requests[dice.below(2)])
      for _ in 0..<dice.below(3) { dice.damage(&bytes) }
      let cuts = (0..<dice.below(6)).map { _ in dice.below(bytes.count + 1) }.sorted()
      let answer = HTTPResponse(
        status: [200, 204, 101][round % 3], headers: round % 5 == 0 ? ["Connection": "close"] : [:])
      let cut = actions(to: pieces(bytes, cuts), answer)
      #expect(cut == actions(to: [bytes], answer))
    }
  }

  /// Returns the actions of the server, with the foreign bytes at the end joined.
  private func actions(
    to pieces: [[UInt8]], _ answer: HTTPResponse
  ) -> [HTTPServerConnection.Action] {
    var server = HTTPServerConnection()
    var done: [HTTPServerConnection.Action] = []
    var foreign: [UInt8] = []
    for input in pieces.map(HTTPServerConnection.Input.bytesReceived) + [.closed] {
      var waiting = server.on(input)[...]
      while let action = waiting.popFirst() {
        if case .passOn(let bytes) = action { foreign += bytes } else { done.append(action) }
        if case .requestArrived = action { waiting += server.on(.responded(answer)) }
      }
    }
    return done + [.passOn(foreign)]
  }
}

/// A small seeded generator (a linear congruential one, with the constants Knuth gives for MMIX).
struct Dice {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(truncatingIfNeeded: state >> 33) % max(bound, 1)
  }

  mutating func damage(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    let place = below(bytes.count)
    switch below(6) {
    case 0: bytes[place] = UInt8(below(256))
    case 1: bytes.remove(at: place)
    case 2: bytes.insert(UInt8(below(256)), at: place)
    case 3: bytes.removeSubrange(place...)
    case 4: bytes.insert(contentsOf: bytes[place..<min(place + 9, bytes.count)], at: place)
    default: bytes[place] = [0x0A, 0x0D, 0x20, 0x3A, 0x30, 0xFF][below(6)]
    }
  }
}
