/// A queue of inputs that are handled one after the other. If handling one causes another, that
/// waits for its turn.
final class InputQueue<Input> {
  private var inputs: [Input] = []
  private var isPerforming = false

  func take(_ input: Input, perform: (Input) -> Void) {
    inputs.append(input)
    guard !isPerforming else { return }
    isPerforming = true
    defer { isPerforming = false }
    while !inputs.isEmpty { perform(inputs.removeFirst()) }
  }
}

/// A timer that can be set again or stopped.
final class ConnectionTimer {
  private let environment: ClientEnvironment
  private var cancel: (() -> Void)?

  init(_ environment: ClientEnvironment) { self.environment = environment }

  func set(_ delay: Int64, _ job: @escaping () -> Void) {
    stop()
    cancel = environment.schedule(delay, job)
  }

  func stop() {
    cancel?()
    cancel = nil
  }
}
