import Dispatch
import Reactors
import ScenarioTesting
import Testing

/// What does not fit is said before anything runs, with both sides by name.
@Suite struct MismatchTests {
  private static let text = """
    scenario: A counter
    reactors:
      counter:
        state: { count: 0 }
        actions:
          increment: [{ set: { count: "${count + 1}" } }]
          add: { params: [amount], steps: [{ set: { count: "${count + amount}" } }] }
    steps:
      - send: counter.increment
      - expect: { counter.count: 1 }
      - send: { counter.add: 2 }
      - expect: { counter.count: 3 }
    """

  @Observable
  final class Counter: Reactor {
    enum Action: Decodable {
      case increment
      case add(Int)
    }
    struct State { var count = 0 }
    private(set) var state = State()

    func action(_ action: Action) async {
      switch action {
      case .increment: state.count += 1
      case .add(let amount): state.count += amount
      }
    }
  }

  @Observable
  final class Incrementer: Reactor {
    enum SyncAction: CaseIterable { case increment, ad }
    struct State { var cuont = 0 }
    private(set) var state = State()
    func action(_ action: SyncAction) { state.cuont += 1 }
  }

  @Observable
  final class LateCounter: Reactor {
    enum Action { case increment }
    struct State { var count = 7 }
    private(set) var state = State()
    func action(_ action: Action) async { state.count += 1 }
  }

  @Observable
  final class StuckCounter: Reactor {
    enum Action: Decodable {
      case increment
      case add(Int)
    }
    struct State { var count = 0 }
    private(set) var state = State()
    private var stuck: [CheckedContinuation<Void, Never>] = []

    func action(_ action: Action) async {
      switch action {
      case .increment:
        await withCheckedContinuation { stuck.append($0) }
        state.count += 1
      case .add: continueElsewhere()
      }
    }

    /// Lets another thread continue, and waits until it has.
    private func continueElsewhere() {
      let done = DispatchSemaphore(value: 0)
      let waiting = stuck
      stuck = []
      DispatchQueue.global().async {
        for continuation in waiting { continuation.resume() }
        done.signal()
      }
      done.wait()
    }

    isolated deinit { for continuation in stuck { continuation.resume() } }
  }

  private func failures(
    _ text: String = text, _ bind: (Stage) -> Void
  ) async throws -> [String] {
    let stage = Stage()
    bind(stage)
    let scenario = try #require(Scenarios(text: text).first)
    return await stage.outcome(of: scenario).failures.map {
      "\($0.line):\($0.column) \($0.id) \(headline($0.report))"
    }
  }

  /// The message and the help of a report.
  private func headline(_ report: String) -> String {
    report.split(separator: "\n").filter { $0.hasPrefix("error") || $0.contains("help") }
      .map { line in
        line.hasPrefix("error")
          ? String(line.drop { $0 != ":" }.dropFirst(2))
          : String(line.drop { " =".contains($0) }.dropFirst("help".count).drop { $0 == " " })
      }.joined(separator: " | ")
  }

  @Test func `an object that fits has nothing to say`() async throws {
    #expect(try await failures { $0.bind("counter") { _ in Counter() } } == [])
  }

  @Test func `a part that is not there`() async throws {
    let found = try await failures { $0.bind("conuter") { _ in Counter() } }
    #expect(
      found == [
        "1:11 subject-mismatch Swift binds the reactor `conuter`, which the scenario does not have"
          + " | did you mean `counter`?"
      ])
  }

  @Test func `a part that is bound twice names both places`() async throws {
    let found = try await failures { stage in
      stage.bind("counter", file: "Tests/A.swift", line: 3) { _ in Counter() }
      stage.bind("counter", file: "Tests/B.swift", line: 7) { _ in Counter() }
    }
    #expect(
      found == [
        "1:11 subject-mismatch Swift binds the reactor `counter` twice: at Tests/A.swift:3,"
          + " and at Tests/B.swift:7 | remove one of the two: a part is played by one object"
      ])
  }

  @Test func `a failure has the line that runs this test again`() async throws {
    let stage = Stage()
    stage.bind("counter") { _ in Counter() }
    let text = Self.text.replacing("counter.count: 3", with: "counter.count: 4")
    let scenario = try #require(Scenarios(text: text).first)
    let report = await stage.outcome(of: scenario).report
    let name = "a failure has the line that runs this test again"
    #expect(report.contains("swift test --filter 'ScenarioTestingTests.*\(name)'"), "\(report)")
    #expect(!report.contains("rehearse run"))
  }

  @Test func `actions and members that the Swift types lack`() async throws {
    let found = try await failures { $0.bind("counter") { _ in Incrementer() } }
    #expect(
      found == [
        "4:14 subject-mismatch the scenario reads `counter.count`, and `Incrementer.State` has no"
          + " member `count` | did you mean `cuont`?",
        "11:13 subject-mismatch the scenario sends `counter.add`, and `Incrementer.Action` has no"
          + " case `add` | did you mean `ad`?",
      ])
  }

  @Test func `actions that cannot be made, and another beginning`() async throws {
    let found = try await failures { $0.bind("counter") { _ in LateCounter() } }
    #expect(found.count == 2)
    #expect(found.allSatisfy { $0.contains("make `LateCounter.Action` `Decodable`") })
  }

  @Test func `an endpoint that the object uses and the scenario lacks`() async throws {
    let found = try await failures { stage in
      stage.bind("counter") { context in
        _ = context.http("api")
        return Counter()
      }
    }
    #expect(
      found == [
        "1:11 subject-mismatch the Swift object of `counter` uses the endpoint `api`, which the"
          + " scenario does not have | the scenario has none"
      ])
  }

  @Test func `a payload that does not fit`() async throws {
    let text = Self.text.replacing("counter.add: 2", with: "counter.add: two")
    let found = try await failures(text) { $0.bind("counter") { _ in Counter() } }
    #expect(
      found.first?.contains(
        "the payload of `counter.add` does not fit `Counter.Action`: `add._0`: a whole number is"
          + " needed, not two") == true, "\(found)")
  }

  @Test func `a step that loads into the state of an object`() async throws {
    let text =
      Self.text.replacing("reactors:", with: "providers: { nine: { items: [9] } }\nreactors:")
      + "\n  - load: { counter.count: nine }\n  - ignore: [counter.count]"
    let found = try await failures(text) { $0.bind("counter") { _ in Counter() } }
    #expect(found.count == 1, "\(found)")
  }

  @Test func `an action that nothing continues`() async throws {
    let found = try await failures { $0.bind("counter") { _ in StuckCounter() } }
    #expect(
      found.last?.hasPrefix(
        "6:7 subject-waits-outside the action `counter.increment` of `StuckCounter` waits for"
          + " something that nothing in the scenario continues") == true, "\(found)")
  }

  @Test func `an action that another thread continues`() async throws {
    let text = Self.text.replacing("  - expect: { counter.count: 1 }\n", with: "")
    let found = try await failures(text) { $0.bind("counter") { _ in StuckCounter() } }
    #expect(
      found.last?.hasPrefix(
        "6:7 subject-waits-outside another thread continued the action `counter.increment` of"
          + " `StuckCounter`") == true, "\(found)")
  }

  @Test func `a folder without scenarios is a scenario that fails`() async throws {
    let scenarios = Scenarios(in: "no/such/folder")
    #expect(scenarios.count == 1)
    let outcome = await Stage().outcome(of: try #require(scenarios.first))
    #expect(outcome.failures.map(\.id) == ["scenarios-not-found"])
  }
}
