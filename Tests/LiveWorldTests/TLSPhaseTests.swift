import Testing
import World

@testable import LiveWorld

@Suite struct `the phase of a secure connection` {
  @Test func `keeps what the owner does before there are keys`() {
    var phase = TLSPhase.handshake(EarlyCalls())
    #expect(early(phase.send([1])) == .accepted)
    #expect(early(phase.send([2, 3])) == .accepted)
    #expect(phase.shutDownWriting() == false)
    #expect(early(phase.send([4])) == .refused)
    let calls = phase.established()
    #expect(calls?.pieces == [[1], [2, 3]])
    #expect(calls?.ending == .shutDown)
    #expect(phase.established() == nil)
    #expect(phase.canRead)
  }

  @Test func `says goodbye once`() {
    var phase = TLSPhase.open(.open, .open)
    #expect(phase.shutDownWriting() == true)
    #expect(phase.shutDownWriting() == false)
    guard case .refused = phase.send([1]), case .now(saysGoodbye: false) = phase.close() else {
      Issue.record("the goodbye is said twice")
      return
    }
  }

  @Test func `closes later without keys, and at once with them`() {
    var early = TLSPhase.handshake(EarlyCalls())
    guard case .later = early.close(), case .nothing = early.close() else {
      Issue.record("closing does not wait for keys, or is not done once")
      return
    }
    #expect(early.established()?.ending == .close)
    var open = TLSPhase.open(.open, .open)
    guard case .now(saysGoodbye: true) = open.close() else {
      Issue.record("closing waits for nothing")
      return
    }
    var closed = TLSPhase.closed
    guard case .nothing = closed.close() else {
      Issue.record("a closed connection closes again")
      return
    }
  }

  @Test func `is cut short where the connection below ends without a goodbye`() {
    var handshake = TLSPhase.handshake(EarlyCalls())
    #expect(handshake.innerEnded() == true)
    var open = TLSPhase.open(.open, .open)
    #expect(open.innerEnded() == false)
    #expect(open.isCutShort && open.canRead)
    open.receivedGoodbye()
    #expect(!open.isCutShort && !open.canRead)
    #expect(open.innerEnded() == false)
    #expect(!open.isCutShort)
  }

  private func early(_ sending: TLSPhase.Sending) -> EarlyCalls.Sent? {
    if case .early(let sent) = sending { sent } else { nil }
  }
}

@Suite struct `calls before a connection is open` {
  @Test func `let a sender wait beyond the window, and refuse what is too much`() {
    var calls = EarlyCalls()
    #expect(calls.send([UInt8](repeating: 0, count: MemoryPipe.window)) == .accepted)
    #expect(!calls.owesWritable)
    #expect(calls.send([1]) == .mustWait)
    #expect(calls.owesWritable)
    let rest = MemoryPipe.maximumBytesOnTheWay - MemoryPipe.window
    #expect(calls.send([UInt8](repeating: 0, count: rest)) == .overfull)
    #expect(calls.pieces.count == 2)
  }

  @Test func `end once, and closing is more than shutting down`() {
    var calls = EarlyCalls()
    calls.shutDownWriting()
    #expect(calls.send([1]) == .refused)
    #expect(calls.close() == true)
    #expect(calls.close() == false)
    calls.shutDownWriting()
    #expect(calls.ending == .close)
  }
}

@Suite struct `a proxy's answer` {
  @Test(arguments: [
    ("HTTP/1.1 200 Go ahead\r\nVia: me\r\n\r\n", ProxyAnswer.Reading.opened(rest: [])),
    ("HTTP/1.0 204\r\n\r\nhi", .opened(rest: [104, 105])),
    ("HTTP/1.1 403 Forbidden\r\n\r\n", .refused("HTTP/1.1 403 Forbidden")),
    ("HTTP/2 200 OK\r\n\r\n", .refused("HTTP/2 200 OK")),
    ("220 mail\r\n\r\n", .refused("220 mail")),
    ("HTTP/1.1 2000 What\r\n\r\n", .refused("HTTP/1.1 2000 What")),
    ("HTTP/1.1 200 Go ahead\r\n", .incomplete),
  ])
  func `is read from its head, wherever it is cut`(text: String, reading: ProxyAnswer.Reading) {
    let bytes = Array(text.utf8)
    for cut in 0...10 {
      var answer = ProxyAnswer()
      let first = answer.receive(Array(bytes[..<cut]))
      #expect(first == .incomplete)
      #expect(answer.receive(Array(bytes[cut...])) == reading)
    }
  }

  @Test func `is refused when its head has no end`() {
    var answer = ProxyAnswer()
    let line = [UInt8](repeating: 65, count: 1 << 10)
    for _ in 0..<(ProxyAnswer.largestHead >> 10) { #expect(answer.receive(line) == .incomplete) }
    #expect(answer.receive(line) == .refused("its answer has no end"))
  }
}
