/// A license, as the server describes it.
public struct License: Sendable, Hashable {
  /// The license key.
  public var key: String
  /// The server's word for its state, such as `active`.
  public var status: String
  /// The time from which it is valid; nil if it always was.
  public var startsAt: LicenseDate?
  /// The time at which it ends; nil if it never does.
  public var expiresAt: LicenseDate?
  /// How it is bound, such as `hardware_locked` or `floating`.
  public var mode: String?
  /// The key of the plan that was bought.
  public var planKey: String?
  /// The most devices that may be active; nil without a limit.
  public var seatLimit: Int?
  /// The number of devices that are active.
  public var activeSeats: Int?
  /// The features that the license permits.
  public var entitlements: [Entitlement]
  /// The identifier of the product.
  public var productSlug: String
  /// The name of the product.
  public var productName: String?
  /// The metadata that the server keeps with the license, as JSON text.
  public var metadata: String?

  /// Makes a license.
  public init(
    key: String, status: String = "active", startsAt: LicenseDate? = nil,
    expiresAt: LicenseDate? = nil, mode: String? = nil, planKey: String? = nil,
    seatLimit: Int? = nil, activeSeats: Int? = nil, entitlements: [Entitlement] = [],
    productSlug: String = "", productName: String? = nil, metadata: String? = nil
  ) {
    self.key = key
    self.status = status
    self.startsAt = startsAt
    self.expiresAt = expiresAt
    self.mode = mode
    self.planKey = planKey
    self.seatLimit = seatLimit
    self.activeSeats = activeSeats
    self.entitlements = entitlements
    self.productSlug = productSlug
    self.productName = productName
    self.metadata = metadata
  }
}

/// A permission that a license grants, such as the use of a feature.
public struct Entitlement: Sendable, Hashable {
  /// The name by which the program asks for it.
  public var key: String
  /// The time at which it ends; nil if it never does.
  public var expiresAt: LicenseDate?
  /// The first version of the product that it does not cover; nil without such a limit.
  public var belowVersion: String?
  /// The metadata that the server keeps with it, as JSON text.
  public var metadata: String?

  /// Makes an entitlement.
  public init(
    key: String, expiresAt: LicenseDate? = nil, belowVersion: String? = nil,
    metadata: String? = nil
  ) {
    self.key = key
    self.expiresAt = expiresAt
    self.belowVersion = belowVersion
    self.metadata = metadata
  }

  /// Returns whether a version of the product is below the limit of this entitlement.
  ///
  /// Versions are compared by their three numbers; missing ones are zero, and what follows `-` or
  /// `+` is ignored. A version or limit that cannot be read covers: the server decides then.
  public func covers(_ version: String) -> Bool {
    guard let belowVersion, let limit = VersionNumbers(belowVersion),
      let asked = VersionNumbers(version)
    else { return true }
    return asked < limit
  }
}

/// The three numbers of a version.
private struct VersionNumbers: Comparable {
  let numbers: [Int]

  init?(_ text: String) {
    let core = text.prefix { $0 != "-" && $0 != "+" }
    let parts = core.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.allSatisfy { $0.isASCII && $0.isNumber } ? Int(part) : nil
    }
    guard numbers.count == parts.count, (1...3).contains(numbers.count) else { return nil }
    self.numbers = numbers + Array(repeating: 0, count: 3 - numbers.count)
  }

  static func < (left: VersionNumbers, right: VersionNumbers) -> Bool {
    left.numbers.lexicographicallyPrecedes(right.numbers)
  }
}

/// Whether a feature may be used, and why not.
public struct EntitlementStatus: Sendable, Hashable {
  /// The reason why an entitlement is not active.
  public enum Reason: String, Sendable {
    /// There is no valid license.
    case noLicense = "no_license"
    /// The license does not grant it.
    case notFound = "not_found"
    /// It has ended.
    case expired
  }

  /// True if the feature may be used.
  public var active: Bool
  /// The reason why it may not; nil if it may.
  public var reason: Reason?
  /// The time at which the entitlement ends or has ended.
  public var expiresAt: LicenseDate?
  /// The entitlement, if the license lists it.
  public var entitlement: Entitlement?

  /// Makes a status.
  public init(
    active: Bool, reason: Reason? = nil, expiresAt: LicenseDate? = nil,
    entitlement: Entitlement? = nil
  ) {
    self.active = active
    self.reason = reason
    self.expiresAt = expiresAt
    self.entitlement = entitlement
  }
}

/// The answer to whether a license is valid.
public struct LicenseValidationResult: Sendable, Hashable {
  /// True if the license is valid.
  public var valid: Bool
  /// A word for the reason, for programs.
  public var code: String?
  /// The reason, for people.
  public var message: String?
  /// The license; nil if the server did not describe one.
  public var license: License?
  /// True if the answer was found without the server, from a signed grant.
  public var offline: Bool

  /// Makes a result.
  public init(
    valid: Bool, code: String? = nil, message: String? = nil, license: License? = nil,
    offline: Bool = false
  ) {
    self.valid = valid
    self.code = code
    self.message = message
    self.license = license
    self.offline = offline
  }
}
