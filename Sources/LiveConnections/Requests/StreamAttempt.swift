import Protocols
import TextSearch

/// One request and its answer, piece by piece: on a connection of its own, or on one that was kept
/// open after another answer.
final class StreamAttempt {
  /// The result of an attempt.
  enum Outcome {
    case opened
    case received([UInt8])
    case ended
    case failed(EventStreamError)
  }

  private let environment: ClientEnvironment
  private var request: RoutedRequest
  private let isAccepted: (HTTPResponse) -> EventStreamError?
  private let onOutcome: (Outcome) -> Void
  private var call: RequestCall?
  private let deadline: ConnectionTimer
  private var isOver = false
  private var rejected: RejectedAnswer
  private var rejectionError: EventStreamError?

  /// The answer that was not accepted.
  var rejection: HTTPResponse? { rejected.response }

  init(
    _ environment: ClientEnvironment, _ request: HTTPRequest, rejectionBytes: Int = 0,
    accepting isAccepted: @escaping (HTTPResponse) -> EventStreamError?,
    onOutcome: @escaping (Outcome) -> Void
  ) {
    self.environment = environment
    deadline = ConnectionTimer(environment)
    self.request = RoutedRequest(request, environment)
    self.isAccepted = isAccepted
    self.onOutcome = onOutcome
    rejected = RejectedAnswer(limit: rejectionBytes)
  }

  func begin() {
    if let time = environment.timeout {
      deadline.set(time) { [weak self] in self?.end(.failed(.connection(.timedOut))) }
    }
    send()
  }

  private func send() {
    let call = RequestCall(request.way, request.http, streams: true) { [unowned self] in receive($0)
    }
    self.call = call
    call.begin()
  }

  /// Closes the connection without any callback.
  func close() {
    isOver = true
    rejected.stop()
    deadline.stop()
    drop()
  }

  private func drop() {
    call?.cancel()
    call = nil
  }

  private func receive(_ outcome: RequestCall.Outcome) {
    switch outcome {
    case .headArrived(let head): take(head)
    case .bodyArrived(let bytes): receive(bytes)
    case .bodyEnded: end(.ended)
    case .answered(let response), .upgraded(let response):
      end(.failed(.status(response.status, reason: response.reason)))
    case .passedOn: break
    case .failed(.connection(let failure)): end(.failed(.connection(ConnectionFailure(failure))))
    case .failed(.problem(let problem)): end(.failed(.connection(ConnectionFailure(problem))))
    case .failed(.unsendable(let problem)): end(.failed(.request(problem.id)))
    }
  }

  private func take(_ head: HTTPResponse) {
    switch request.take(head, environment) {
    case .stay: open(head)
    case .fail(let problem): end(.failed(.redirect(problem)))
    case .send:
      drop()
      send()
    }
  }

  private func open(_ head: HTTPResponse) {
    deadline.stop()
    if let error = isAccepted(head) { return reject(head, error) }
    onOutcome(.opened)
  }

  private func end(_ outcome: Outcome) {
    guard !isOver else { return }
    close()
    onOutcome(rejectionError.map { .failed($0) } ?? outcome)
  }

  private func receive(_ bytes: [UInt8]) {
    if rejectionError == nil { return onOutcome(.received(bytes)) }
    if !rejected.append(bytes) { end(.ended) }
  }

  /// Ends the attempt with the reason why the answer is not accepted, when its body is there.
  private func reject(_ head: HTTPResponse, _ error: EventStreamError) {
    rejectionError = error
    let reads = rejected.begin(head, environment.schedule) { [weak self] in self?.end(.ended) }
    if !reads { end(.ended) }
  }
}
