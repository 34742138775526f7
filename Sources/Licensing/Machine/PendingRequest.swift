import Protocols
import Values

/// The activation that a request is about. An answer changes the cache only if it is still there:
/// another one may have replaced it, even one of the same key.
struct ActivationIdentity: Equatable {
  var key: String
  var device: String
  var id: String
}

/// A request that waits for its answer or for its next try.
struct PendingRequest {
  enum Origin {
    case caller
    case schedule
    case launch
  }

  let operation: LicenseOperation
  let key: String
  let device: String
  /// The activation when the request was made.
  let asked: ActivationIdentity?
  let origin: Origin
  let call: CallID?
  /// The license when the request was made.
  var license: License?
  /// The grant for which a signing key is fetched.
  var grant: PendingGrant?
  var path: String
  var id = TryID(number: 0)
  var tries = 0
}

// Requests, their tries and their ends.
extension LicenseMachine {
  var identity: ActivationIdentity? {
    cache.activation.map { ActivationIdentity(key: $0.key, device: $0.device, id: $0.id) }
  }

  /// Returns a request about a license key.
  func request(
    _ operation: LicenseOperation, key: String, device: String, _ call: CallID?,
    origin: PendingRequest.Origin = .caller
  ) -> PendingRequest {
    PendingRequest(
      operation: operation, key: key, device: device, asked: identity, origin: origin, call: call,
      license: cache.activation?.license,
      path: "/products/\(configuration.productSlug)/licenses/\(operation.rawValue)")
  }

  /// Returns whether the activation that a request is about is still there.
  func isCurrent(_ request: PendingRequest) -> Bool {
    guard let asked = request.asked, asked == identity else { return false }
    return asked.key == request.key && asked.device == request.device
  }

  mutating func ask(_ request: PendingRequest) {
    drop(request.operation)
    pending[request.operation] = request
    attempt(request.operation)
  }

  private mutating func attempt(_ operation: LicenseOperation) {
    guard var request = pending[operation] else { return }
    request.id = nextTry()
    request.tries += 1
    pending[operation] = request
    perform(.setTimer(.timeout(operation), configuration.timeout))
    perform(.send(operation, request.id, wireRequest(request)))
  }

  /// Ends a request without a result for its call.
  mutating func drop(_ operation: LicenseOperation) {
    guard pending.removeValue(forKey: operation) != nil else { return }
    perform(.cancelTimer(.timeout(operation)))
    perform(.cancelTimer(.retry(operation)))
    perform(.cancel(operation))
  }

  /// Ends a request because of a newer one; its call fails.
  mutating func supersede(_ operation: LicenseOperation) {
    guard let request = pending[operation] else { return }
    drop(operation)
    finish(request.call, .failure(.superseded(operation)))
  }

  mutating func abandon(_ call: CallID) {
    let found = LicenseOperation.allCases.first { pending[$0]?.call == call }
    guard let found, let request = pending[found] else { return }
    drop(found)
    finished(request, .failure(.cancelled))
  }

  mutating func receive(
    _ operation: LicenseOperation, _ id: TryID,
    _ result: Result<LicenseResponse, LicenseTransportError>
  ) {
    guard let request = pending[operation], request.id == id else { return }
    switch result {
    case .success(let response):
      if (200..<300).contains(response.status), !isOnline { consequences.append(.reached) }
      answered(request, response.content)
    case .failure(let error):
      answered(request, .failure(LicenseError(code: "network_error", message: error.message)))
    }
  }

  mutating func timeOut(_ operation: LicenseOperation) {
    guard let request = pending[operation] else { return }
    perform(.cancel(operation))
    let error = LicenseError(code: "timeout", message: "The server did not answer in time.")
    answered(request, .failure(error))
  }

