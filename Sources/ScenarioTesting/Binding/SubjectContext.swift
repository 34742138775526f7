import Reactors
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

  /// Returns random numbers that are the same in each run with one seed.
  public func randomNumbers() -> some RandomNumberGenerator { world.randomNumbers(for: part) }
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
