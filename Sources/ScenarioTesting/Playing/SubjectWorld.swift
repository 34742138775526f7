import Events
import Publishers
import ScenarioEngine
import ScenarioPlan
import Values
import VirtualTime
import World

/// The part of a run that its Swift objects reach, as long as the run lasts.
final class SubjectWorld: @unchecked Sendable {
  let plan: ScenarioPlan
  private let row: RowPlan?
  /// Nil before and after the run.
  private(set) var environment: SubjectEnvironment?
  /// Shows the states of the objects as they are now.
  private var showStates: () -> Void = {}
  private var feeds: [SourceID: @MainActor (SourceFeed) -> AnyCancellable] = [:]
  /// The jobs that were scheduled before the run.
  private var early: [(job: ScheduledJob, delay: Int64)] = []
  private(set) var mismatches: [SubjectFailure] = []
  private var exchanges: [Int: SubjectExchange] = [:]
  private var lastExchange = 0
  private let chance: SeededRandom
  /// The loops of the objects' clients, by part, in the order in which they were asked for.
  private var loops: [(part: String, loop: ScenarioLoop)] = []
  private var isOver = false

  init(_ plan: ScenarioPlan, row: RowPlan?, seed: Int) {
    self.plan = plan
    self.row = row
    chance = SeededRandom(seed: UInt64(bitPattern: Int64(seed)))
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

  /// Lets the objects reach the run.
  func begin(on environment: SubjectEnvironment, showStates: @escaping () -> Void) {
    self.environment = environment
    self.showStates = showStates
    for (_, loop) in loops { loop.begin(on: environment) }
    for (job, delay) in early { schedule(job, after: delay) }
    early = []
  }

  func endpoint(named name: String, for part: String) -> EndpointID? {
    find(name, "endpoint", plan.endpoints.map(\.name), for: part).map { EndpointID($0) }
  }

  func node(named name: String, for part: String) -> NodeID? {
    find(name, "node", plan.nodes.map(\.name), for: part).map { NodeID($0) }
  }

  func parameter(named name: String, for part: String) -> Value {
    let found = find(name, "parameter", plan.parameters.map(\.name), for: part)
    return found.map { plan.parameters[$0].value(in: row) } ?? .null
  }

  /// Finds a part of the object's component, or one of the scenario.
  private func find(
    _ name: String, _ kind: String, _ known: [String], for part: String
  ) -> Int? {
    let found = known.firstIndex(of: "\(part).\(name)") ?? known.firstIndex(of: name)
    if found == nil {
      let own = known.map { $0.hasPrefix(part + ".") ? String($0.dropFirst(part.count + 1)) : $0 }
      report(.missing(kind, name, of: own, for: part, in: plan))
    }
    return found
  }

  /// Emits a named event, after the changes that led to it.
  func emit(_ name: String, _ payload: Value, by part: String) {
    showStates()
    let value: Value = ["name": .string(name), "payload": payload]
    for source in plan.sources.withIDs where source.1.isEvents(of: part) {
      environment?.emit(source.0, value)
    }
  }

  func randomNumbers(for part: String) -> SubjectRandomNumbers {
    SubjectRandomNumbers(chance: chance.stream("subject " + part))
  }

  /// Lets a publisher or sequence emit the events of a source.
  func feed(
    _ name: String, for part: String, _ feed: @escaping @MainActor (SourceFeed) -> AnyCancellable
  ) {
    let known = plan.sources.map { $0.isFeedable ? $0.name : "" }
    if let id = find(name, "stream or source", known, for: part) { feeds[SourceID(id)] = feed }
  }

  func takeFeeds() -> [SourceID: @MainActor (SourceFeed) -> AnyCancellable] {
    defer { feeds = [:] }
    return feeds
  }

  func schedule(_ job: ScheduledJob, after delay: Int64) {
    guard let environment else { return early.append((job, delay)) }
    let (due, isNever) = environment.now.addingReportingOverflow(max(delay, 0))
    if isNever { return }
    let timer = environment.schedule(at: due) { [self] in
      job.run()
      showStates()
    }
    job.stop = { environment.cancel(timer) }
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
    showStates = {}
    early = []
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
    case .componentEvents: (part + ".").hasPrefix(name.dropLast("events".count))
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
