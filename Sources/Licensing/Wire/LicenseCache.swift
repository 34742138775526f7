import Values

/// The data that is kept between two runs of the program.
struct LicenseCache: Equatable {
  /// The license of this device and its activation.
  struct Activation: Equatable {
    var key: String
    var device: String
    var id: String
    var activatedAt: LicenseDate
    var license: License
  }

  /// The last answer about the license.
  struct Validation: Equatable {
    var result: LicenseValidationResult
    var at: LicenseDate
  }

  /// A public key of the server, as Base64.
  struct SigningKey: Equatable {
    var id: String
    var key: String
  }

  /// The version of the format on disk.
  static let version = 1
  /// The most keys that are kept.
  static let mostKeys = 64
  /// The most bytes that are kept.
  static let mostBytes = 2 << 20

  var activation: Activation?
  var validation: Validation?
  /// The answer with the signed token, as JSON text.
  var offlineToken: String?
  /// The answer with the signed machine file, as JSON text.
  var machineFile: String?
  /// Keys that sign, the newest last.
  var signingKeys: [SigningKey] = []
  /// The latest time known for certain, in seconds since 1970.
  var lastSeen = 0

  /// Removes the license, and keeps the clock's watermark and the keys.
  mutating func removeLicense() {
    activation = nil
    validation = nil
    removeGrants()
  }

  mutating func removeGrants() {
    offlineToken = nil
    machineFile = nil
  }

  mutating func keep(key: String, id: String) {
    signingKeys.removeAll { $0.id == id }
    signingKeys.append(SigningKey(id: id, key: key))
    signingKeys.removeFirst(max(0, signingKeys.count - Self.mostKeys))
  }
}

// The form on disk.
extension LicenseCache {
  /// Reads the stored form; nil if it is damaged or of another version.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.mostBytes, let value = strictJSON(bytes),
      value.entry("version")?.wireInt == Self.version
    else { return nil }
    if let stored = value.entry("activation") {
      guard let activation = Activation(wire: stored) else { return nil }
      self.activation = activation
    }
    if let stored = value.entry("validation") {
      guard let validation = Validation(wire: stored) else { return nil }
      self.validation = validation
    }
    offlineToken = value.entry("offline_token")?.wireText
    machineFile = value.entry("machine_file")?.wireText
    lastSeen = value.entry("last_seen")?.wireInt ?? 0
    signingKeys = (value.entry("signing_keys")?.wireList ?? []).compactMap { stored in
      guard let id = stored.entry("id")?.wireText, let key = stored.entry("key")?.wireText
      else { return nil }
      return SigningKey(id: id, key: key)
    }
  }

  var bytes: [UInt8] { wire.jsonBytes }

  private var wire: Value {
    wireMap([
      ("version", .int(Self.version)), ("activation", activation?.wire),
      ("validation", validation?.wire), ("offline_token", offlineToken.map { .string($0) }),
      ("machine_file", machineFile.map { .string($0) }),
      (
        "signing_keys",
        .list(signingKeys.map { wireMap([("id", .string($0.id)), ("key", .string($0.key))]) })
      ),
      ("last_seen", .int(lastSeen)),
    ])
  }
}

extension LicenseCache.Activation {
  fileprivate init?(wire value: Value) {
    guard let key = value.entry("key")?.wireText, let device = value.entry("device")?.wireText,
      let id = value.entry("id")?.wireText, let at = value.entry("activated_at")?.wireDate,
      let license = value.entry("license").flatMap(License.init(wire:))
    else { return nil }
    self.init(key: key, device: device, id: id, activatedAt: at, license: license)
  }

  fileprivate var wire: Value {
    wireMap([
      ("key", .string(key)), ("device", .string(device)), ("id", .string(id)),
      ("activated_at", .string(activatedAt.description)), ("license", license.wire),
    ])
  }
}

extension LicenseCache.Validation {
  fileprivate init?(wire value: Value) {
    guard let at = value.entry("at")?.wireDate,
      var result = LicenseValidationResult(wire: value)
    else { return nil }
    result.offline = value.entry("offline")?.wireBool ?? false
    self.init(result: result, at: at)
  }

  fileprivate var wire: Value {
    wireMap([
      ("valid", .bool(result.valid)), ("code", result.code.map { .string($0) }),
      ("message", result.message.map { .string($0) }), ("license", result.license?.wire),
      ("offline", .bool(result.offline)), ("at", .string(at.description)),
    ])
  }
}
