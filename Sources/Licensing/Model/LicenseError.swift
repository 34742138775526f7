/// The reason why an operation with a license failed.
public struct LicenseError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A word for programs: the server's own, such as `seat_limit_exceeded`, or one of this library,
  /// such as `network_error`. It is empty if the server gave none.
  public var code: String
  /// The status of the server's answer; 0 if there was none.
  public var status: Int
  /// The reason, for people.
  public var message: String

  /// Makes an error.
  public init(code: String, status: Int = 0, message: String) {
    self.code = code
    self.status = status
    self.message = message
  }

  /// The reason, for people.
  public var description: String { message }

  /// True if the license is gone on the server, so that it is removed from this device.
  public var isTerminal: Bool {
    status == 410 || LicenseError.terminalCodes.contains(code.lowercased())
  }

  /// True if the server was not reached, or could not answer.
  public var isUnreachable: Bool { code != "cancelled" && (isUnanswered || status >= 500) }

  private static let terminalCodes: Set = [
    "license_not_found", "license_invalid", "invalid_license", "revoked", "expired", "suspended",
    "not_active", "device_not_activated", "activation_not_found", "license_revoked",
    "license_expired", "license_suspended", "license_not_active",
  ]

  private var isUnanswered: Bool { status == 408 || status == 0 && isOfNetwork }
  private var isOfNetwork: Bool { code == "network_error" || code == "timeout" }

  /// True if the server knows of nothing to deactivate.
  var isGone: Bool {
    switch status {
    case 410: true
    case 404: ["license_not_found", "activation_not_found", "already_deactivated"].contains(code)
    case 422: isTerminal || code == "already_deactivated"
    default: false
    }
  }
}

extension LicenseError {
  static let noActiveLicense = LicenseError(
    code: "no_active_license", message: "No license is activated on this device.")
  static let cancelled = LicenseError(code: "cancelled", message: "The request was cancelled.")

  /// The error of a request that a newer one, or a reset, has replaced.
  static func superseded(_ operation: LicenseOperation) -> LicenseError {
    let request = operation == .activate ? "activation" : operation.rawValue
    return LicenseError(
      code: operation == .activate ? "activation_failed" : "superseded",
      message: "A newer license-state operation superseded this \(request) request.")
  }

  static func mismatch(_ what: String) -> LicenseError {
    LicenseError(
      code: "response_mismatch", status: 200, message: "The answer is about another \(what).")
  }

  static let invalidResponse = LicenseError(
    code: "invalid_response", status: 200, message: "The answer is not what the request asks for.")
}
