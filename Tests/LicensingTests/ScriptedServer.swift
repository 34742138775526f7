import Licensing
import Publishers
import Values

/// What a scripted server answers instead of the usual.
struct ScriptedAnswer: Sendable {
  var status: Int?
  var code: String?
  var message: String?
  var valid = true
  var after = Duration.zero
  var drops = false
  var stalls = false
  var body: String?
  var id: String?
  var key: String?
  var device: String?
  var slug: String?
  var licenseStatus: String?
}

/// A license server in memory.
@MainActor
final class ScriptedServer: LicenseTransport {
  struct Received: Equatable {
    var operation: String
    var at: Int64
  }

  /// By operation, such as `validate`.
  var answers: [String: ScriptedAnswer] = [:]
  /// For the next requests about licenses, one after the other.
  var next: [ScriptedAnswer] = []
  var isDown = false
  var entitlements: Value = [["key": "premium-features", "expires_at": .null]]
  var tokenLifetime = 30 * 86_400
  /// The time at which tokens are signed, relative to the server's clock.
  var tokenOffset = 0
  var changeToken: (Value) -> Value = { $0 }
  var signer = Signer.first
  var requests: [Received] = []
  var bodies: [Value] = []
  private(set) var activations = 0
  private let scheduler: VirtualScheduler

  init(_ scheduler: VirtualScheduler) { self.scheduler = scheduler }

  var operations: [String] { requests.map(\.operation) }

  func forgetRequests() { requests = [] }

  func send(
    _ request: LicenseRequest,
    completion: @escaping @MainActor (Result<LicenseResponse, LicenseTransportError>) -> Void
  ) -> any Cancellable {
    let path = request.url.dropFirst("https://licenses.example/api/v1".count)
    let operation = String(path.split(separator: "/").last ?? "")
    requests.append(Received(operation: operation, at: scheduler.now))
    let content = (try? parseJSON(request.body).get()) ?? .null
    bodies.append(content)
    let isQueued = path.hasPrefix("/products") && !next.isEmpty
    let answer = isQueued ? next.removeFirst() : answers[operation] ?? ScriptedAnswer()
    if answer.stalls { return AnyCancellable {} }
    let result: Result<LicenseResponse, LicenseTransportError> =
      isDown || answer.drops
      ? .failure(LicenseTransportError("the connection was lost"))
      : .success(response(to: operation, path: String(path), content, answer))
    return scheduler.schedule(after: answer.after) { completion(result) }
  }

  private func response(
    to operation: String, path: String, _ content: Value, _ answer: ScriptedAnswer
  ) -> LicenseResponse {
    if let body = answer.body { return LicenseResponse(status: answer.status ?? 200, text: body) }
    if let status = answer.status {
      let error: Value = [
        "error": [
          "code": .string(answer.code ?? ""),
          "message": .string(answer.message ?? "Request failed"),
        ]
      ]
      return LicenseResponse(status: status, text: error.json())
    }
    if path.hasPrefix("/signing_keys") {
      return LicenseResponse(status: 200, text: signer.keyAnswer(operation).json())
    }
    return LicenseResponse(
      status: operation == "activate" ? 201 : 200,
      text: usual(operation, content, answer).json())
  }

  private func usual(_ operation: String, _ content: Value, _ answer: ScriptedAnswer) -> Value {
    switch operation {
    case "activate": activation(content, answer)
    case "validate":
      [
        "object": "validation_result", "valid": .bool(answer.valid), "code": text(answer.code),
        "message": text(answer.message), "license": license(content, answer),
      ]
    case "deactivate":
      ["object": "deactivation", "activation_id": .string(answer.id ?? "act-\(activations)")]
    case "offline-token": token(content)
    case "machine-file": machineFile(content)
    default: ["object": .string(operation), "status": "healthy"]
    }
  }

  private func activation(_ content: Value, _ answer: ScriptedAnswer) -> Value {
    activations += 1
    return [
      "object": "activation", "id": .string(answer.id ?? "act-\(activations)"),
      "fingerprint": answer.device.map { .string($0) } ?? content["fingerprint"] ?? .null,
      "license_key": answer.key.map { .string($0) } ?? content["license_key"] ?? .null,
      "activated_at": .string("\(LicenseLab.start + .microseconds(scheduler.now))"),
      "license": license(content, answer),
    ]
  }

  private func license(_ content: Value, _ answer: ScriptedAnswer) -> Value {
    [
      "object": "license",
      "key": answer.key.map { .string($0) } ?? content["license_key"] ?? .null,
      "status": .string(answer.licenseStatus ?? "active"), "mode": "hardware_locked",
      "active_entitlements": entitlements,
      "product": ["slug": .string(answer.slug ?? "my-app"), "name": "My App"],
    ]
  }

  private func token(_ content: Value) -> Value {
    let now = LicenseLab.start.seconds + Int(scheduler.now / 1_000_000) + tokenOffset
    let token = changeToken([
      "schema_version": 1, "license_key": content["license_key"] ?? .null,
      "product_slug": "my-app", "fingerprint": content["fingerprint"] ?? .null,
      "iat": .int(now), "nbf": .int(now), "exp": .int(now + tokenLifetime),
      "kid": .string(signer.id), "entitlements": entitlements,
    ])
    let canonical = token.json(sortedKeys: true)
    return [
      "object": "offline_token", "token": token, "canonical": .string(canonical),
      "signature": [
        "algorithm": "Ed25519", "key_id": .string(signer.id),
        "value": .string(Base64.encode(signer.sign(canonical))),
      ],
    ]
  }

  private func machineFile(_ content: Value) -> Value {
    let now = LicenseLab.start.seconds + Int(scheduler.now / 1_000_000) + tokenOffset
    let file: Value = [
      "license": license(content, ScriptedAnswer()), "fingerprint": content["fingerprint"] ?? .null,
      "iat": .int(now), "exp": .int(now + tokenLifetime), "grace_period": 86_400,
    ]
    let key = (content["license_key"] ?? .null).plain + (content["fingerprint"] ?? .null).plain
    let sealed = seal(file.json(), secret: key)
    return [
      "object": "machine_file", "alg": "aes-256-gcm+ed25519", "enc": .string(sealed),
      "kid": .string(signer.id), "sig": .string(Base64.encode(signer.sign("machine/\(sealed)"))),
    ]
  }

  private func text(_ text: String?) -> Value { text.map { .string($0) } ?? .null }
}

extension Value {
  fileprivate var plain: String { if case .string(let text) = self { text } else { "" } }
}
