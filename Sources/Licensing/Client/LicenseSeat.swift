import Publishers

/// A client of a license server: activates, validates and deactivates the license of this device,
/// and publishes its state.
///
/// It checks the license again by a schedule, notices when the server cannot be reached, and then
/// lets a grant decide that the server has signed. An operation that fails throws a `LicenseError`.
/// A request that fails is also an event; wrong input, a missing license and a call that a newer
/// one replaces are thrown alone.
@MainActor
open class LicenseSeat {
  /// The client of the program. It has no product until `configure` is called.
  public private(set) static var shared = LicenseSeat()
  private static var isConfigured = false

  /// The settings.
  public nonisolated let configuration: LicenseConfiguration
  let environment: LicenseEnvironment
  private(set) var machine: LicenseMachine
  let events = PassthroughSubject<LicenseEvent, Never>()
  let statuses = PassthroughSubject<LicenseStatus, Never>()

  private var inputs: [LicenseMachine.Input] = []
  private var isHandling = false
  private var isShutDown = false
  private var timers: [LicenseTimer: any Cancellable] = [:]
  private var requests: [LicenseOperation: any Cancellable] = [:]
  private var calls: [CallID: CheckedContinuation<LicenseMachine.Outcome, any Error>] = [:]
  private var callCount = 0

  /// Makes a client without a product. It can do nothing; a test may replace its publishers.
  public convenience init() {
    self.init(
      LicenseConfiguration(productSlug: "", apiKey: "", baseURL: ""),
      environment: LicenseEnvironment(fingerprint: FixedFingerprint("unconfigured")))
  }

  /// Makes a client. If the storage has a license, its status is known at once, and its check
  /// begins in a later turn of the main actor.
  public init(
    _ configuration: LicenseConfiguration, environment: LicenseEnvironment = LicenseEnvironment()
  ) {
    self.configuration = configuration
    self.environment = environment
    let device = deviceFingerprint(environment.fingerprint)
    let (cache, problem) = storedCache(environment.storage)
    machine = LicenseMachine(configuration, device: device, cache: cache)
    if let problem { schedule(.zero) { $0.handle(.storageFailed(problem)) } }
    if cache.activation != nil { schedule(.zero) { $0.handle(.timerFired(.launch)) } }
  }

  /// Makes the client of the program. A second call changes nothing, unless `force` is true: then
  /// the client before is shut down.
  @discardableResult
  public static func configure(
    _ configuration: LicenseConfiguration,
    environment: LicenseEnvironment = LicenseEnvironment(), force: Bool = false
  ) -> LicenseSeat {
    guard force || !isConfigured else { return shared }
    shared.shutDown()
    shared = LicenseSeat(configuration, environment: environment)
    isConfigured = true
    return shared
  }

  /// The status publisher: the status after each event that may change it, without repetitions.
  /// There is no value before the first such event.
  open var statusPublisher: AnyPublisher<LicenseStatus, Never> {
    statuses.removeDuplicates().eraseToAnyPublisher()
  }

  /// The publisher of all events.
  open var eventPublisher: AnyPublisher<LicenseEvent, Never> { events.eraseToAnyPublisher() }

  /// The publisher of whether the server can be reached: each change, without a first value.
  open var networkStatusPublisher: AnyPublisher<Bool, Never> {
    events.compactMap { event -> Bool? in
      event.kind == .networkOnline ? true : event.kind == .networkOffline ? false : nil
    }
    .removeDuplicates().eraseToAnyPublisher()
  }

  /// Returns a publisher of one entitlement: its status after each event that may change it,
  /// without repetitions. Nothing is published when it expires by time.
  open func entitlementPublisher(for key: String) -> AnyPublisher<EntitlementStatus, Never> {
    events.filter { $0.kind.mayChangeEntitlements }
      .compactMap { [weak self] _ in self?.checkEntitlement(key) }
      .removeDuplicates().eraseToAnyPublisher()
  }
}

