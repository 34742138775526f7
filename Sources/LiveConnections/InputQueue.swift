/// Takes inputs one after the other: what comes of one may be another, which waits for its turn.
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

/// Something that happens after a while, unless it is set anew or stopped before.
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
