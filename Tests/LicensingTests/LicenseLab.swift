import Licensing
import Publishers

/// A client in virtual time, with a scripted server and all that it publishes.
@MainActor
final class LicenseLab {
  static let start = LicenseDate(seconds: 946_684_800)  // 2000-01-01

  let scheduler: VirtualScheduler
  let server: ScriptedServer
  let storage: MemoryLicenseStorage
  let clock: LabClock
  let seat: LicenseSeat
  private(set) var events: [LicenseEvent] = []
  private(set) var statuses: [LicenseStatus] = []
  private(set) var network: [Bool] = []
  private var tokens: [AnyCancellable] = []

  init(
    device: String = "device-0001", product: String = "my-app",
    storage: MemoryLicenseStorage = MemoryLicenseStorage(), after earlier: LicenseLab? = nil,
    _ adjust: (inout LicenseConfiguration) -> Void = { _ in }
  ) {
    scheduler = earlier?.scheduler ?? VirtualScheduler()
    server = earlier?.server ?? ScriptedServer(scheduler)
    clock = earlier?.clock ?? LabClock(scheduler)
    self.storage = earlier?.storage ?? storage
    var configuration = LicenseConfiguration(
      productSlug: product, apiKey: "pk_test", baseURL: "https://licenses.example/api/v1")
    adjust(&configuration)
    earlier?.seat.shutDown()
    seat = LicenseSeat(
      configuration,
      environment: LicenseEnvironment(
        transport: server, storage: self.storage, fingerprint: FixedFingerprint(device),
        scheduler: scheduler, now: { [clock] in clock.now }))
    tokens = [
      seat.eventPublisher.sink { [unowned self] in events.append($0) },
      seat.statusPublisher.sink { [unowned self] in statuses.append($0) },
      seat.networkStatusPublisher.sink { [unowned self] in network.append($0) },
    ]
  }

  var names: [String] { events.map(\.name) }

  /// Returns the names of the events with one of the prefixes.
  func names(_ prefixes: String...) -> [String] {
    names.filter { name in prefixes.contains { name.hasPrefix($0) } }
  }

  func forget() {
    events = []
    statuses = []
    server.forgetRequests()
  }

  func wait(_ duration: Duration) { scheduler.advance(by: duration) }

  /// Makes a call, lets time pass, and returns its result.
  func result<T: Sendable>(
    within time: Duration = .zero, _ call: @escaping @MainActor (LicenseSeat) async throws -> T
  ) async -> Result<T, any Error> {
    let task = Task.immediate { [seat] in try await call(seat) }
    scheduler.advance(by: time)
    return await task.result
  }

  func error<T: Sendable>(
    within time: Duration = .zero, _ call: @escaping @MainActor (LicenseSeat) async throws -> T
  ) async -> LicenseError? {
    switch await result(within: time, call) {
    case .success: nil
    case .failure(let error): error as? LicenseError
    }
  }

  @discardableResult
  func activate(_ key: String = "TEST-KEY") async -> Bool {
    if case .success = await result({ try await $0.activate(licenseKey: key) }) {
      true
    } else {
      false
    }
  }

  @discardableResult
  func validate(within time: Duration = .zero) async -> LicenseValidationResult? {
    try? await result(within: time) { try await $0.validate() }.get()
  }
}

/// The calendar of the device, which may be wrong.
@MainActor
final class LabClock {
  private let scheduler: VirtualScheduler
  var error = Duration.zero

  init(_ scheduler: VirtualScheduler) { self.scheduler = scheduler }

  var now: LicenseDate { LicenseLab.start + .microseconds(scheduler.now) + error }
}

extension LicenseStatus {
  /// The name of the case.
  var kind: String {
    switch self {
    case .active: "active"
    case .offlineValid: "offlineValid"
    case .inactive: "inactive"
    case .pending: "pending"
    case .invalid: "invalid"
    case .offlineInvalid: "offlineInvalid"
    }
  }

  var message: String? {
    switch self {
    case .active, .offlineValid: nil
    case .inactive(let text), .pending(let text), .invalid(let text), .offlineInvalid(let text):
      text
    }
  }

  var details: LicenseStatusDetails? {
    switch self {
    case .active(let details), .offlineValid(let details): details
    case .inactive, .pending, .invalid, .offlineInvalid: nil
    }
  }
}
