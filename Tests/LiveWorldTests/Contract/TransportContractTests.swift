import Testing
import World

@testable import LiveWorld

private let megabyte = [UInt8](repeating: 7, count: 1 << 20)

/// What every transport owes its owner, whatever carries the bytes.
@Suite struct `every transport` {
  @Test(arguments: transportCandidates)
  func `carries bytes both ways, in order, from before it is connected`(
    _ candidate: TransportCandidate
  ) throws {
    let lab = try TransportLab(candidate)
    for text in ["one ", "two ", "three"] { #expect(lab.near.send(text)) }
    #expect(lab.near.events == [])
    let far = try lab.connected()
    for text in ["four ", "five ", "six"] { far.send(text) }
    #expect(lab.run { far.text == "one two three" && lab.near.text == "four five six" })
    #expect(lab.near.events == ["connected", "bytes"])
    #expect(lab.near.breaches == [])
  }

  @Test(arguments: transportCandidates)
  func `keeps events for a handler that comes later`(_ candidate: TransportCandidate) throws {
    let lab = try TransportLab(candidate, listens: false)
    #expect(lab.run { lab.far != nil })
    lab.settle()
    lab.far?.send("hello")
    lab.far?.transport.shutDownWriting()
    lab.settle()
    lab.near.listen()
    #expect(lab.near.events == [])
    #expect(lab.run { lab.near.events == ["connected", "bytes", "ended"] })
    #expect(lab.near.text == "hello")
    #expect(lab.near.breaches == [])
  }

  @Test(arguments: transportCandidates)
  func `keeps a failure for a handler that comes later`(_ candidate: TransportCandidate) throws {
    let lab = try TransportLab(candidate, listens: false)
    // Before both sides have agreed on keys, the failure would be that of the agreement.
    #expect(lab.run { lab.far != nil && lab.near.transport.stage == .open })
    lab.settle()
    lab.far?.transport.abort()
    lab.settle()
    lab.near.listen()
    #expect(lab.near.events == [])
    #expect(lab.run { lab.near.events == ["connected", "failed: reset"] })
    lab.settle()
    #expect(lab.near.events == ["connected", "failed: reset"])
    #expect(lab.near.breaches == [])
  }

  @Test(arguments: transportCandidates, [true, false])
  func `knows at its end whether the other side had received all`(
    _ candidate: TransportCandidate, isReceived: Bool
  ) throws {
    let lab = try TransportLab(candidate)
    let far = try lab.connected()
    let near = try #require(lab.near)
    var isUnconfirmed: Bool?
    near.then = { [unowned near] event in
      switch event {
      case .ended, .halfClosed, .failed:
        isUnconfirmed = isUnconfirmed ?? near.transport.hasUnconfirmedBytes
      case .connected, .received, .writable: break
      }
    }
    if !isReceived { far.transport.close() }
    near.send("request")
    if isReceived {
      #expect(lab.run { far.text == "request" })
      far.transport.close()
    }
    #expect(lab.run { isUnconfirmed != nil })
    #expect(isUnconfirmed == !isReceived)
  }

  @Test(arguments: transportCandidates.filter(\.isReal))
  func `sees what has come before it reports it`(_ candidate: TransportCandidate) throws {
    let lab = try TransportLab(candidate)
    let far = try lab.connected()
    #expect(!lab.near.transport.hasUnreportedInput)
    far.transport.close()
    #expect(lab.run { lab.near.transport.hasUnreportedInput })
  }

  @Test(arguments: transportCandidates)
  func `may be called from inside its events`(_ candidate: TransportCandidate) throws {
    let lab = try TransportLab(candidate)
    let near = try #require(lab.near)
    near.then = { [unowned near] event in
      switch event {
      case .connected: near.send("a")
      case .received:
        near.setReceiving(false)
        near.setReceiving(true)
        near.send("b")
      case .ended, .halfClosed: near.shutDownWriting()
      case .writable, .failed: break
      }
    }
    let far = try lab.connected()
    #expect(lab.run { far.text == "a" })
    far.send("1")
    #expect(lab.run { far.text == "ab" })
    far.transport.shutDownWriting()
    #expect(lab.run { far.isOver })
    #expect(near.events == ["connected", "bytes", "ended"])
    #expect(near.breaches == [])
  }

  @Test(arguments: transportCandidates)
  func `holds bytes and their end back until its owner receives`(
    _ candidate: TransportCandidate
  ) throws {
    let lab = try TransportLab(candidate)
    lab.near.setReceiving(false)
    let far = try lab.connected()
    far.send("one ")
    far.send("two")
    far.transport.shutDownWriting()
    lab.settle()
    #expect(lab.near.events == ["connected"])
    lab.near.setReceiving(true)
    #expect(lab.near.events == ["connected"])
    #expect(lab.run { lab.near.events == ["connected", "bytes", "ended"] })
    #expect(lab.near.text == "one two")
    #expect(lab.near.breaches == [])
  }

  @Test(arguments: transportCandidates)
  func `reports a failure also to an owner that holds bytes back`(
    _ candidate: TransportCandidate
  ) throws {
    let lab = try TransportLab(candidate)
    let far = try lab.connected()
    lab.near.setReceiving(false)
    lab.settle()
    far.send("lost")
    lab.settle()
    far.transport.abort()
    #expect(lab.run { lab.near.events == ["connected", "failed: reset"] })
    lab.near.setReceiving(true)
    lab.settle()
    #expect(lab.near.events == ["connected", "failed: reset"])
    #expect(lab.near.breaches == [])
  }

  @Test(arguments: transportCandidates, [false, true])
  func `asks a fast sender to wait, and lets it go on once`(
    _ candidate: TransportCandidate, isEarly: Bool
  ) throws {
    let lab = try TransportLab(candidate)
    if !isEarly { try lab.connected().transport.isReceiving = false }
    var sent = 1
    while sent < 40, lab.near.send(megabyte) { sent += 1 }
    #expect(sent < 40)
    #expect(lab.near.count(of: "writable") == 0)
    let far = try lab.connected()
    far.transport.isReceiving = true
    #expect(lab.run { far.received.count == sent << 20 })
    #expect(lab.run { lab.near.count(of: "writable") == 1 })
    lab.settle()
    #expect(lab.near.events == ["connected", "writable"])
    #expect(lab.near.send("more"))
    #expect(lab.near.breaches == [])
  }

  @Test(arguments: transportCandidates)
  func `breaks under a sender that never waits`(_ candidate: TransportCandidate) throws {
    let lab = try TransportLab(candidate)
    let much = [UInt8](repeating: 7, count: 24 << 20)
    for _ in 0..<4 { lab.near.send(much) }
    #expect(!lab.near.send("more"))
    #expect(lab.near.events == [])
    #expect(lab.run { lab.near.events.last == "failed: overfull" })
    lab.settle()
    #expect(lab.near.count(of: "failed: overfull") == 1)
    #expect(lab.near.breaches == [])
  }

  @Test(arguments: transportCandidates)
  func `leaves the other direction open when writing is shut down`(
    _ candidate: TransportCandidate
  ) throws {
    let lab = try TransportLab(candidate)
    let far = try lab.connected()
    lab.near.send("question")
    lab.near.shutDownWriting()
    #expect(!lab.near.send("too late"))
    #expect(lab.run { far.isOver })
    #expect(far.text == "question" && far.failure == nil)
    far.send("answer")
    far.transport.shutDownWriting()
    #expect(lab.run { lab.near.events == ["connected", "bytes", "ended"] })
    #expect(lab.near.text == "answer")
    #expect(lab.near.breaches == [])
  }

  @Test(arguments: transportCandidates)
  func `that is aborted resets the other side behind what was sent, and reports nothing more`(
    _ candidate: TransportCandidate
  ) throws {
    let lab = try TransportLab(candidate)
    let far = try lab.connected()
    lab.near.send("last words")
    lab.near.abort()
    #expect(!lab.near.send("too late"))
    far.send("reply")
    #expect(lab.run { far.failure != nil })
    #expect(far.failure == .reset && far.text == "last words")
    lab.near.abort()
    lab.near.close()
    lab.settle()
    #expect(lab.near.events == ["connected"])
    #expect(lab.near.breaches == [])
  }

  @Test(arguments: transportCandidates)
  func `that is closed delivers what was sent, then the end, and answers bytes with a reset`(
    _ candidate: TransportCandidate
  ) throws {
    let lab = try TransportLab(candidate)
    let far = try lab.connected()
    for _ in 0..<3 { lab.near.send(megabyte) }
    lab.near.close()
    #expect(!lab.near.send("too late"))
    #expect(lab.run { far.isOver })
    #expect(far.received.count == 3 << 20 && far.lines.last == "ended")
    lab.settle()
    far.send("too late")
    #expect(lab.run { far.failure == .reset })
    lab.near.close()
    lab.settle()
    #expect(lab.near.events == ["connected"])
    #expect(lab.near.breaches == [])
  }

  @Test(arguments: transportCandidates)
  func `that is closed before it is connected still delivers what was sent`(
    _ candidate: TransportCandidate
  ) throws {
    let lab = try TransportLab(candidate)
    lab.near.send("in a hurry")
    lab.near.close()
    #expect(lab.run { lab.far?.isOver == true })
    #expect(lab.far?.text == "in a hurry" && lab.far?.failure == nil)
    lab.settle()
    #expect(lab.near.events == [] && lab.near.breaches == [])
  }

  @Test(arguments: transportCandidates)
  func `reports the other side's reset last, once, and behind the bytes`(
    _ candidate: TransportCandidate
  ) throws {
    let lab = try TransportLab(candidate)
    let far = try lab.connected()
    far.send("bye")
    far.transport.abort()
    #expect(lab.run { lab.near.events.last == "failed: reset" })
    #expect(lab.near.text == "bye")
    #expect(!lab.near.send("too late"))
    lab.near.shutDownWriting()
    lab.settle()
    lab.near.close()
    lab.settle()
    #expect(lab.near.events == ["connected", "bytes", "failed: reset"])
    #expect(lab.near.breaches == [])
  }

  @Test(arguments: transportCandidates)
  func `reports nothing when its network is discarded, and is freed`(
    _ candidate: TransportCandidate
  ) throws {
    let lab = try TransportLab(candidate)
    let far = try lab.connected()
    far.send("never read")
    lab.discardAll()
    lab.settle()
    #expect(lab.near.events == ["connected"] && lab.near.breaches == [])
    lab.near.close()
    weak let freed = lab.near.transport
    lab.dropNear()
    lab.scheduler.discardAll()
    #expect(freed == nil)
  }
}
