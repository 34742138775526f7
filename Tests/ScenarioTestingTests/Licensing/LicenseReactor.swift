import Publishers
import Reactors
import ScenarioTesting

@testable import Licensing

/// The client of the library `Licensing` in place of the scenarios' component `license`.
///
/// It translates names and forms. All that the client decides, the library decides.
final class LicenseReactor: Reactor {
  enum Action: Decodable {
    case activate(key: String)
    case validate(key: String?)
    case deactivate
    case beat
    case fetch
  }

  enum SyncAction: Decodable {
    case start, stop, reset, launch
    case check(String)
    case setCached(WrittenValue)
    case setOfflineToken(WrittenValue)
  }

  private(set) var state = LicenseState()
  private let configuration: LicenseConfiguration
  private let context: SubjectContext
  private let transport: AsyncLicenseTransport
  private let storage = MemoryLicenseStorage()
  private let device: String
  private let clockError: StageNode
  private let gate: GatedScheduler
  private let statuses = PassthroughSubject<LicenseStatus, Never>()
  private var seat: LicenseSeat!
  private var tokens: [AnyCancellable] = []

  init(_ context: SubjectContext) {
    self.context = context
    configuration = LicenseConfiguration(parametersOf: context)
    device = context.parameter("deviceId").text
    clockError = context.node("clockError")
    let server = context.http("server")
    transport = AsyncLicenseTransport { try await answer(to: $0, from: server) }
    gate = GatedScheduler(context.scheduler)
    context.feed(
      "statusPublisher", from: statuses.removeDuplicates().map(\.scenarioValue))
    restart()
  }

  func action(_ action: Action) async {
    do {
      switch action {
      case .activate(let key): try await seat.activate(licenseKey: key)
      case .validate(let key): try await seat.validate(licenseKey: key)
      case .deactivate:
        try await seat.deactivate()
        state.error = .null
      case .beat:
        state.error = .null
        try await seat.heartbeat()
      case .fetch: try await seat.syncOfflineToken()
      }
    } catch let error as LicenseError {
      show(error)
    } catch {}
  }

  func action(_ action: SyncAction) {
    switch action {
    case .start: seat.startAutoValidation()
    case .stop: seat.stopAutoValidation()
    case .reset: seat.reset()
    case .launch:
      state.error = .null
      restart()
    case .check(let key): state.checked = seat.checkEntitlement(key).scenarioValue
    case .setCached(let written): change { $0.activation = .init(written: written.value) }
    case .setOfflineToken(let written):
      change { $0.offlineToken = TokenSigner.signed(written.value).json() }
    }
    state.show(seat)
  }

  /// Begins the program again, with what is stored.
  private func restart() {
    seat?.shutDown()
    seat = LicenseSeat(
      configuration,
      environment: LicenseEnvironment(
        transport: transport, storage: storage, fingerprint: FixedFingerprint(device),
        scheduler: gate, now: { [unowned self] in now }))
    tokens = [
      seat.eventPublisher.sink { [unowned self] in receive($0) },
      seat.statusPublisher.sink { [unowned self] in statuses.send($0) },
    ]
    state.show(seat)
  }

  /// Changes what is stored, as if another program had. The client knows it, and has not begun.
  private func change(_ body: (inout LicenseCache) -> Void) {
    var cache = seat.machine.cache
    body(&cache)
    storage.save(cache.bytes)
    gate.isOpen = false
    restart()
    gate.isOpen = true
  }

  /// The time by the clock of the device, which may be wrong.
  private var now: LicenseDate {
    let time = context.calendarTime
    return LicenseDate(seconds: time.seconds, nanoseconds: Int(time.nanoseconds))
      + clockError.value.duration
  }

  private func receive(_ event: LicenseEvent) {
    if event.name.hasSuffix(":start") { state.error = .null }
    if let error = event.error { show(error) }
    state.show(seat)
    context.emit(event.name, event.scenarioValue)
  }

  /// A newer request says itself how it ends.
  private func show(_ error: LicenseError) {
    if !["superseded", "activation_failed"].contains(error.code) {
      state.error = error.scenarioValue
    }
  }
}

