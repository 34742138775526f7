import Values

/// A grant that waits for the key that signed it.
struct PendingGrant {
  enum Form {
    case token
    case machineFile
  }

  var form: Form
  var text: String
  var keyID: String
}

// Grants: fetching, keeping and judging.
extension LicenseMachine {
  mutating func fetchToken(_ call: CallID?) {
    guard let activation = cache.activation else {
      emit(.error, ["message": LicenseError.noActiveLicense.message])
      emit(.offlineTokenFetchError, ["error": LicenseError.noActiveLicense])
      return finish(call, .failure(.noActiveLicense))
    }
    emit(.offlineTokenFetching, ["licenseKey": activation.key])
    fetch(.offlineToken, activation, call)
  }

  mutating func fetchMachineFile(_ call: CallID) {
    guard let activation = cache.activation else {
      emit(.machineFileFetchError, ["error": LicenseError.noActiveLicense])
      return finish(call, .failure(.noActiveLicense))
    }
    emit(.machineFileFetching, ["licenseKey": activation.key])
    fetch(.machineFile, activation, call)
  }

  private mutating func fetch(
    _ operation: LicenseOperation, _ activation: LicenseCache.Activation, _ call: CallID?
  ) {
    supersede(.signingKey)
    supersede(operation)
    ask(request(operation, key: activation.key, device: activation.device, call))
  }

  mutating func grantArrived(_ request: PendingRequest, _ answer: Result<Value, LicenseError>) {
    let form: PendingGrant.Form = request.operation == .machineFile ? .machineFile : .token
    switch answer {
    case .failure(let error): grantFailed(form, request, error)
    case .success(let value):
      guard isCurrent(request) else {
        return finish(request.call, .failure(.superseded(request.operation)))
      }
      let text = value.json()
      emit(form == .token ? .offlineTokenFetched : .machineFileFetched, ["licenseKey": request.key])
      switch read(form, text, key: request.key, device: request.device) {
      case .failure(let problem): grantFailed(form, request, refusal(problem))
      case .success(let grant):
        settle(
          grant, PendingGrant(form: form, text: text, keyID: grant.claims.keyID), request,
          mayFetchKey: true)
      }
    }
  }

  /// Keeps a grant whose signature holds; asks for the key if it is unknown or another one.
  private mutating func settle(
    _ grant: SignedGrant, _ pendingGrant: PendingGrant, _ request: PendingRequest,
    mayFetchKey: Bool
  ) {
    switch grant.problem(withKey: signingKey(grant.claims.keyID)) {
    case nil:
      keep(pendingGrant, grant.claims)
      finish(request.call, .success(.done))
    case .noKey, .invalidSignature:
      let isPinned = configuration.signingKeys[grant.claims.keyID] != nil
      guard mayFetchKey, !isPinned else { return unverified(grant, pendingGrant.form, request) }
      fetchKey(pendingGrant, request)
    default: unverified(grant, pendingGrant.form, request)
    }
  }

  private mutating func unverified(
    _ grant: SignedGrant, _ form: PendingGrant.Form, _ request: PendingRequest
  ) {
    let problem = GrantProblem.invalidSignature
    switch form {
    case .token: emit(.offlineTokenVerificationFailed, ["kid": grant.claims.keyID])
    case .machineFile:
      emit(
        .machineFileVerificationFailed, ["kid": grant.claims.keyID, "code": problem.rawValue])
    }
    finish(request.call, .failure(refusal(problem)))
  }

  private mutating func keep(_ grant: PendingGrant, _ claims: GrantClaims) {
    switch grant.form {
    case .token:
      cache.offlineToken = grant.text
      emit(.offlineTokenReady, ["kid": claims.keyID, "exp": claims.expiresAt])
    case .machineFile:
      cache.machineFile = grant.text
      emit(
        .machineFileReady,
        ["kid": claims.keyID, "expiresAt": LicenseDate(seconds: claims.expiresAt)])
    }
  }

  private mutating func grantFailed(
    _ form: PendingGrant.Form, _ request: PendingRequest, _ error: LicenseError
  ) {
    emit(
      form == .token ? .offlineTokenFetchError : .machineFileFetchError,
      ["licenseKey": request.key, "error": error])
    finish(request.call, .failure(error))
  }

