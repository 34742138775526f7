import Publishers

// What a program asks for.
extension LicenseSeat {
  /// Activates a license on this device, and returns it. A newer activation ends an older one,
  /// which then throws.
  @discardableResult
  public func activate(licenseKey: String) async throws -> License {
    guard case .license(let license) = try await call({ .activate(key: licenseKey, $0) }) else {
      throw LicenseError.invalidResponse
    }
    return license
  }

  /// Asks the server whether a license is valid: by default the one of this device.
  ///
  /// If the server cannot be reached, a signed grant may decide; the result then is `offline`.
  @discardableResult
  public func validate(licenseKey: String? = nil) async throws -> LicenseValidationResult {
    let outcome = try await call { .validate(key: licenseKey, $0) }
    guard case .validation(let result) = outcome else { throw LicenseError.invalidResponse }
    return result
  }

  /// Ends the activation of this device. It succeeds if the server knows of none.
  public func deactivate() async throws { _ = try await call { .deactivate($0) } }

  /// Notifies the server that this device uses the license.
  public func heartbeat() async throws { _ = try await call { .beat($0) } }

  /// Fetches a signed grant for times without a network, and its key.
  public func syncOfflineToken() async throws { _ = try await call { .fetchOfflineToken($0) } }

  /// Fetches a signed and encrypted machine file for longer times without a network. It replaces
  /// the grant while it is stored.
  public func syncMachineFile() async throws { _ = try await call { .fetchMachineFile($0) } }

  /// Removes the license from this device, without the server, and ends all that waits.
  public func reset() { handle(.reset) }

  /// Starts validations by schedule, heartbeats and the refresh of grants again.
  public func startAutoValidation() { handle(.startAutoValidation) }

  /// Stops them.
  public func stopAutoValidation() { handle(.stopAutoValidation) }
}

// What a program reads.
extension LicenseSeat {
  /// The status now.
  public var status: LicenseStatus { machine.status }

  /// The license of this device; nil if none is activated.
  public var currentLicense: License? { machine.cache.activation?.license }

  /// False if the last request did not reach the server.
  public var isOnline: Bool { machine.isOnline }

  /// True if validations are planned.
  public var isAutoValidating: Bool { machine.isAutoValidating }

  /// The time of the next validation; nil if none is planned, or while one runs.
  public var nextAutoValidationAt: LicenseDate? { machine.nextAutoValidationAt }

  /// Returns whether a feature may be used now, and why not.
  public func checkEntitlement(_ key: String) -> EntitlementStatus {
    machine.entitlement(key, at: environment.now())
  }
}

// Publishers and streams.
extension LicenseSeat {
  /// Returns a publisher of the events with a name, such as `activation:success`.
  public func eventPublisher(for name: String) -> AnyPublisher<LicenseEvent, Never> {
    eventPublisher.filter { $0.name == name }.eraseToAnyPublisher()
  }

  /// Returns a publisher of the events of a kind.
  public func eventPublisher(for kind: LicenseEvent.Kind) -> AnyPublisher<LicenseEvent, Never> {
    eventPublisher.filter { $0.kind == kind }.eraseToAnyPublisher()
  }

  /// The statuses for `for await`: the present one, then each change.
  public var statusStream: AsyncStream<LicenseStatus> {
    statusPublisher.prepend(status).removeDuplicates().values
  }

  /// The events for `for await`, from now on.
  public var eventStream: AsyncStream<LicenseEvent> { eventPublisher.values }

  /// Whether the server can be reached, for `for await`: the present answer, then each change.
  public var networkStatusStream: AsyncStream<Bool> {
    networkStatusPublisher.prepend(isOnline).removeDuplicates().values
  }

  /// Returns the statuses of an entitlement for `for await`: the present one, then each change.
  public func entitlementStream(for key: String) -> AsyncStream<EntitlementStatus> {
    entitlementPublisher(for: key).prepend(checkEntitlement(key)).removeDuplicates().values
  }
}
