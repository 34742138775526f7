/// The state of a license, as a program may rely on it.
public enum LicenseStatus: Sendable, Hashable {
  /// The server has confirmed the license.
  case active(details: LicenseStatusDetails)
  /// A signed grant confirms the license, because the server could not be reached.
  case offlineValid(details: LicenseStatusDetails)
  /// No license is activated on this device.
  case inactive(message: String)
  /// A license is stored, and nothing has confirmed it yet.
  case pending(message: String)
  /// The server has refused the license.
  case invalid(message: String)
  /// The server could not be reached, and no signed grant confirms the license.
  case offlineInvalid(message: String)
}

/// A confirmed license, and since when.
public struct LicenseStatusDetails: Sendable, Hashable {
  /// The license key.
  public var license: String
  /// The fingerprint of the device for which the license was activated.
  public var device: String
  /// The time of the activation, by the server's clock.
  public var activatedAt: LicenseDate
  /// The time of the last confirmation, by the clock of this device.
  public var lastValidated: LicenseDate
  /// The features that the license permits.
  public var entitlements: [Entitlement]

  /// Makes details, for previews and tests.
  public init(
    license: String, device: String, activatedAt: LicenseDate, lastValidated: LicenseDate,
    entitlements: [Entitlement] = []
  ) {
    self.license = license
    self.device = device
    self.activatedAt = activatedAt
    self.lastValidated = lastValidated
    self.entitlements = entitlements
  }
}
