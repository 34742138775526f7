import Values

// Activation and deactivation.
extension LicenseMachine {
  mutating func activate(_ key: String, _ call: CallID) {
    if let error = inputError(key) { return finish(call, .failure(error)) }
    let device: String
    switch self.device {
    case .success(let known): device = known
    case .failure(let error):
      emit(.activationError, ["licenseKey": key, "error": error])
      return finish(call, .failure(error))
    }
    emit(.activationStart, ["licenseKey": key, "deviceId": device])
    supersedeActivation()
    ask(request(.activate, key: key, device: device, call))
  }

  /// Ends an activation that waits, with its event.
  private mutating func supersedeActivation() {
    guard let older = pending[.activate] else { return }
    supersede(.activate)
    emit(
      .activationError, ["licenseKey": older.key, "error": LicenseError.superseded(.activate)])
  }

  mutating func activationEnded(
    _ request: PendingRequest, _ answer: Result<Value, LicenseError>
  ) {
    switch answer.flatMap({ activation(in: $0, for: request) }) {
    case .failure(let error):
      emit(.activationError, ["licenseKey": request.key, "error": error])
      finish(request.call, .failure(error))
    case .success(let activation):
      keep(activation)
      stopSchedules()
      emit(.autoValidationStopped)
      emit(.activationSuccess, about: activation.license)
      beginSchedules()
      finish(request.call, .success(.license(activation.license)))
    }
  }

  private mutating func keep(_ activation: LicenseCache.Activation) {
    cache.activation = activation
    let result = LicenseValidationResult(valid: true, license: activation.license)
    cache.validation = LicenseCache.Validation(result: result, at: now)
    cache.removeGrants()
    cache.lastSeen = now.seconds
    offlineCheck = nil
  }

  /// Reads an activation, and checks that it is the one that was asked for.
  private func activation(
    in value: Value, for request: PendingRequest
  ) -> Result<LicenseCache.Activation, LicenseError> {
    let names = ["fingerprint", "device_id", "device_fingerprint"]
    guard let id = value.entry("id")?.wireID,
      let device = names.lazy.compactMap({ value.entry($0)?.wireText }).first,
      let key = value.entry("license_key")?.wireText,
      let license = value.entry("license").flatMap(License.init(wire:))
    else { return .failure(.invalidResponse) }
    guard key == request.key, license.key == key else { return .failure(.mismatch("license key")) }
    guard device == request.device else { return .failure(.mismatch("device")) }
    guard license.productSlug == configuration.productSlug else {
      return .failure(.mismatch("product"))
    }
    guard license.status == "active" else { return .failure(.mismatch("state of the license")) }
    let at = value.entry("activated_at")?.wireDate ?? now
    return .success(
      LicenseCache.Activation(key: key, device: device, id: id, activatedAt: at, license: license))
  }

  mutating func deactivate(_ call: CallID) {
    guard let activation = cache.activation else {
      return finish(call, .failure(.noActiveLicense))
    }
    emit(.deactivationStart, about: activation.license)
    supersede(.deactivate)
    ask(request(.deactivate, key: activation.key, device: activation.device, call))
  }

  mutating func deactivationEnded(
    _ request: PendingRequest, _ answer: Result<Value, LicenseError>
  ) {
    switch answer {
    case .success(let value) where value.entry("activation_id")?.wireID == request.asked?.id:
      deactivated(request)
    case .success: deactivationFailed(request, .mismatch("activation"))
    case .failure(let error) where error.isGone: deactivated(request)
    case .failure(let error): deactivationFailed(request, error)
    }
  }

  private mutating func deactivated(_ request: PendingRequest) {
    let isCleared = isCurrent(request)
    if isCleared {
      stopSchedules()
      removeLicense()
    }
    emit(.deactivationSuccess, ["licenseKey": request.key, "localStateCleared": isCleared])
    finish(request.call, .success(.done))
  }

  private mutating func deactivationFailed(_ request: PendingRequest, _ error: LicenseError) {
    var data: [String: any Sendable] = ["error": error]
    if let license = request.license { data["license"] = license }
    emit(.deactivationError, data)
    finish(request.call, .failure(error))
  }

  mutating func removeLicense() {
    cache.removeLicense()
    offlineCheck = nil
  }

  /// Removes the license, since the server knows it no longer.
  mutating func revoke(_ error: LicenseError) {
    stopSchedules()
    removeLicense()
    emit(
      .licenseRevoked,
      [
        "code": error.code.isEmpty ? "unknown" : error.code, "status": error.status,
        "message": error.message,
      ])
  }

  mutating func reset() {
    let isActivating = pending[.activate] != nil
    stopSchedules()
    for operation in LicenseOperation.allCases where operation != .activate && operation != .health
    {
      supersede(operation)
    }
    removeLicense()
    emit(.reset)
    if isActivating { supersedeActivation() }
  }
}
