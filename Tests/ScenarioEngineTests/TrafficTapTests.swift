import Events
import Protocols
import Testing

@testable import ScenarioEngine

/// What a recording has of bytes that break the rules.
@Suite struct TrafficTapTests {
  /// However the bytes are cut, the event before them comes once, and they follow its chunk.
  @Test(arguments: [1, 2, 7, 1000])
  func `a chunk that breaks the rules is recorded after the events before it`(size: Int) throws {
    var kinds: [Traffic.Kind] = []
    let tap = TrafficTap(.client) { kind, _ in kinds.append(kind) }
    tap.send(try HTTPRequest(method: "GET", target: "/", headers: ["Host": "a"]).encoded().get())
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked"
    let bytes = Array((head + "\r\n\r\n9\r\ndata: a\n\n\r\n?!").utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      tap.receive(.received(Array(bytes[start..<min(start + size, bytes.count)])))
    }
    tap.end(.drop)
    try #require(kinds.count == 4, "\(kinds)")
    guard case .stream = kinds[1], case .event(let event) = kinds[2],
      case .bytes(let broken) = kinds[3]
    else {
      Issue.record("\(kinds)")
      return
    }
    #expect(event.data == "a")
    #expect(broken.first { $0 != 0x0D && $0 != 0x0A } == UInt8(ascii: "?"))
  }

  /// However the bytes are cut, nothing of a stream is lost.
  @Test(arguments: [1, 2, 7, 1000])
  func `a time without an event and an event without an end are recorded`(size: Int) throws {
    var kinds: [String] = []
    let tap = TrafficTap(.client) { kind, _ in
      switch kind {
      case .event(let event): kinds.append("event \(event.data) \(event.retry ?? 0)")
      case .retry(let milliseconds): kinds.append("retry \(milliseconds)")
      case .cutEvent(let text): kinds.append("cut \(text)")
      case .comment(let text): kinds.append("comment \(text)")
      default: break
      }
    }
    tap.send(try HTTPRequest(method: "GET", target: "/", headers: ["Host": "a"]).encoded().get())
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    let body = "retry: 5\r\n\r\nretry: 7\ndata: a\n\ndata: b\n\n: hi\nid: 8\rdata: ha"
    let bytes = Array((head + body).utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      tap.receive(.received(Array(bytes[start..<min(start + size, bytes.count)])))
    }
    tap.receive(.ended)
    #expect(kinds == ["retry 5", "event a 7", "event b 0", "comment hi", "cut id: 8\ndata: ha"])
  }
}
