import Testing
import World

@testable import LiveWorld

@Suite struct `the phase of a socket` {
  let window = MemoryPipe.window

  @Test func `asks a sender to wait beyond the window, and lets it go on at half of it`() {
    var phase = SocketPhase.open(.open, .idle)
    phase.sent(waiting: window)
    #expect(phase.hasRoom)
    phase.sent(waiting: window + 1)
    #expect(phase == .open(.full, .idle) && phase.canSend && !phase.hasRoom)
    #expect(phase.flushed(waiting: window / 2 + 1) == .nothing)
    #expect(phase.flushed(waiting: window / 2) == .notifyWritable)
    #expect(phase.flushed(waiting: 0) == .nothing)
    #expect(phase == .open(.open, .idle))
  }

  @Test func `ends writing once, when all is written`() {
    var phase = SocketPhase.open(.full, .ready)
    #expect(phase.shutDownWriting() == true)
    #expect(phase.shutDownWriting() == false)
    #expect(!phase.canSend)
    #expect(phase.flushed(waiting: 1) == .nothing)
    #expect(phase.flushed(waiting: 0) == .shutDown)
    #expect(phase == .open(.ended, .ready) && phase.hasSentAll)
  }

  @Test func `closes when both sides have ended, in either order`() {
    var first = SocketPhase.open(.ending, .ended)
    #expect(first.flushed(waiting: 0) == .shutDownAndEnd)
    var second = SocketPhase.open(.ended, .ready)
    guard case .notifyAndEnd = second.receivedEnd() else {
      Issue.record("the socket stays open")
      return
    }
  }

  @Test func `closes with what was sent before it was connected, or at once without any`() {
    var phase = SocketPhase.connecting(.lookup, .open)
    #expect(phase.close() == true)
    #expect(phase.close() == false)
    #expect(phase.lookedUp(hasUnsent: false) == .end)
    #expect(phase.lookedUp(hasUnsent: true) == .connect)
    phase.beganHandshake()
    #expect(phase.isConnecting && !phase.canWrite)
    phase.connected()
    #expect(phase == .closing(.goodbye) && phase.canWrite)
    #expect(phase.flushed(waiting: 0) == .skipReceivedAndEnd)
  }

  @Test func `keeps what the owner did while it was connecting`() {
    var phase = SocketPhase.connecting(.lookup, .open)
    #expect(phase.lookedUp(hasUnsent: false) == .connect)
    #expect(phase.shutDownWriting() == true)
    phase.beganHandshake()
    phase.connected()
    #expect(phase == .open(.ending, .idle))
  }

  @Test(arguments: [
    (SocketPhase.connecting(.handshake, .open), false, SocketPhase.Abort.reset),
    (.closing(.connecting(.lookup)), false, .reset), (.open(.open, .idle), true, .reset),
    (.open(.full, .ended), false, .resetWhenArrived), (.closing(.goodbye), true, .reset),
    (.closing(.goodbye), false, .resetWhenArrived), (.closing(.reset), true, .nothing),
    (.closed, true, .nothing),
  ])
  func `resets when all has arrived`(
    before: SocketPhase, hasArrived: Bool, decision: SocketPhase.Abort
  ) {
    var phase = before
    #expect(phase.abort(hasArrived: hasArrived) == decision)
    #expect(phase == (decision == .resetWhenArrived ? .closing(.reset) : before))
  }

  @Test func `reads what came before the system stopped writing, and then fails`() {
    var phase = SocketPhase.open(.full, .idle)
    #expect(phase.writingBroke(.reset) == .read)
    #expect(phase.canRead && !phase.canSend && phase.writeFailure == .reset)
    var drained = phase
    #expect(drained.readAll() == .reset)
    guard case .fail(.reset) = phase.receivedEnd() else {
      Issue.record("the failure is lost")
      return
    }
  }

  @Test(arguments: [
    (SocketPhase.open(.open, .ended), SocketPhase.WritingBroke.fail),
    (.closing(.goodbye), .end), (.closing(.reset), .end),
  ])
  func `ends at once when nothing is left to read`(
    before: SocketPhase, decision: SocketPhase.WritingBroke
  ) {
    var phase = before
    #expect(phase.writingBroke(.reset) == decision)
  }

  @Test func `is readable until the end, and only while it is open`() {
    var phase = SocketPhase.open(.open, .idle)
    #expect(!phase.canRead && phase.expectsBytes)
    #expect(phase.becameReadable() == true)
    #expect(phase.canRead)
    #expect(phase.readAll() == nil)
    #expect(phase == .open(.open, .idle))
    _ = phase.receivedEnd()
    #expect(phase.becameReadable() == false)
    #expect(phase.hasReceivedEnd)
    #expect(!phase.expectsBytes)
    for var other in [SocketPhase.closing(.goodbye), .closed, .connecting(.handshake, .open)] {
      #expect(other.becameReadable() == false)
    }
  }

  @Test func `keeps the first failure`() {
    var phase = SocketPhase.open(.broken(.timedOut), .ready)
    phase.readingBroke(.reset)
    #expect(phase.writeFailure == .timedOut)
    phase = .open(.open, .ready)
    phase.readingBroke(.reset)
    #expect(phase.writeFailure == .reset)
  }
}
