import JSONCoding
import Publishers
import Testing

private struct Refused: Error, Equatable {}

private struct Named: Error, Equatable, Codable {
  var name: String
}

/// Lines in memory.
private final class Lines: TextOutputStream {
  private var text = ""
  var lines: [Substring] { text.split(separator: "\n") }
  func write(_ string: String) { text += string }
}

/// A coder of numbers as text.
private struct NumberText: TopLevelEncoder, TopLevelDecoder {
  func encode<Item: Encodable>(_ value: Item) throws -> String { "\(value)" }
  func decode<Item: Decodable>(_ type: Item.Type, from data: String) throws -> Item {
    guard let number = Int(data) as? Item else { throw Refused() }
    return number
  }
}

/// A scheduler of a program, which cancels a job when its token is dropped.
private final class Droppy: PublisherScheduler {
  private var jobs: [() -> Void] = []
  var now: Int64 { 0 }

  func schedule(after delay: Int64, _ job: @escaping () -> Void) -> any Cancellable {
    var waiting: (() -> Void)? = job
    jobs.append { waiting?() }
    return AnyCancellable { waiting = nil }
  }

  func run() {
    while !jobs.isEmpty { jobs.removeFirst()() }
  }
}

@Suite struct CombineSurfaceTests {
  /// Returns the values and the end of a publisher, as text.
  private func events<P: Publisher>(_ publisher: P) -> [String] {
    var events: [String] = []
    let token = publisher.sink(
      receiveCompletion: { completion in
        switch completion {
        case .finished: events.append("finished")
        case .failure(let error): events.append("\(error)")
        }
      }, receiveValue: { events.append("\($0)") })
    token.cancel()
    return events
  }

  @Test func `a failure is followed by another publisher, or by what the handler throws`() {
    let failing = Fail(outputType: Int.self, failure: Refused())
    #expect(events(failing.tryCatch { _ in Just(1) }) == ["1", "finished"])
    #expect(events(failing.tryCatch { error -> Just<Int> in throw error }) == ["Refused()"])
  }