// Inputs and actions.
extension LicenseSeat {
  /// Handles an input. One that arrives while another is handled waits for its turn.
  func handle(_ input: LicenseMachine.Input) {
    if isShutDown { return }
    inputs.append(input)
    guard !isHandling else { return }
    isHandling = true
    while !inputs.isEmpty {
      let next = inputs.removeFirst()
      for action in machine.on(next, at: environment.now()) { perform(action) }
    }
    isHandling = false
  }

  private func perform(_ action: LicenseMachine.Action) {
    switch action {
    case .emit(let event): events.send(event)
    case .publish(let status): statuses.send(status)
    case .send(let operation, let id, let request): send(operation, id, request)
    case .cancel(let operation): requests.removeValue(forKey: operation)?.cancel()
    case .setTimer(let timer, let delay): set(timer, after: delay)
    case .cancelTimer(let timer): timers.removeValue(forKey: timer)?.cancel()
    case .save(let bytes): save(bytes)
    case .finish(let call, let result): finish(call, result)
    }
  }

  private func send(_ operation: LicenseOperation, _ id: TryID, _ request: LicenseRequest) {
    requests[operation] = environment.transport.send(request) { [weak self] result in
      self?.handle(.answered(operation, id, result))
    }
  }

  private func set(_ timer: LicenseTimer, after delay: Duration) {
    timers.removeValue(forKey: timer)?.cancel()
    timers[timer] = schedule(delay) { seat in
      seat.timers[timer] = nil
      seat.handle(.timerFired(timer))
    }
  }

  @discardableResult
  private func schedule(
    _ delay: Duration, _ job: @escaping @MainActor (LicenseSeat) -> Void
  ) -> any Cancellable {
    environment.scheduler.schedule(after: delay) { [weak self] in
      if let self { job(self) }
    }
  }

  private func save(_ bytes: [UInt8]) {
    do {
      try environment.storage.save(bytes)
    } catch {
      inputs.append(.storageFailed("\(error)"))
    }
  }

  /// Ends schedules and requests for good. Calls that wait throw `CancellationError`.
  public func shutDown() {
    isShutDown = true
    for token in Array(timers.values) + Array(requests.values) { token.cancel() }
    (timers, requests) = ([:], [:])
    let waiting = calls.values
    calls = [:]
    for continuation in waiting { continuation.resume(throwing: CancellationError()) }
  }
}

// Calls that await.
extension LicenseSeat {
  func call(
    _ input: @escaping (CallID) -> LicenseMachine.Input
  ) async throws -> LicenseMachine.Outcome {
    try Task.checkCancellation()
    if isShutDown { throw CancellationError() }
    callCount += 1
    let id = CallID(number: callCount)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        calls[id] = continuation
        handle(input(id))
      }
    } onCancel: {
      Task { @MainActor [weak self] in self?.handle(.abandon(id)) }
    }
  }

  private func finish(_ call: CallID, _ result: Result<LicenseMachine.Outcome, LicenseError>) {
    guard let continuation = calls.removeValue(forKey: call) else { return }
    switch result {
    case .success(let outcome): continuation.resume(returning: outcome)
    case .failure(.cancelled): continuation.resume(throwing: CancellationError())
    case .failure(let error): continuation.resume(throwing: error)
    }
  }
}

private func deviceFingerprint(
  _ fingerprint: any DeviceFingerprint
) -> Result<String, LicenseError> {
  do {
    return .success(try fingerprint.fingerprint())
  } catch {
    let message = (error as? LicenseError)?.message ?? "\(error)"
    return .failure(LicenseError(code: "fingerprint_unavailable", message: message))
  }
}

/// Returns what is stored, or nothing and the reason why it cannot be used.
private func storedCache(_ storage: any LicenseStorage) -> (LicenseCache, problem: String?) {
  do {
    guard let bytes = try storage.load() else { return (LicenseCache(), nil) }
    if let cache = LicenseCache(bytes) { return (cache, nil) }
    return (LicenseCache(), "The stored license is damaged, so it is ignored.")
  } catch {
    return (LicenseCache(), "The stored license cannot be read: \(error)")
  }
}
