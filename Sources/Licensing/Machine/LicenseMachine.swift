/// An operation that asks the server. Of each there is at most one request; a newer one replaces
/// it.
enum LicenseOperation: String, Sendable, CaseIterable {
  case activate
  case validate
  case deactivate
  case heartbeat
  case offlineToken = "offline-token"
  case machineFile = "machine-file"
  case signingKey
  case health
}

/// The number of a call that awaits its result.
struct CallID: Hashable, Sendable {
  let number: Int
}

/// The number of one try of a request.
struct TryID: Hashable, Sendable {
  let number: Int
}

/// A point in time at which the machine continues.
enum LicenseTimer: Hashable, Sendable {
  /// The program begins with what was stored.
  case launch
  case retry(LicenseOperation)
  case timeout(LicenseOperation)
  case autoValidation
  case heartbeat
  case tokenRefresh
  case recheck
}

/// Decides what a license client does: inputs in, actions out.
///
/// It knows neither sockets nor clocks. `LicenseSeat` performs the actions.
struct LicenseMachine {
  enum Input {
    case activate(key: String, CallID)
    /// Without a key: the stored one.
    case validate(key: String?, CallID)
    case deactivate(CallID)
    case beat(CallID)
    case fetchOfflineToken(CallID)
    case fetchMachineFile(CallID)
    case startAutoValidation
    case stopAutoValidation
    case reset
    /// Nobody awaits the call any more.
    case abandon(CallID)
    case answered(LicenseOperation, TryID, Result<LicenseResponse, LicenseTransportError>)
    case timerFired(LicenseTimer)
    case storageFailed(String)
  }

  enum Action {
    case emit(LicenseEvent)
    /// The status may have changed.
    case publish(LicenseStatus)
    case send(LicenseOperation, TryID, LicenseRequest)
    case cancel(LicenseOperation)
    case setTimer(LicenseTimer, Duration)
    case cancelTimer(LicenseTimer)
    case save([UInt8])
    case finish(CallID, Result<Outcome, LicenseError>)
  }

  /// The result of a call.
  enum Outcome: Sendable {
    case license(License)
    case validation(LicenseValidationResult)
    case done
  }

  /// The last check of a grant. It is forgotten when the program ends.
  struct OfflineCheck: Equatable {
    var key: String
    var isValid: Bool
    var code: String
  }

  /// The last consequence of an input.
  enum Consequence {
    case reached
    case unreached
    case continueCycle
    case fetchToken
  }

  let configuration: LicenseConfiguration
  /// The fingerprint of this device, or why there is none.
  let device: Result<String, LicenseError>
  var cache: LicenseCache
  var offlineCheck: OfflineCheck?
  var isOnline = true
  var isAutoValidating = false
  var nextAutoValidationAt: LicenseDate?
  var pending: [LicenseOperation: PendingRequest] = [:]
  var consequences: [Consequence] = []
  var now = LicenseDate(seconds: 0)
  private var actions: [Action] = []
  private var tries = 0

  init(
    _ configuration: LicenseConfiguration, device: Result<String, LicenseError>,
    cache: LicenseCache = LicenseCache()
  ) {
    self.configuration = configuration
    self.device = device
    self.cache = cache
  }

  mutating func on(_ input: Input, at now: LicenseDate) -> [Action] {
    self.now = now
    let before = cache
    handle(input)
    while !consequences.isEmpty { follow(consequences.removeFirst()) }
    // What is stored is there before anybody learns of it.
    let saved: [Action] = cache == before ? [] : [.save(cache.bytes)]
    defer { actions = [] }
    return saved + actions
  }

  mutating func perform(_ action: Action) { actions.append(action) }

  mutating func nextTry() -> TryID {
    tries += 1
    return TryID(number: tries)
  }

  private mutating func handle(_ input: Input) {
    switch input {
    case .activate(let key, let call): activate(key, call)
    case .validate(let key, let call): validate(key, call)
    case .deactivate(let call): deactivate(call)
    case .beat(let call): beat(call)
    case .fetchOfflineToken(let call): fetchToken(call)
    case .fetchMachineFile(let call): fetchMachineFile(call)
    case .startAutoValidation: startAutoValidation()
    case .stopAutoValidation: stopSchedules()
    case .reset: reset()
    case .abandon(let call): abandon(call)
    case .answered(let operation, let number, let result): receive(operation, number, result)
    case .timerFired(let timer): fired(timer)
    case .storageFailed(let reason): emit(.error, ["message": reason])
    }
  }

