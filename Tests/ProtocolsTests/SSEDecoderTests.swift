import Testing

@testable import Protocols

/// The items of a decoder for these pieces of one response, and its last event id.
private struct Heard: Equatable {
  var items: [SSEItem] = []
  var lastEventID = ""

  init(_ pieces: [[UInt8]], limit: Int = SSELimits.eventBytes) {
    var decoder = SSEDecoder(eventBytes: limit)
    for piece in pieces { items += decoder.receive(piece) }
    lastEventID = decoder.lastEventID
    decoder.finish()
    if decoder.lastEventID != lastEventID { lastEventID = "changed by the end" }
  }
}

private let small = 12

struct `reading event streams` {
  @Test(arguments: sseVectors)
  func `a stream is understood by the rules of the WHATWG`(vector: SSEVector) {
    let heard = Heard([vector.bytes])
    #expect(heard.items == vector.items)
    #expect(heard.lastEventID == vector.lastEventID)
  }

  @Test(arguments: sseVectors)
  func `a stream is the same at every boundary and every pair of boundaries`(vector: SSEVector) {
    expectSameHoweverCut(vector.bytes) { Heard($0) }
  }

  @Test(arguments: sseVectors)
  func `a limit counts the same however the bytes are cut`(vector: SSEVector) {
    expectSameHoweverCut(vector.bytes) { Heard($0, limit: small) }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `damaged streams are read the same however they are cut, and never crash`(seed: UInt64) {
    let sources = sseVectors.map(\.bytes)
    expectSameWhenDamaged(sources, seed: seed) { Heard($0) }
    expectSameWhenDamaged(sources, seed: seed, rounds: 500) { Heard($0, limit: small) }
  }

  @Test func `an event comes with its last byte, without waiting for the LF of a CR LF`() {
    var decoder = SSEDecoder()
    #expect(decoder.receive(bytes("data: a\r\n\r")) == [.event(SSEEvent(data: "a"))])
    #expect(decoder.receive(bytes("\ndata: b\n\n")) == [.event(SSEEvent(data: "b"))])
  }

  @Test func `an event of many pieces comes whole`() {
    var decoder = SSEDecoder()
    let letters = [UInt8](repeating: 0x61, count: 10 << 20)
    #expect(decoder.receive(bytes("data: ") + letters[..<(5 << 20)]) == [])
    let items = decoder.receive(letters[(5 << 20)...] + bytes("\n\n"))
    #expect(items == [.event(SSEEvent(data: String(decoding: letters, as: UTF8.self)))])
  }

  @Test func `many events at once come in their order`() {
    var decoder = SSEDecoder()
    let text = (0..<1000).map { "data: \($0)\n\n" }.joined()
    let items = decoder.receive(bytes(text))
    #expect(items == (0..<1000).map { .event(SSEEvent(data: String($0))) })
  }
}

struct `connecting to an event stream again` {
  var decoder = SSEDecoder(lastEventID: "5")

  @Test mutating func `the last id is kept, and counts for events without one`() {
    decoder.finish()
    #expect(decoder.lastEventID == "5")
    let items = decoder.receive(bytes("data: a\n\n"))
    #expect(items == [.event(SSEEvent(lastEventID: "5", data: "a"))])
  }

  @Test mutating func `nothing is left of an event that was cut off`() {
    _ = decoder.receive(bytes("id: 6\nevent: e\nretry: 1\ndata: a\nda"))
    decoder.finish()
    #expect(decoder.lastEventID == "5")
    let items = decoder.receive(bytes("ta: x\ndata: b\n\n"))
    #expect(items == [.event(SSEEvent(lastEventID: "5", data: "b"))])
  }

  @Test mutating func `a mark is taken off each response`() {
    for _ in 0..<2 {
      let items = decoder.receive(bytes("\u{FEFF}data: a\n\n"))
      #expect(items == [.event(SSEEvent(lastEventID: "5", data: "a"))])
      decoder.finish()
    }
  }

  @Test mutating func `an LF that begins a response ends a line of its own`() {
    _ = decoder.receive(bytes("data: a\r"))
    decoder.finish()
    #expect(decoder.receive(bytes("\ndata: b\n\n")).count == 1)
  }
}

struct `the limit of an event stream` {
  @Test(arguments: [
    ("data: 123456\n\n", false), ("data: 1234567\n\n", true), ("data: 1234567", true),
    ("data: 12345\ndata: 123456\n\n", false), ("data: 123456\ndata: 123456\n\n", true),
    ("data\ndata\ndata: 123456\ndata: 12\n\n", false),
    ("data\ndata\ndata\ndata: 123456\ndata: 123\n\n", true), (": 12345678901\n", true),
    (": 1234567890\n: 1234567890\n: 1234567890\n\n", false),
    ("data: 123456\n\ndata: 123456\n\n", false),
  ])
  func `counts an event's data, and each line`(text: String, isTooLarge: Bool) {
    let heard = Heard([bytes(text)], limit: small)
    #expect((heard.items.last == .problem(.eventTooLarge)) == isTooLarge)
  }

  @Test func `ends the stream, but not what was complete or comes after connecting again`() {
    var decoder = SSEDecoder(eventBytes: small)
    let items = decoder.receive(bytes("id: 1\ndata: a\n\nid: 2\ndata: 1234567\n\ndata: b\n\n"))
    #expect(items == [.event(SSEEvent(id: "1", data: "a")), .problem(.eventTooLarge)])
    #expect(decoder.receive(bytes("data: c\n\n")) == [])
    #expect(decoder.lastEventID == "1")
    decoder.finish()
    let later = decoder.receive(bytes("data: d\n\n"))
    #expect(later == [.event(SSEEvent(lastEventID: "1", data: "d"))])
  }
}
