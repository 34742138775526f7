import Values

/// The contents of a signed grant, in any form.
struct GrantClaims: Equatable {
  var keyID: String
  var licenseKey: String
  var productSlug: String
  var device: String
  var issuedAt: Int
  var notBefore: Int
  var expiresAt: Int
  /// Seconds by which the end is put off.
  var grace = 0
  var licenseExpiresAt: LicenseDate?
  var license: License
}

/// The reason why a grant does not confirm a license.
enum GrantProblem: String, Error {
  case noToken = "no_offline_token"
  case offlineDisabled = "offline_disabled"
  case invalidConfiguration = "invalid_configuration"
  case invalidObject = "invalid_token_object"
  case metadataMismatch = "signature_metadata_mismatch"
  case payloadMismatch = "token_payload_mismatch"
  case invalidClaims = "invalid_token_claims"
  case unsupportedSchema = "unsupported_schema"
  case fingerprintMissing = "fingerprint_missing"
  case invalidTimeWindow = "invalid_time_window"
  case noKey = "no_public_key"
  case invalidSignature = "signature_invalid"
  case verificationError = "verification_error"
  case licenseMismatch = "license_mismatch"
  case productMismatch = "product_mismatch"
  case fingerprintMismatch = "fingerprint_mismatch"
  case clockTamper = "clock_tamper"
  case tokenExpired = "token_expired"
  case notYetValid = "token_not_yet_valid"
  case licenseExpired = "license_expired"
  case gracePeriodExpired = "grace_period_expired"
}

/// A grant whose form has been checked: its claims, and what was signed.
struct SignedGrant {
  var claims: GrantClaims
  var signature: [UInt8]
  var message: [UInt8]

  /// Checks the signature with a key, given as Base64.
  func problem(withKey key: String?) -> GrantProblem? {
    guard let bytes = key.flatMap(Base64.decode), bytes.count == Ed25519.keySize else {
      return .noKey
    }
    switch Ed25519.verify(signature, of: message, key: bytes) {
    case .valid: return nil
    case .invalid: return .invalidSignature
    case .unavailable: return .verificationError
    }
  }
}

extension SignedGrant {
  /// Reads the answer to a request for a token. Its `canonical` is the text that was signed, and
  /// says the same as its `token`.
  static func token(_ text: String) -> Result<SignedGrant, GrantProblem> {
    guard let value = strictJSON(Array(text.utf8)), value.entry("object") == "offline_token",
      let token = value.entry("token"), let signature = value.entry("signature"),
      let canonical = value.entry("canonical")?.wireText
    else { return .failure(.invalidObject) }
    guard signature.entry("algorithm") == "Ed25519", let keyID = token.entry("kid")?.wireText,
      signature.entry("key_id")?.wireText == keyID
    else { return .failure(.metadataMismatch) }
    guard strictJSON(Array(canonical.utf8)) == token else { return .failure(.payloadMismatch) }
    guard let bytes = signature.entry("value")?.wireText.flatMap(Base64.decode) else {
      return .failure(.invalidSignature)
    }
    return claims(token, keyID: keyID).map {
      SignedGrant(claims: $0, signature: bytes, message: Array(canonical.utf8))
    }
  }

  private static func claims(
    _ token: Value, keyID: String
  ) -> Result<GrantClaims, GrantProblem> {
    guard let schema = token.entry("schema_version")?.wireInt else {
      return .failure(.invalidClaims)
    }
    guard schema == 1 else { return .failure(.unsupportedSchema) }
    guard let key = token.entry("license_key")?.wireText,
      let product = token.entry("product_slug")?.wireText,
      let issuedAt = token.entry("iat")?.wireInt, let expiresAt = token.entry("exp")?.wireInt,
      let notBefore = token.entry("nbf")?.wireInt
    else { return .failure(.invalidClaims) }
    guard let device = token.entry("fingerprint")?.wireText, !device.isEmpty else {
      return .failure(.fingerprintMissing)
    }
    let end = token.entry("license_expires_at")
    if end != nil, end?.wireDate == nil { return .failure(.invalidClaims) }
    var license = License(key: key, planKey: token.entry("plan_key")?.wireText)
    license.mode = token.entry("mode")?.wireText
    license.seatLimit = token.entry("seat_limit")?.wireInt
    license.expiresAt = end?.wireDate
    license.productSlug = product
    license.entitlements = (token.entry("entitlements")?.wireList ?? []).compactMap(
      Entitlement.init(wire:))
    return window(
      GrantClaims(
        keyID: keyID, licenseKey: key, productSlug: product, device: device, issuedAt: issuedAt,
        notBefore: notBefore, expiresAt: expiresAt, licenseExpiresAt: end?.wireDate,
        license: license))
  }

  private static func window(_ claims: GrantClaims) -> Result<GrantClaims, GrantProblem> {
    let isWindow = claims.expiresAt > claims.issuedAt && claims.notBefore <= claims.expiresAt
    return isWindow ? .success(claims) : .failure(.invalidTimeWindow)
  }
}

extension SignedGrant {
  /// The most seconds by which a machine file may put off its end.
  private static let longestGrace = 30 * 86_400

  /// Reads the answer to a request for a machine file: encrypted for this key and device, and
  /// signed as it was encrypted.
  static func machineFile(
    _ text: String, key: String, device: String
  ) -> Result<SignedGrant, GrantProblem> {
    guard let value = strictJSON(Array(text.utf8)), value.entry("object") == "machine_file",
      let sealed = value.entry("enc")?.wireText, let keyID = value.entry("kid")?.wireText,
      let signature = value.entry("sig")?.wireText.flatMap(Base64.decode)
    else { return .failure(.invalidObject) }
    guard value.entry("alg") == "aes-256-gcm+ed25519" else { return .failure(.metadataMismatch) }
    guard let plain = AESGCM.open(sealed, key: key, device: device), let file = strictJSON(plain)
    else { return .failure(.payloadMismatch) }
    return claims(file, keyID: keyID, device: device).map {
      SignedGrant(claims: $0, signature: signature, message: Array("machine/\(sealed)".utf8))
    }
  }

  private static func claims(
    _ file: Value, keyID: String, device: String
  ) -> Result<GrantClaims, GrantProblem> {
    guard let license = file.entry("license").flatMap(License.init(wire:)),
      let issuedAt = file.entry("iat")?.wireInt, let expiresAt = file.entry("exp")?.wireInt
    else { return .failure(.invalidClaims) }
    guard let machine = file.entry("fingerprint")?.wireText, !machine.isEmpty else {
      return .failure(.fingerprintMissing)
    }
    let grace = file.entry("grace_period")?.wireInt ?? 0
    guard (0...longestGrace).contains(grace) else { return .failure(.invalidClaims) }
    return window(
      GrantClaims(
        keyID: keyID, licenseKey: license.key, productSlug: license.productSlug, device: machine,
        issuedAt: issuedAt, notBefore: file.entry("nbf")?.wireInt ?? issuedAt,
        expiresAt: expiresAt, grace: grace, licenseExpiresAt: license.expiresAt,
        license: license))
  }
}
