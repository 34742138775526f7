import Protocols

/// One request and its whole answer, on a connection of its own. One thread uses it.
package final class RequestDriver {
  /// The limits of a request.
  package struct Limits: Sendable {
    /// The longest time to the end of the answer in microseconds; nil for no limit.
    package var time: Int64?
    /// The most bytes of the answer's body.
    package var bytes: Int

    package init(time: Int64?, bytes: Int) {
      self.time = time
      self.bytes = bytes
    }
  }

  private let environment: ClientEnvironment
  private let request: HTTPRequest
  private let limits: Limits
  private let onOutcome: (Result<HTTPResponse, EventStreamError>) -> Void
  private let deadline: ConnectionTimer
  private var attempt: StreamAttempt?
  private var response: HTTPResponse?
  private var isOver = false

  package init(
    environment: ClientEnvironment, _ request: HTTPRequest, _ limits: Limits,
    onOutcome: @escaping (Result<HTTPResponse, EventStreamError>) -> Void
  ) {
    self.environment = environment
    self.request = request
    self.limits = limits
    self.onOutcome = onOutcome
    deadline = ConnectionTimer(environment)
  }

  deinit { cancel() }

  package func begin() {
    let attempt = StreamAttempt(
      environment, environment.address(request),
      accepting: { [weak self] head in
        self?.response = head
        return nil
      }, onOutcome: { [weak self] in self?.receive($0) })
    self.attempt = attempt
    if let time = limits.time {
      deadline.set(time) { [weak self] in self?.end(.failure(.idleTimeout)) }
    }
    attempt.begin()
  }

  /// Closes the connection without any callback.
  package func cancel() {
    isOver = true
    deadline.stop()
    attempt?.close()
    attempt = nil
  }

  private func receive(_ outcome: StreamAttempt.Outcome) {
    switch outcome {
    case .opened: break
    case .received(let bytes): append(bytes)
    case .ended: end(response.map { .success($0) } ?? .failure(.connection(.lost)))
    case .failed(let error): end(.failure(error))
    }
  }

  private func append(_ bytes: [UInt8]) {
    if let count = response?.body.count, count + bytes.count > limits.bytes {
      return end(.failure(.eventTooLarge))
    }
    response?.body.append(contentsOf: bytes)
  }

  private func end(_ outcome: Result<HTTPResponse, EventStreamError>) {
    guard !isOver else { return }
    cancel()
    onOutcome(outcome)
  }
}
