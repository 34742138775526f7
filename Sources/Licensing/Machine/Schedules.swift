import Values

// The program's begin, schedules, heartbeats and the network.
extension LicenseMachine {
  mutating func launch() {
    guard let activation = cache.activation else { return }
    if case .success(let device) = device, device != activation.device {
      removeLicense()
      emit(.error, ["message": "The stored license belongs to another device."])
      return perform(.publish(status))
    }
    emit(.licenseLoaded, about: activation.license)
    if cache.offlineToken != nil || cache.machineFile != nil { verifyGrant() }
    stopSchedules()
    beginSchedules()
    if configuration.schedule(configuration.autoValidateInterval) != nil {
      validate(activation.key, device: activation.device, nil, origin: .launch)
    }
  }

  /// Ends validations by schedule, heartbeats and the refresh of grants.
  mutating func stopSchedules() {
    for timer in [LicenseTimer.autoValidation, .heartbeat, .tokenRefresh] {
      perform(.cancelTimer(timer))
    }
    for operation in [LicenseOperation.offlineToken, .signingKey, .machineFile] {
      supersede(operation)
    }
    consequences.removeAll { $0 == .fetchToken }
    isAutoValidating = false
    nextAutoValidationAt = nil
    emit(.autoValidationStopped)
  }

  mutating func beginSchedules() {
    if configuration.schedule(configuration.autoValidateInterval) != nil {
      isAutoValidating = true
      planValidation()
    }
    planHeartbeat()
    planTokenRefresh()
    if configuration.offlineFallback != .never { consequences.append(.fetchToken) }
  }

  mutating func startAutoValidation() {
    stopSchedules()
    if cache.activation != nil { beginSchedules() }
  }

  mutating func planValidation() {
    guard let interval = configuration.schedule(configuration.autoValidateInterval) else { return }
    let next = now + interval
    nextAutoValidationAt = next
    perform(.setTimer(.autoValidation, interval))
    emit(.autoValidationCycle, ["nextRunAt": next])
  }

  mutating func validateBySchedule() {
    nextAutoValidationAt = nil
    guard let activation = cache.activation else { return }
    validate(activation.key, device: activation.device, nil, origin: .schedule)
  }

  private mutating func planHeartbeat() {
    guard let interval = configuration.schedule(configuration.heartbeatInterval) else { return }
    perform(.setTimer(.heartbeat, interval))
  }

  private mutating func planTokenRefresh() {
    let interval = configuration.schedule(configuration.offlineTokenRefreshInterval)
    guard let interval, configuration.offlineFallback != .never else { return }
    perform(.setTimer(.tokenRefresh, interval))
  }

  mutating func refreshToken() {
    planTokenRefresh()
    if cache.activation != nil { fetchToken(nil) }
  }
}

extension LicenseMachine {
  mutating func beatBySchedule() {
    planHeartbeat()
    if cache.activation != nil { beat(nil) }
  }

  mutating func beat(_ call: CallID?) {
    guard let activation = cache.activation else {
      return finish(call, .failure(.noActiveLicense))
    }
    supersede(.heartbeat)
    ask(request(.heartbeat, key: activation.key, device: activation.device, call))
  }

  mutating func heartbeatEnded(
    _ request: PendingRequest, _ answer: Result<Value, LicenseError>
  ) {
    switch answer {
    case .success:
      emit(.heartbeatSuccess)
      finish(request.call, .success(.done))
    case .failure(let error):
      if error.isTerminal, isCurrent(request) { revoke(error) }
      emit(.heartbeatError, ["error": error])
      finish(request.call, .failure(error))
    }
  }
}

extension LicenseMachine {
  mutating func serverAnswered() {
    guard !isOnline else { return }
    drop(.health)
    perform(.cancelTimer(.recheck))
    isOnline = true
    emit(.networkOnline)
    guard cache.activation != nil, cache.validation?.result.valid != false || offlineCheck != nil
    else { return }
    stopSchedules()
    beginSchedules()
  }

  mutating func serverUnreached() {
    guard isOnline else { return }
    isOnline = false
    emit(.networkOffline)
    stopSchedules()
    perform(.setTimer(.recheck, configuration.recheckInterval))
  }

  mutating func checkHealth() {
    guard !isOnline else { return }
    var asking = request(.health, key: "", device: "", nil)
    asking.path = "/health"
    ask(asking)
  }

  mutating func healthEnded(_ answer: Result<Value, LicenseError>) {
    guard !isOnline, !consequences.contains(.reached) else { return }
    perform(.setTimer(.recheck, configuration.recheckInterval))
  }
}
