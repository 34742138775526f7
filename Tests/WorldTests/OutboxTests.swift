import Testing

@testable import World

struct `an outbox` {
  final class Log {
    var lines: [String] = []
  }

  let log = Log()

  func box(_ events: [TransportEvent] = [], hasHandler: Bool = true) -> Outbox {
    var box = Outbox()
    if hasHandler { box.setHandler { [log] in log.lines.append("\($0)") } }
    for event in events { box.append(event) }
    return box
  }

  /// What comes out of an outbox now.
  func deliveries(_ box: inout Outbox) -> [TransportEvent] {
    var events: [TransportEvent] = []
    while let delivery = box.next() { events.append(delivery.event) }
    return events
  }

  @Test(arguments: [
    TransportEvent.connected, .received([1]), .ended, .writable, .failed(.reset),
  ])
  func `passes an event on when nothing waits`(_ event: TransportEvent) {
    var box = box()
    box.pass(event)?(event)
    #expect(log.lines == ["\(event)"])
    #expect(deliveries(&box) == [])
  }

  @Test func `keeps events until there is a handler, in order`() {
    let events: [TransportEvent] = [.connected, .received([1]), .writable, .ended]
    var box = box(hasHandler: false)
    for event in events { #expect(box.pass(event) == nil) }
    #expect(box.needsJob() == false)
    box.setHandler { _ in }
    #expect(box.needsJob() == true)
    #expect(deliveries(&box) == events)
  }

  @Test func `holds back bytes and their end, and lets other events overtake them`() {
    var box = box()
    box.isReceiving = false
    #expect(box.pass(.received([1])) == nil)
    #expect(box.pass(.ended) == nil)
    #expect(box.pass(.writable) != nil)
    #expect(box.needsJob() == false)
    box.append(.writable)
    #expect(deliveries(&box) == [.writable])
    box.isReceiving = true
    #expect(deliveries(&box) == [.received([1]), .ended])
  }

  @Test func `never lets an urgent event overtake an urgent one`() {
    var box = box([.connected])
    #expect(box.pass(.writable) == nil)
    #expect(deliveries(&box) == [.connected, .writable])
  }

  @Test func `drops all that waits for a failure, except that there was a connection`() {
    var box = box(
      [.connected, .received([1]), .ended, .writable, .failed(.reset), .received([2])])
    box.append(.failed(.refused))
    #expect(deliveries(&box) == [.connected, .failed(.reset)])
    #expect(!box.isOpen && box.handler == nil)
  }

  @Test func `accepts nothing after a failure was delivered or its owner has left`() {
    var failed = box()
    #expect(failed.pass(.failed(.reset)) != nil)
    var left = box([.received([1])])
    left.close()
    for event in [TransportEvent.received([1]), .failed(.reset)] {
      #expect(failed.pass(event) == nil)
      #expect(left.pass(event) == nil)
      failed.append(event)
      left.append(event)
    }
    failed.setHandler { _ in }
    left.setHandler { _ in }
    #expect(failed.handler == nil && left.handler == nil)
    #expect(deliveries(&failed) == [])
    #expect(deliveries(&left) == [])
  }

  @Test func `asks for one job at a time, and only for what can be delivered`() {
    var box = box()
    #expect(box.needsJob() == false)
    box.append(.connected)
    #expect(box.needsJob() == true)
    #expect(box.needsJob() == false)
    #expect(box.claimsJob() == false)
    box.jobBegan()
    #expect(box.claimsJob() == true)
    box.jobBegan()
    box.close()
    #expect(box.claimsJob() == false)
  }

  @Test func `may be used while an old handler is freed`() {
    final class Owner {
      var box = Outbox()
    }
    final class Guest {
      let owner: Owner
      init(_ owner: Owner) { self.owner = owner }
      deinit { owner.box.close() }
    }
    let owner = Owner()
    owner.box.setHandler { [guest = Guest(owner)] _ in _ = guest }
    owner.box.setHandler(nil)
    #expect(!owner.box.isOpen)
  }
}