  private mutating func answered(
    _ request: PendingRequest, _ answer: Result<Value, LicenseError>
  ) {
    let operation = request.operation
    perform(.cancelTimer(.timeout(operation)))
    if case .failure(let error) = answer {
      let isUnanswered = error.status == 408 || error.status == 0 && error.isUnreachable
      if isOnline, isUnanswered { consequences.append(.unreached) }
      if isRetryable(error), operation != .health, request.tries < configuration.tries {
        // A late answer to this try is not wanted any more.
        let unanswered = nextTry()
        pending[operation]?.id = unanswered
        let pause = configuration.pause(afterTries: request.tries)
        return perform(.setTimer(.retry(operation), pause))
      }
    }
    pending[operation] = nil
    finished(request, answer)
  }

  private func isRetryable(_ error: LicenseError) -> Bool {
    switch error.status {
    case 0: error.isUnreachable
    case 408, 429: true
    case 501: false
    default: error.status >= 500
    }
  }

  mutating func retry(_ operation: LicenseOperation) { attempt(operation) }

  private mutating func finished(
    _ request: PendingRequest, _ answer: Result<Value, LicenseError>
  ) {
    switch request.operation {
    case .activate: activationEnded(request, answer)
    case .validate: validationEnded(request, answer)
    case .deactivate: deactivationEnded(request, answer)
    case .heartbeat: heartbeatEnded(request, answer)
    case .offlineToken, .machineFile: grantArrived(request, answer)
    case .signingKey: signingKeyArrived(request, answer)
    case .health: healthEnded(answer)
    }
  }
}

// The wire format.
extension LicenseMachine {
  private func wireRequest(_ request: PendingRequest) -> LicenseRequest {
    let isGet = request.operation == .health || request.operation == .signingKey
    var headers = [
      (name: "Authorization", value: "Bearer \(configuration.apiKey)"),
      (name: "Accept", value: "application/json"),
    ]
    if !isGet { headers.append((name: "Content-Type", value: "application/json")) }
    return LicenseRequest(
      method: isGet ? "GET" : "POST", url: configuration.baseURL + request.path, headers: headers,
      body: isGet ? [] : content(request).jsonBytes, timeout: configuration.timeout)
  }

  private func content(_ request: PendingRequest) -> Value {
    let isActivation = request.operation == .activate
    let isFile = request.operation == .machineFile
    let name = isActivation ? configuration.deviceName : nil
    return wireMap([
      ("license_key", .string(request.key)), ("fingerprint", .string(request.device)),
      ("device_name", name.map { .string($0) }),
      ("device_id", isFile ? .string(request.device) : nil),
      ("device_fingerprint", isFile ? .string(request.device) : nil),
    ])
  }

  /// The reason why no request can be made about a key; nil if one can.
  func inputError(_ key: String) -> LicenseError? {
    let hasControl = key.unicodeScalars.contains { $0.properties.generalCategory == .control }
    let isTrimmed = key.first?.isWhitespace == false && key.last?.isWhitespace == false
    if configuration.productSlug.isEmpty {
      return LicenseError(code: "missing_product", message: "No product is configured.")
    }
    if case .success(let device) = device, device.utf8.count < 8 {
      return LicenseError(
        code: "invalid_fingerprint", message: "A fingerprint has at least 8 bytes.")
    }
    if !isTrimmed || key.utf8.count > 512 || hasControl {
      return LicenseError(code: "invalid_license_key", message: "This is not a license key.")
    }
    if configuration.retryDelay < .zero {
      return LicenseError(
        code: "invalid_retry_configuration", message: "The delay of retries is negative.")
    }
    return hasUsableURL
      ? nil
      : LicenseError(
        code: "invalid_base_url",
        message: "The base URL begins with `https://`, or with `http://` for this machine alone.")
  }

  private var hasUsableURL: Bool {
    guard case .success(let url) = AbsoluteURL.read(configuration.baseURL), url.socket == nil,
      url.credentials == nil
    else { return false }
    return url.isSecure || ["localhost", "127.0.0.1", "::1"].contains(url.host)
  }
}
