import Values

// Reading of JSON by the kinds that the wire format has.
extension Value {
  var wireText: String? { if case .string(let text) = self { text } else { nil } }
  var wireBool: Bool? { if case .bool(let value) = self { value } else { nil } }
  var wireInt: Int? { if case .int(let value) = self { value } else { nil } }
  var wireList: [Value]? { if case .list(let elements) = self { elements } else { nil } }
  var isMap: Bool { if case .map = self { true } else { false } }

  /// A point in time: a text of RFC 3339, or the seconds since 1970.
  var wireDate: LicenseDate? {
    switch self {
    case .string(let text): LicenseDate(text)
    case .int(let seconds): LicenseDate(seconds: seconds)
    default: nil
    }
  }

  /// An id, which servers write as text or as a number.
  var wireID: String? { wireText ?? wireInt.map(String.init) }

  /// Returns the entry of a key; nil if it is missing or null.
  func entry(_ key: String) -> Value? {
    guard let value = self[key], value != .null else { return nil }
    return value
  }
}

/// Returns a map of the entries that have a value.
func wireMap(_ entries: [(String, Value?)]) -> Value {
  .map(ValueMap(entries.compactMap { key, value in value.map { (.string(key), $0) } }))
}

/// Reads JSON from outside. Of an object with a key twice, nothing is believed.
func strictJSON(_ bytes: [UInt8]) -> Value? {
  try? parseJSON(bytes, refusingDuplicateKeys: true).get()
}

extension License {
  /// Reads a license; nil if it has no key or no state.
  init?(wire value: Value) {
    guard let key = value.entry("key")?.wireText, let status = value.entry("status")?.wireText
    else { return nil }
    self.init(key: key, status: status)
    startsAt = value.entry("starts_at")?.wireDate
    expiresAt = value.entry("expires_at")?.wireDate
    mode = value.entry("mode")?.wireText
    planKey = value.entry("plan_key")?.wireText
    seatLimit = value.entry("seat_limit")?.wireInt
    activeSeats = value.entry("active_seats")?.wireInt
    entitlements = (value.entry("active_entitlements")?.wireList ?? []).compactMap(
      Entitlement.init(wire:))
    productSlug = value.entry("product")?.entry("slug")?.wireText ?? ""
    productName = value.entry("product")?.entry("name")?.wireText
    metadata = value.entry("metadata")?.json()
  }

  var wire: Value {
    wireMap([
      ("key", .string(key)), ("status", .string(status)),
      ("starts_at", startsAt.map { .string($0.description) }),
      ("expires_at", expiresAt.map { .string($0.description) }),
      ("mode", mode.map { .string($0) }), ("plan_key", planKey.map { .string($0) }),
      ("seat_limit", seatLimit.map { .int($0) }), ("active_seats", activeSeats.map { .int($0) }),
      ("active_entitlements", .list(entitlements.map(\.wire))),
      (
        "product",
        wireMap([("slug", .string(productSlug)), ("name", productName.map { .string($0) })])
      ),
      ("metadata", metadata.flatMap { try? parseJSON($0).get() }),
    ])
  }
}

extension Entitlement {
  init?(wire value: Value) {
    guard let key = value.entry("key")?.wireText else { return nil }
    let end = value.entry("expires_at")
    let expiresAt = end?.wireDate
    // An end that cannot be read must not become no end.
    if end != nil, expiresAt == nil { return nil }
    self.init(
      key: key, expiresAt: expiresAt, belowVersion: value.entry("below_version")?.wireText,
      metadata: value.entry("metadata")?.json())
  }

  var wire: Value {
    wireMap([
      ("key", .string(key)), ("expires_at", expiresAt.map { .string($0.description) }),
      ("below_version", belowVersion.map { .string($0) }),
      ("metadata", metadata.flatMap { try? parseJSON($0).get() }),
    ])
  }
}

extension LicenseValidationResult {
  init?(wire value: Value) {
    guard let valid = value.entry("valid")?.wireBool else { return nil }
    self.init(
      valid: valid, code: value.entry("code")?.wireText,
      message: value.entry("message")?.wireText,
      license: value.entry("license").flatMap(License.init(wire:)))
  }
}

extension LicenseResponse {
  /// The most bytes of an answer that are read.
  static let mostBytes = 2 << 20

  /// The JSON object of a successful answer, or the error.
  var content: Result<Value, LicenseError> {
    guard body.count <= Self.mostBytes else {
      return .failure(
        LicenseError(code: "response_too_large", status: status, message: "The answer is too long.")
      )
    }
    guard (200..<300).contains(status) else { return .failure(refusal) }
    guard let value = strictJSON(body), value.isMap else {
      return .failure(
        LicenseError(
          code: "invalid_response", status: status, message: "The answer is not a JSON object."))
    }
    return .success(value)
  }

  private var refusal: LicenseError {
    let value = strictJSON(body)
    let error = value?.entry("error") ?? value?.entry("errors")?.wireList?.first
    let texts = [error?.entry("message"), error?.entry("detail"), error?.entry("title")]
    let message = texts.compactMap { $0?.wireText }.first ?? value?.entry("message")?.wireText
    return LicenseError(
      code: error?.entry("code")?.wireText ?? "", status: status,
      message: message ?? "Request failed")
  }
}