  private mutating func follow(_ consequence: Consequence) {
    switch consequence {
    case .reached: serverAnswered()
    case .unreached: serverUnreached()
    case .continueCycle:
      if isAutoValidating, nextAutoValidationAt == nil { planValidation() }
    case .fetchToken: if cache.activation != nil { fetchToken(nil) }
    }
  }

  private mutating func fired(_ timer: LicenseTimer) {
    switch timer {
    case .launch: launch()
    case .retry(let operation): retry(operation)
    case .timeout(let operation): timeOut(operation)
    case .autoValidation: validateBySchedule()
    case .heartbeat: beatBySchedule()
    case .tokenRefresh: refreshToken()
    case .recheck: checkHealth()
    }
  }
}

// Events and results.
extension LicenseMachine {
  mutating func emit(_ kind: LicenseEvent.Kind, about data: any Sendable) {
    perform(.emit(LicenseEvent(kind, data: data)))
    if kind.mayChangeStatus { perform(.publish(status)) }
  }

  mutating func emit(_ kind: LicenseEvent.Kind, _ data: [String: any Sendable] = [:]) {
    emit(kind, about: data)
  }

  mutating func finish(_ call: CallID?, _ result: Result<Outcome, LicenseError>) {
    if let call { perform(.finish(call, result)) }
  }
}

extension LicenseEvent.Kind {
  /// True if the status is read after such an event.
  var mayChangeStatus: Bool { self == .activationError || mayChangeEntitlements }

  /// True if entitlements are read after such an event.
  var mayChangeEntitlements: Bool {
    switch self {
    case .licenseLoaded, .activationSuccess, .validationSuccess, .validationFailed,
      .validationOfflineSuccess, .validationOfflineFailed, .licenseRevoked, .deactivationSuccess,
      .reset:
      true
    case .error, .activationStart, .activationError, .validationStart, .validationError,
      .validationAutoFailed, .validationAuthFailed, .autoValidationCycle, .autoValidationStopped,
      .deactivationStart, .deactivationError, .networkOnline, .networkOffline,
      .offlineTokenFetching, .offlineTokenFetched, .offlineTokenReady, .offlineTokenFetchError,
      .offlineTokenVerified, .offlineTokenVerificationFailed, .machineFileFetching,
      .machineFileFetched, .machineFileReady, .machineFileFetchError, .machineFileVerified,
      .machineFileVerificationFailed, .heartbeatSuccess, .heartbeatError:
      false
    }
  }
}

// What follows from the state.
extension LicenseMachine {
  var status: LicenseStatus {
    guard let activation = cache.activation else {
      return .inactive(message: "No license activated")
    }
    guard let validation = cache.validation else {
      return .pending(message: "License pending validation")
    }
    let check = offlineCheck?.key == activation.key ? offlineCheck : nil
    let result = validation.result
    if let check, !check.isValid {
      return .offlineInvalid(message: "Offline validation: \(check.code)")
    }
    guard result.valid else {
      return .invalid(message: result.message ?? result.code ?? "License invalid")
    }
    let details = LicenseStatusDetails(
      license: activation.key, device: activation.device, activatedAt: activation.activatedAt,
      lastValidated: validation.at, entitlements: result.license?.entitlements ?? [])
    return check == nil ? .active(details: details) : .offlineValid(details: details)
  }

  func entitlement(_ key: String, at now: LicenseDate) -> EntitlementStatus {
    guard let activation = cache.activation, let result = cache.validation?.result, result.valid,
      offlineCheck?.key != activation.key || offlineCheck?.isValid == true
    else { return EntitlementStatus(active: false, reason: .noLicense) }
    guard let found = result.license?.entitlements.first(where: { $0.key == key }) else {
      return EntitlementStatus(active: false, reason: .notFound)
    }
    let isOver = found.expiresAt.map { $0 < now } ?? false
    return EntitlementStatus(
      active: !isOver, reason: isOver ? .expired : nil, expiresAt: found.expiresAt,
      entitlement: found)
  }
}
