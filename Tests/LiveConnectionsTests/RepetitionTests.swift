import Protocols
import Testing
import World

@testable import LiveConnections

@Suite struct `A request on a connection that ends without an answer` {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var method = "POST"
    var isKept = true
    var repeatsTaken = true
    var hasAnswerBegun = false
    var failure: TransportFailure?
    var hasUnconfirmedBytes = false
    var isRepeated: Bool
  }

  static let cases = [
    Case(testDescription: "taken, and it changes something", isRepeated: false),
    Case(testDescription: "taken, and it changes nothing", method: "GET", isRepeated: true),
    Case(
      testDescription: "taken by a mock, whose log has it", method: "GET", repeatsTaken: false,
      isRepeated: false),
    Case(
      testDescription: "not taken by a mock", repeatsTaken: false, hasUnconfirmedBytes: true,
      isRepeated: true),
    Case(testDescription: "not taken", hasUnconfirmedBytes: true, isRepeated: true),
    Case(
      testDescription: "not taken, and reset", failure: .reset, hasUnconfirmedBytes: true,
      isRepeated: true),
    Case(testDescription: "taken, and reset", failure: .reset, isRepeated: false),
    Case(
      testDescription: "ended without a goodbye", method: "PUT", failure: .truncated,
      isRepeated: true),
    Case(
      testDescription: "a new connection", method: "GET", isKept: false, hasUnconfirmedBytes: true,
      isRepeated: false),
    Case(
      testDescription: "an answer that has begun", method: "GET", hasAnswerBegun: true,
      hasUnconfirmedBytes: true, isRepeated: false),
    Case(
      testDescription: "no network", method: "GET", failure: .unreachable,
      hasUnconfirmedBytes: true, isRepeated: false),
  ]

  @Test(arguments: cases) func `is sent again by one rule`(_ course: Case) {
    let rule = RepetitionRule(
      isKept: course.isKept, repeatsTaken: course.repeatsTaken,
      hasAnswerBegun: course.hasAnswerBegun)
    let request = HTTPRequest(method: course.method, target: "/")
    let isRepeated = rule.repeats(
      request, after: course.failure, hasUnconfirmedBytes: course.hasUnconfirmedBytes)
    #expect(isRepeated == course.isRepeated)
  }
}

@Suite struct `Connections that are kept` {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var lifetime: Int64?
    var promise: Int?
    var waits: Int64
    var isUsedAgain: Bool
  }

  static let cases = [
    Case(testDescription: "without a limit", waits: .max / 2, isUsedAgain: true),
    Case(testDescription: "within the lifetime", lifetime: 100, waits: 99, isUsedAgain: true),
    Case(testDescription: "after the lifetime", lifetime: 100, waits: 100, isUsedAgain: false),
    Case(testDescription: "within the promise", promise: 5, waits: 3_999_999, isUsedAgain: true),
    Case(
      testDescription: "at the end of the promise", promise: 5, waits: 4_000_000, isUsedAgain: false
    ),
    Case(testDescription: "a promise of no time", promise: 1, waits: 0, isUsedAgain: false),
    Case(testDescription: "a promise beyond all time", promise: .max, waits: 9, isUsedAgain: true),
  ]

  @Test(arguments: cases) func `serve as long as both sides keep them`(_ course: Case) {
    let scheduler = Scheduler()
    var now: Int64 = 0
    let kept = KeptConnections(lifetime: course.lifetime, most: 8, clock: .time { now })
    let pipe = MemoryPipe(on: scheduler)
    kept.put(
      KeptConnections.Kept(transport: pipe.client, http: HTTPClientConnection()),
      promise: course.promise)
    now = course.waits
    #expect((kept.take() != nil) == course.isUsedAgain)
    #expect(kept.count == 0)
  }

  @Test func `are gone when the server ends them`() {
    let scheduler = Scheduler()
    let kept = KeptConnections(lifetime: nil, most: 8, clock: .time { 0 })
    let pipe = MemoryPipe(on: scheduler)
    kept.put(
      KeptConnections.Kept(transport: pipe.client, http: HTTPClientConnection()), promise: nil)
    pipe.server.close()
    while scheduler.runNext(upTo: Scheduler.endOfTime) {}
    #expect(kept.count == 0)
  }
}
