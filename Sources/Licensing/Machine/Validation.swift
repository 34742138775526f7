import Values

// Validation, with and without the server.
extension LicenseMachine {
  mutating func validate(_ key: String?, _ call: CallID) {
    guard let key = key ?? cache.activation?.key else {
      return finish(call, .failure(.noActiveLicense))
    }
    if let error = inputError(key) { return finish(call, .failure(error)) }
    switch device {
    case .failure(let error): finish(call, .failure(error))
    case .success(let device): validate(key, device: device, call, origin: .caller)
    }
  }

  mutating func validate(
    _ key: String, device: String, _ call: CallID?, origin: PendingRequest.Origin
  ) {
    emit(.validationStart, ["licenseKey": key])
    supersede(.validate)
    ask(request(.validate, key: key, device: device, call, origin: origin))
  }

  mutating func validationEnded(
    _ request: PendingRequest, _ answer: Result<Value, LicenseError>
  ) {
    switch answer.flatMap({ validation(in: $0, for: request) }) {
    case .success(let result): validated(request, result)
    case .failure(let error): validationFailed(request, error)
    }
    // The time to the next one counts from here.
    consequences.append(.continueCycle)
  }

  private func validation(
    in value: Value, for request: PendingRequest
  ) -> Result<LicenseValidationResult, LicenseError> {
    guard let result = LicenseValidationResult(wire: value) else {
      return .failure(.invalidResponse)
    }
    guard result.valid else { return .success(result) }
    guard let license = result.license else { return .failure(.invalidResponse) }
    guard license.key == request.key else { return .failure(.mismatch("license key")) }
    guard license.productSlug == configuration.productSlug else {
      return .failure(.mismatch("product"))
    }
    guard license.status == "active" else { return .failure(.mismatch("state of the license")) }
    return .success(result)
  }

  private mutating func validated(_ request: PendingRequest, _ result: LicenseValidationResult) {
    let isCurrent = isCurrent(request)
    if isCurrent {
      cache.validation = LicenseCache.Validation(result: result, at: now)
      if !result.valid { cache.removeGrants() }
      cache.lastSeen = now.seconds
      offlineCheck = nil
    }
    emit(result.valid ? .validationSuccess : .validationFailed, about: result)
    if isCurrent, !result.valid { stopSchedules() }
    finish(request.call, .success(.validation(result)))
  }

  private mutating func validationFailed(_ request: PendingRequest, _ error: LicenseError) {
    let failure: [String: any Sendable] = ["licenseKey": request.key, "error": error]
    emit(.validationError, failure)
    guard error != .cancelled else { return finish(request.call, .failure(error)) }
    if error.isTerminal, isCurrent(request) {
      revoke(error)
      return finish(request.call, .failure(error))
    }
    let offline = mayFallBack(request, error) ? verifyGrant() : nil
    if request.origin == .launch, [401, 501].contains(error.status), cache.activation != nil {
      emit(.validationAuthFailed, failure.merging(["cached": true]) { $1 })
    }
    if let offline, offline.valid { return finish(request.call, .success(.validation(offline))) }
    if request.origin == .schedule { emit(.validationAutoFailed, failure) }
    finish(request.call, .failure(error))
  }

  private func mayFallBack(_ request: PendingRequest, _ error: LicenseError) -> Bool {
    guard isCurrent(request) else { return false }
    switch configuration.offlineFallback {
    case .never: return false
    case .networkOnly: return error.isUnreachable
    case .always: return !error.isTerminal
    }
  }

  /// Lets the stored grant decide, and returns the result.
  @discardableResult
  mutating func verifyGrant() -> LicenseValidationResult? {
    guard let activation = cache.activation else { return nil }
    switch checkedGrant(of: activation) {
    case .success(let claims): return confirmed(by: claims, activation)
    case .failure(let problem): return unconfirmed(problem, activation)
    }
  }

  private mutating func confirmed(
    by claims: GrantClaims, _ activation: LicenseCache.Activation
  ) -> LicenseValidationResult {
    let wasValid = offlineCheck?.key == activation.key && offlineCheck?.isValid == true
    var license = claims.license
    license.entitlements.removeAll { ($0.expiresAt).map { $0 <= now } ?? false }
    let result = LicenseValidationResult(valid: true, license: license, offline: true)
    cache.validation = LicenseCache.Validation(result: result, at: now)
    cache.lastSeen = max(cache.lastSeen, now.seconds)
    offlineCheck = OfflineCheck(key: activation.key, isValid: true, code: "")
    emit(
      cache.machineFile == nil ? .offlineTokenVerified : .machineFileVerified,
      ["kid": claims.keyID])
    if !wasValid { emit(.validationOfflineSuccess, about: result) }
    return result
  }

  private mutating func unconfirmed(
    _ problem: GrantProblem, _ activation: LicenseCache.Activation
  ) -> LicenseValidationResult {
    let code = problem.rawValue
    let result = LicenseValidationResult(
      valid: false, code: code, message: "Offline validation: \(code)",
      license: activation.license, offline: true)
    cache.validation = LicenseCache.Validation(result: result, at: now)
    offlineCheck = OfflineCheck(key: activation.key, isValid: false, code: code)
    reportUnverified(problem)
    emit(.validationOfflineFailed, about: result)
    return result
  }

  private mutating func reportUnverified(_ problem: GrantProblem) {
    guard problem != .noToken else { return }
    let isFile = cache.machineFile != nil
    var data: [String: any Sendable] = isFile ? ["code": problem.rawValue] : [:]
    if let storedKeyID { data["kid"] = storedKeyID }
    emit(isFile ? .machineFileVerificationFailed : .offlineTokenVerificationFailed, data)
  }
}
