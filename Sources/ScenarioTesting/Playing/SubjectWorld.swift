import Events
import ScenarioEngine
import ScenarioPlan
import Values
import VirtualTime
import World

/// The part of a run that its Swift objects reach, as long as the run lasts.
final class SubjectWorld: @unchecked Sendable {
  let plan: ScenarioPlan
  /// Nil before and after the run.
  private(set) var environment: SubjectEnvironment?
  private(set) var mismatches: [SubjectFailure] = []
  private var exchanges: [Int: SubjectExchange] = [:]
  private var lastExchange = 0
  private let chance: SeededRandom
  /// The loops of the objects' clients, by part, in the order in which they were asked for.
  private var loops: [(part: String, loop: ScenarioLoop)] = []
  private var isOver = false

  init(_ plan: ScenarioPlan, seed: Int) {
    self.plan = plan
    chance = SeededRandom(seed: UInt64(bitPattern: Int64(seed)))
  }

  /// Lets the objects reach the run.
  func begin(on environment: SubjectEnvironment) {
    self.environment = environment
    for (_, loop) in loops { loop.begin(on: environment) }
  }

  /// Returns the loop of the clients of a part.
  func loop(for part: String) -> ScenarioLoop {
    if let made = loops.first(where: { $0.part == part }) { return made.loop }
    let loop = ScenarioLoop(for: part, chance.stream("connections of subject " + part))
    loops.append((part, loop))
    if let environment { loop.begin(on: environment) } else if isOver { loop.end() }
    return loop
  }

  /// True if another thread used a client of the run.
  var wasUsedFromOutside: Bool { loops.contains { $0.loop.wasUsedFromOutside } }

  func report(_ mismatch: SubjectFailure) { mismatches.append(mismatch) }

  func endpoint(named name: String, for part: String) -> EndpointID? {
    let found = plan.endpoints.firstIndex { $0.name == name }
    if found == nil {
      report(.missing("endpoint", name, of: plan.endpoints.map(\.name), for: part, in: plan))
    }
    return found
  }

  func emit(_ name: String, _ payload: Value, by part: String) {
    let value: Value = ["name": .string(name), "payload": payload]
    for source in plan.sources.withIDs where source.1.isEvents(of: part) {
      environment?.emit(source.0, value)
    }
  }

  func randomNumbers(for part: String) -> SubjectRandomNumbers {
    SubjectRandomNumbers(chance: chance.stream("subject " + part))
  }

  func add(_ exchange: SubjectExchange) -> Int {
    lastExchange += 1
    exchanges[lastExchange] = exchange
    return lastExchange
  }

  func remove(_ exchange: Int) { exchanges[exchange] = nil }

  /// Ends all that waits for an answer.
  func close() {
    environment = nil
    isOver = true
    for (_, loop) in loops { loop.end() }
    for (_, exchange) in exchanges.sorted(by: { $0.key < $1.key }) { exchange.cancel() }
    exchanges = [:]
  }
}

/// The seeded random numbers of one object.
struct SubjectRandomNumbers: RandomNumberGenerator {
  fileprivate var chance: SeededRandom

  mutating func next() -> UInt64 { chance.next() }
}

extension SourcePlan {
  /// Returns whether the named events of a part appear here.
  fileprivate func isEvents(of part: String) -> Bool {
    switch kind {
    case .reactorEvents: name == part + ".events"
    case .componentEvents: part.hasPrefix(name.dropLast("events".count))
    case .allEvents: true
    case .node, .endpoint, .stream, .connection, .connectivity, .declared, .program: false
    }
  }
}

/// A request of a Swift object, until its answer has come.
final class SubjectExchange: @unchecked Sendable {
  private let world: SubjectWorld
  private let activity = VirtualActivity.current
  private var number: Int?
  private var action: SubjectAction?
  private var waiting: UnsafeContinuation<EndpointResponse, any Error>?
  private var isCancelled = false

  init(_ world: SubjectWorld) { self.world = world }

  func begin(
    _ request: EndpointRequest, to endpoint: EndpointID?,
    _ waiting: UnsafeContinuation<EndpointResponse, any Error>
  ) {
    guard let environment = world.environment, let endpoint, !isCancelled else {
      return waiting.resume(throwing: CancellationError())
    }
    self.waiting = waiting
    number = world.add(self)
    activity?.waits += 1
    action = environment.send(request.sent, to: endpoint) { [self] result in
      end(
        with: result.map(EndpointResponse.init)
          .mapError { EndpointError(scenarioValue: $0.value) })
    }
  }

  /// Leaves the request. Another thread is outside of the run, and cannot.
  func cancel() {
    guard VirtualExecutor.shared.isActive else { return }
    isCancelled = true
    action?.cancel()
    end(with: .failure(CancellationError()))
  }

  private func end(with result: Result<EndpointResponse, any Error>) {
    guard let waiting else { return }
    self.waiting = nil
    action = nil
    activity?.waits -= 1
    if let number { world.remove(number) }
    waiting.resume(with: result)
  }

  private func end(with result: Result<EndpointResponse, EndpointError>) {
    end(with: result.mapError { $0 as any Error })
  }
}
