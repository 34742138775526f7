/// Something that happened to the license or its client.
public struct LicenseEvent: Sendable {
  /// The kind of an event. Its text is the event's name.
  public enum Kind: String, Sendable, CaseIterable {
    /// A license was stored when the program began. Data: the license.
    case licenseLoaded = "license:loaded"
    /// The license was removed, because the server knows it no longer. Data: `code`, `status`,
    /// `message`.
    case licenseRevoked = "license:revoked"
    /// All was removed by `reset`.
    case reset = "sdk:reset"
    /// The store or an automatic activity failed. Data: `message`.
    case error = "sdk:error"
    /// An activation began. Data: `licenseKey`, `deviceId`.
    case activationStart = "activation:start"
    /// The license is active on this device. Data: the license.
    case activationSuccess = "activation:success"
    /// An activation failed. Data: `licenseKey`, `error`.
    case activationError = "activation:error"
    /// A validation began. Data: `licenseKey`.
    case validationStart = "validation:start"
    /// The server says that the license is valid. Data: the result.
    case validationSuccess = "validation:success"
    /// The server says that the license is not valid. Data: the result.
    case validationFailed = "validation:failed"
    /// The server did not answer the question. Data: `licenseKey`, `error`.
    case validationError = "validation:error"
    /// A signed grant now confirms the license. Data: the result.
    case validationOfflineSuccess = "validation:offline-success"
    /// No signed grant confirms the license. Data: the result.
    case validationOfflineFailed = "validation:offline-failed"
    /// A validation of the schedule failed. Data: `licenseKey`, `error`.
    case validationAutoFailed = "validation:auto-failed"
    /// The validation at the program's begin was not authorised. Data: `licenseKey`, `error`,
    /// `cached`.
    case validationAuthFailed = "validation:auth-failed"
    /// The next validation is planned. Data: `nextRunAt`.
    case autoValidationCycle = "autovalidation:cycle"
    /// No validation is planned any more.
    case autoValidationStopped = "autovalidation:stopped"
    /// A deactivation began. Data: the license.
    case deactivationStart = "deactivation:start"
    /// The license is no longer active on this device. Data: `licenseKey`, `localStateCleared`.
    case deactivationSuccess = "deactivation:success"
    /// A deactivation failed. Data: `error`, `license`.
    case deactivationError = "deactivation:error"
    /// The server answers again.
    case networkOnline = "network:online"
    /// The server cannot be reached.
    case networkOffline = "network:offline"
    /// A grant is asked for. Data: `licenseKey`.
    case offlineTokenFetching = "offlineToken:fetching"
    /// A grant has arrived. Data: `licenseKey`.
    case offlineTokenFetched = "offlineToken:fetched"
    /// A grant and its key are stored. Data: `kid`, `exp`.
    case offlineTokenReady = "offlineToken:ready"
    /// A grant could not be fetched. Data: `licenseKey`, `error`.
    case offlineTokenFetchError = "offlineToken:fetchError"
    /// A grant confirms the license. Data: `kid`.
    case offlineTokenVerified = "offlineToken:verified"
    /// A grant does not confirm the license. Data: `kid`.
    case offlineTokenVerificationFailed = "offlineToken:verificationFailed"
    /// A machine file is asked for. Data: `licenseKey`.
    case machineFileFetching = "machineFile:fetching"
    /// A machine file has arrived. Data: `licenseKey`.
    case machineFileFetched = "machineFile:fetched"
    /// A machine file and its key are stored. Data: `kid`, `expiresAt`.
    case machineFileReady = "machineFile:ready"
    /// A machine file could not be fetched. Data: `licenseKey`, `error`.
    case machineFileFetchError = "machineFile:fetchError"
    /// A machine file confirms the license. Data: `kid`.
    case machineFileVerified = "machineFile:verified"
    /// A machine file does not confirm the license. Data: `kid`, `code`.
    case machineFileVerificationFailed = "machineFile:verificationFailed"
    /// The server has noted that this device uses the license.
    case heartbeatSuccess = "heartbeat:success"
    /// The server was not notified. Data: `error`.
    case heartbeatError = "heartbeat:error"
  }

  /// The kind, for a `switch`.
  public var kind: Kind
  /// The data: a `License`, a `LicenseValidationResult`, or a dictionary.
  public var data: any Sendable

  /// Makes an event, for tests.
  public init(_ kind: Kind, data: any Sendable = [String: any Sendable]()) {
    self.kind = kind
    self.data = data
  }

  /// The name, such as `validation:success`.
  public var name: String { kind.rawValue }

  /// The data by name; nil if the data is a license or a result.
  public var dictionary: [String: any Sendable]? { data as? [String: any Sendable] }

  /// The license key that the event is about.
  public var licenseKey: String? { dictionary?["licenseKey"] as? String ?? license?.key }

  /// The error of a failure.
  public var error: LicenseError? { dictionary?["error"] as? LicenseError }

  /// The license that the event is about.
  public var license: License? {
    data as? License ?? (data as? LicenseValidationResult)?.license
      ?? dictionary?["license"] as? License
  }
}
