import Publishers
import ScenarioPlan
import VirtualTime

/// The parts of a run that an object may use: its clock, its endpoints, its random numbers.
@MainActor
public struct SubjectContext: Sendable {
  let world: SubjectWorld
  /// The name of the part that the object plays.
  let part: String

  /// The scenario's clock.
  public let clock = VirtualClock()

  /// Returns the client of an endpoint. Its requests reach the scenario's endpoint as events.
  ///
  /// A name that the scenario does not have is an error before the run.
  public func http(_ endpoint: String) -> EndpointClient {
    EndpointClient(world: world, endpoint: world.endpoint(named: endpoint, for: part))
  }

  /// Emits a named event, as the step `emit` does: it is an event of `NAME.events` and of `events`.
  public func emit(_ name: String, _ payload: Any? = nil) {
    world.emit(name, payload.map { Value(reflecting: $0) } ?? .null, by: part)
  }

  /// Returns the value of a parameter of the component that the object plays.
  ///
  /// A name that the component does not have is an error before the run, as for `http`.
  public func parameter(_ name: String) -> Value { world.parameter(named: name, for: part) }

  /// Returns a node of the scenario, or of the component that the object plays, to be read later.
  public func node(_ name: String) -> StageNode {
    StageNode(world: world, node: world.node(named: name, for: part))
  }

  /// The calendar time of the scenario, which begins at its `clock`.
  public var calendarTime: Timestamp { world.environment?.calendarTime ?? Timestamp(seconds: 0) }

  /// The scheduler of publishers in virtual time. Its jobs run on the main actor.
  public var scheduler: SubjectScheduler { SubjectScheduler(world: world) }

  /// Lets a publisher emit the events of one of the component's streams, in place of its rule.
  public func feed<P: Publisher>(_ stream: String, from publisher: P) {
    world.feed(stream, for: part) { ScenarioTesting.feed(from: publisher, to: $0) }
  }

  /// Returns random numbers that are the same in each run with one seed.
  public func randomNumbers() -> some RandomNumberGenerator { world.randomNumbers(for: part) }
}

/// A node that a Swift object reads.
@MainActor
public struct StageNode: Sendable {
  let world: SubjectWorld
  let node: NodeID?

  /// The present value; null before and after the run.
  public var value: Value { node.flatMap { world.environment?.value(of: $0) } ?? .null }
}

/// The scheduler of publishers in the scenario's virtual time.
public struct SubjectScheduler: PublisherScheduler {
  let world: SubjectWorld

  /// True: the run keeps the jobs that wait.
  public static var keepsJobs: Bool { true }

  /// The time since the beginning of the run, in microseconds.
  public var now: Int64 { world.environment?.now ?? 0 }

  /// Runs the job once, after a delay in microseconds. Jobs from before the run wait for it.
  @discardableResult
  public func schedule(after delay: Int64, _ job: @escaping () -> Void) -> any Cancellable {
    let scheduled = ScheduledJob(job)
    world.schedule(scheduled, after: delay)
    return scheduled
  }
}

/// A job that waits for its time.
final class ScheduledJob: Cancellable {
  private var job: (() -> Void)?
  /// Ends the timer.
  var stop: () -> Void = {}

  init(_ job: @escaping () -> Void) { self.job = job }

  func run() {
    let due = job
    job = nil
    due?()
  }

  func cancel() {
    job = nil
    stop()
    stop = {}
  }
}

/// The client of one of the scenario's endpoints.
public struct EndpointClient: Sendable {
  let world: SubjectWorld
  let endpoint: EndpointID?

  /// Asks for a path: `get("/fact?max=10")`.
  public nonisolated(nonsending) func get(
    _ path: String, headers: [String: String] = [:]
  ) async throws -> EndpointResponse {
    try await send(EndpointRequest("GET", path, headers: headers))
  }

  /// Sends a value as JSON.
  public nonisolated(nonsending) func post(
    _ path: String, json: Any, headers: [String: String] = [:]
  ) async throws -> EndpointResponse {
    try await send(EndpointRequest("POST", path, json: json, headers: headers))
  }

  /// Sends a request and returns the answer, whatever its status is.
  ///
  /// It throws `EndpointError` if no answer comes. If the task is cancelled, it leaves the request
  /// and throws `CancellationError`.
  public nonisolated(nonsending) func send(
    _ request: EndpointRequest
  ) async throws -> EndpointResponse {
    let exchange = SubjectExchange(world)
    return try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { exchange.begin(request, to: endpoint, $0) }
    } onCancel: {
      exchange.cancel()
    }
  }
}