  private mutating func fetchKey(_ grant: PendingGrant, _ request: PendingRequest) {
    var asking = self.request(.signingKey, key: request.key, device: request.device, request.call)
    asking.grant = grant
    asking.path = "/signing_keys/\(grant.keyID)"
    let isPlain = grant.keyID.utf8.allSatisfy {
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "-_.".utf8.contains($0)
    }
    guard isPlain, !grant.keyID.isEmpty else {
      return grantFailed(grant.form, request, refusal(.metadataMismatch))
    }
    ask(asking)
  }

  mutating func signingKeyArrived(
    _ request: PendingRequest, _ answer: Result<Value, LicenseError>
  ) {
    guard let grant = request.grant else { return }
    switch answer {
    case .failure(let error): grantFailed(grant.form, request, error)
    case .success(let value):
      guard value.entry("key_id")?.wireText == grant.keyID,
        value.entry("algorithm") == "Ed25519",
        let key = value.entry("public_key")?.wireText,
        Base64.decode(key)?.count == Ed25519.keySize
      else { return grantFailed(grant.form, request, .invalidResponse) }
      guard isCurrent(request),
        case .success(let signed) = read(
          grant.form, grant.text, key: request.key, device: request.device)
      else { return finish(request.call, .failure(.superseded(.signingKey))) }
      cache.keep(key: key, id: grant.keyID)
      settle(signed, grant, request, mayFetchKey: false)
    }
  }

  private func signingKey(_ id: String) -> String? {
    configuration.signingKeys[id] ?? cache.signingKeys.first { $0.id == id }?.key
  }

  private func refusal(_ problem: GrantProblem) -> LicenseError {
    LicenseError(
      code: problem.rawValue, status: 200, message: "The grant was refused: \(problem.rawValue)")
  }
}

// Judging.
extension LicenseMachine {
  private func read(
    _ form: PendingGrant.Form, _ text: String, key: String, device: String
  ) -> Result<SignedGrant, GrantProblem> {
    switch form {
    case .token: SignedGrant.token(text)
    case .machineFile: SignedGrant.machineFile(text, key: key, device: device)
    }
  }

  /// The stored grant: the machine file if there is one, else the token.
  private var storedGrant: Result<SignedGrant, GrantProblem> {
    if let text = cache.machineFile, let activation = cache.activation {
      return read(.machineFile, text, key: activation.key, device: activation.device)
    }
    guard let text = cache.offlineToken else { return .failure(.noToken) }
    return SignedGrant.token(text)
  }

  var storedKeyID: String? {
    if case .success(let grant) = storedGrant { return grant.claims.keyID }
    let value = cache.offlineToken.flatMap { strictJSON(Array($0.utf8)) }
    return value?.entry("token")?.entry("kid")?.wireText
  }

  /// Returns the claims of the stored grant if it confirms the license now.
  func checkedGrant(
    of activation: LicenseCache.Activation
  ) -> Result<GrantClaims, GrantProblem> {
    guard configuration.offlineFallback != .never else { return .failure(.offlineDisabled) }
    guard configuration.permitsOffline else { return .failure(.invalidConfiguration) }
    return storedGrant.flatMap { grant in
      let claims = grant.claims
      let problem =
        grant.problem(withKey: signingKey(claims.keyID)) ?? mismatch(claims, activation)
        ?? timeProblem(claims)
      return problem.map { .failure($0) } ?? .success(claims)
    }
  }

  private func mismatch(
    _ claims: GrantClaims, _ activation: LicenseCache.Activation
  ) -> GrantProblem? {
    if claims.licenseKey != activation.key { return .licenseMismatch }
    if claims.productSlug != configuration.productSlug { return .productMismatch }
    guard case .success(claims.device) = device, claims.device == activation.device else {
      return .fingerprintMismatch
    }
    return nil
  }

  private func timeProblem(_ claims: GrantClaims) -> GrantProblem? {
    let skew = configuration.clockSkewSeconds
    let longest = configuration.maxOfflineDays * 86_400
    if claims.issuedAt > now.seconds + skew { return .clockTamper }
    if now.seconds >= claims.expiresAt + claims.grace { return .tokenExpired }
    if claims.notBefore > now.seconds { return .notYetValid }
    if let end = claims.licenseExpiresAt, now >= end { return .licenseExpired }
    if longest > 0, now.seconds - claims.issuedAt > longest { return .gracePeriodExpired }
    return now.seconds + skew < cache.lastSeen ? .clockTamper : nil
  }
}