/// The nodes that the client plays, as the scenarios read them.
struct LicenseState {
  var status = Value.null
  var entitlements: Value = []
  var error = Value.null
  var isOnline = true
  var isAutoValidating = false
  var nextAutoValidationAt = Value.null
  var cached = Value.null
  var lastValidation = Value.null
  var offlineToken = Value.null
  var offlineCheck = Value.null
  var lastSeen = 0
  var checked = Value.null
  /// The code of the last check of a token.
  var verdict = ""

  @MainActor
  mutating func show(_ seat: LicenseSeat) {
    let cache = seat.machine.cache
    status = seat.status.scenarioValue
    entitlements = .list(seat.status.entitlements.map { .string($0.key) })
    isOnline = seat.isOnline
    isAutoValidating = seat.isAutoValidating
    nextAutoValidationAt = seat.nextAutoValidationAt?.scenarioValue ?? .null
    cached = cache.activation?.scenarioValue ?? .null
    lastValidation = cache.validation?.scenarioValue ?? .null
    offlineToken = TokenSigner.unsigned(cache.offlineToken)
    lastSeen = cache.lastSeen
    offlineCheck = seat.machine.offlineCheck?.scenarioValue ?? .null
    verdict = seat.machine.offlineCheck?.code ?? verdict
  }
}

/// A value that a step writes.
struct WrittenValue: Decodable, ScenarioDecodable {
  let value: Value

  init(scenarioValue: Value) { value = scenarioValue }
  init(from decoder: any Decoder) throws { throw ScenarioValueError("only a scenario writes it") }
}

/// A scheduler that forgets what is scheduled while it is closed.
private final class GatedScheduler: PublisherScheduler {
  static var keepsJobs: Bool { true }
  var isOpen = true
  private let scheduler: SubjectScheduler

  init(_ scheduler: SubjectScheduler) { self.scheduler = scheduler }

  var now: Int64 { scheduler.now }

  func schedule(after delay: Int64, _ job: @escaping () -> Void) -> any Cancellable {
    isOpen ? scheduler.schedule(after: delay, job) : AnyCancellable {}
  }
}

/// The reason why no answer came. Its text is the message of the client's error.
private struct Unanswered: Error, CustomStringConvertible {
  let description: String
}

private let serverURL = "https://licenses.example"

/// Sends a request of the client to the scenario's server.
private func answer(
  to request: LicenseRequest, from server: EndpointClient
) async throws -> LicenseResponse {
  var sent = EndpointRequest(
    request.method, String(request.url.dropFirst(serverURL.count)), body: request.body)
  sent.headers = request.headers
  do {
    let response = try await server.send(sent)
    return LicenseResponse(
      status: response.status, body: TokenSigner.signingTokens(in: response.body))
  } catch let error as EndpointError {
    throw Unanswered(description: error.scenarioValue["reason"]?.text ?? "unknown")
  }
}

extension LicenseConfiguration {
  @MainActor
  fileprivate init(parametersOf context: SubjectContext) {
    self.init(
      productSlug: context.parameter("product").text, apiKey: "pk_test", baseURL: serverURL)
    let duration = { (name: String) in context.parameter(name).duration }
    maxRetries = context.parameter("maxRetries").number
    retryDelay = duration("retryDelay")
    requestTimeout = duration("requestTimeout")
    autoValidateInterval = duration("autoValidateInterval")
    heartbeatInterval = duration("heartbeatInterval")
    networkRecheckInterval = duration("networkRecheckInterval")
    offlineTokenRefreshInterval = duration("tokenRefreshInterval")
    maxOfflineDays = Int(duration("grace").components.seconds / 86_400)
    maxClockSkew = duration("clockSkew")
    signingKeys = [TokenSigner.id: TokenSigner.publicKey]
    switch context.parameter("offlineFallback") {
    case "always": offlineFallback = .always
    case "never": offlineFallback = .never
    default: offlineFallback = .networkOnly
    }
  }
}