  @Test func `print writes a line for each event`() {
    let lines = Lines()
    _ = events([1, 2].publisher.print("numbers", to: lines))
    #expect(lines.lines.count == 5)
    #expect(lines.lines[0].hasPrefix("numbers: receive subscription: ("))
    #expect(
      lines.lines.dropFirst() == [
        "numbers: request unlimited", "numbers: receive value: (1)",
        "numbers: receive value: (2)", "numbers: receive finished",
      ])
  }

  @Test func `print writes the number of a request, and marks one that answers a value`() {
    let lines = Lines()
    let recorder = Recorder<Int, Never>(.max(2)) { _ in }
    recorder.more = .max(1)
    [1].publisher.print(to: lines).receive(subscriber: recorder)
    #expect(
      lines.lines.dropFirst() == [
        "request max: (2)", "receive value: (1)", "request max: (1) (synchronous)",
        "receive finished",
      ])
  }

  @Test(arguments: [nil, "late"])
  func `a recording is written and read as in Combine`(_ failure: String?) throws {
    let record = Record<Int, Named>(
      output: [1, 2], completion: failure.map { .failure(Named(name: $0)) } ?? .finished)
    let bytes = try encodeJSON(record)
    let end =
      failure.map { #"{"success":false,"error":{"name":"\#($0)"}}"# } ?? #"{"success":true}"#
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"recording":{"output":[1,2],"completion":\#(end)}}"#)
    let read = try decodeJSON(Record<Int, Named>.self, from: bytes)
    #expect(read.recording == record.recording)
  }

  @Test func `a breakpoint that no event meets lets everything pass`() {
    let publisher = [1, 2].publisher.breakpoint(receiveOutput: { $0 > 5 }).breakpointOnError()
    #expect(events(publisher) == ["1", "2", "finished"])
  }

  @Test func `a failure that was ruled out ends the program`() async {
    #expect(events([1].publisher.assertNoFailure()) == ["1", "finished"])
    await #expect(processExitsWith: .failure) {
      _ = Fail(outputType: Int.self, failure: Refused()).assertNoFailure("never").sink { _ in }
    }
  }

  @Test func `values are encoded and decoded by any coder`() {
    #expect(events([1, 2].publisher.encode(encoder: NumberText())) == ["1", "2", "finished"])
    let texts = ["7", "x", "8"].publisher
    #expect(events(texts.decode(type: Int.self, decoder: NumberText())) == ["7", "Refused()"])
  }

  @Test func `members of values are emitted together`() {
    let texts = ["ab", "c"].publisher
    #expect(events(texts.map(\.count, \.isEmpty)) == ["(2, false)", "(1, false)", "finished"])
    #expect(events(texts.map(\.count)) == ["2", "1", "finished"])
    #expect(events(texts.map(\.count, \.first, \.isEmpty)).count == 3)
  }

  @Test func `optionals, results and recordings are publishers`() {
    #expect(events(Int?.some(1).publisher) == ["1", "finished"])
    #expect(events(Int?.none.publisher) == ["finished"])
    #expect(events(Result<Int, Refused>.success(1).publisher) == ["1", "finished"])
    #expect(events(Result<Int, Refused>.failure(Refused()).publisher) == ["Refused()"])
    let record = Record<Int, Refused> { recording in
      recording.receive(1)
      recording.receive(2)
      recording.receive(completion: .failure(Refused()))
    }
    #expect(events(record) == ["1", "2", "Refused()"])
  }

  @Test func `a merge has Combine's name for each number of publishers`() {
    let one = Just(1)
    #expect(events(Publishers.Merge3(one, Just(2), [3, 4].publisher)).count == 5)
    #expect(events(Publishers.Merge4(one, one, Just(2), one)).count == 5)
    #expect(events(Publishers.Merge5(one, one, one, Just(2), one)).count == 6)
    #expect(events(Publishers.Merge6(one, one, one, one, Just(2), one)).count == 7)
    #expect(events(Publishers.Merge7(one, one, one, one, one, one, [3, 4].publisher)).count == 9)
    let end = ["1", "1", "1", "1", "1", "1", "1", "2", "finished"]
    #expect(events(Publishers.Merge8(one, one, one, one, one, one, one, Just(2))) == end)
  }

  @Test func `five to eight publishers are merged`() {
    let one = Just(1)
    let two = [2].publisher
    #expect(events(one.merge(with: two, one, two, one)).count == 6)
    #expect(events(one.merge(with: two, one, two, one, two)).count == 7)
    #expect(events(one.merge(with: two, one, two, one, two, one)).count == 8)
    #expect(
      events(one.merge(with: two, one, two, one, two, one, two))
        == ["1", "2", "1", "2", "1", "2", "1", "2", "finished"])
  }

  @Test func `a subscription is a job of the scheduler`() {
    let scheduler = VirtualScheduler()
    var heard: [Int] = []
    let token = [1, 2].publisher.subscribe(on: scheduler).sink { heard.append($0) }
    #expect(heard.isEmpty)
    scheduler.run()
    #expect(heard == [1, 2])
    token.cancel()
  }

  @Test func `the values of a publisher can be awaited`() async throws {
    var heard: [Int] = []
    for await value in [1, 2].publisher.values { heard.append(value) }
    #expect(heard == [1, 2])
    let failing = Record(output: [3], completion: Completion.failure(Refused()))
    await #expect(throws: Refused.self) {
      for try await value in failing.values { #expect(value == 3) }
    }
  }

  @Test func `a scheduler whose tokens cancel when they are dropped loses no value`() {
    let scheduler = Droppy()
    var heard: [Int] = []
    var hasFinished = false
    let token = [1, 2, 3].publisher.receive(on: scheduler)
      .sink(receiveCompletion: { _ in hasFinished = true }, receiveValue: { heard.append($0) })
    scheduler.run()
    #expect(heard == [1, 2, 3])
    #expect(hasFinished)
    token.cancel()
  }

  @Test func `demand is compared and multiplied as in Combine`() {
    #expect(Demand.max(2) == 2 && Demand.max(2) != 3 && Demand.max(2) < 3 && 1 < Demand.max(2))
    #expect(Demand.unlimited > Int.max && Demand.unlimited != Int.max && 5 <= Demand.unlimited)
    #expect(Demand.unlimited * 0 == .unlimited)
    #expect(Demand.max(2) * 3 == 6 && Demand.max(2) - 5 == Demand.none)
  }
}
