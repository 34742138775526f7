import ScenarioTesting

@testable import Licensing

// The forms in which the scenarios write what the client knows and reports.

extension Value {
  var text: String { if case .string(let text) = self { text } else { "" } }
  var number: Int { if case .int(let number) = self { number } else { 0 } }

  var duration: Duration {
    guard case .duration(let span) = self else { return .zero }
    return .seconds(span.seconds) + .nanoseconds(Int64(span.nanoseconds))
  }

  /// Makes a map; entries without a value are null.
  fileprivate static func entries(_ entries: KeyValuePairs<String, Value?>) -> Value {
    .map(ValueMap(entries.map { (.string($0), $1 ?? .null) }))
  }

  fileprivate init(_ text: String?) { self = text.map { .string($0) } ?? .null }
}

extension LicenseDate: ScenarioEncodable {
  public var scenarioValue: Value {
    .timestamp(Timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds)))
  }
}

extension LicenseError: ScenarioEncodable {
  public var scenarioValue: Value {
    ["status": .int(status), "code": .string(code), "message": .string(message)]
  }
}

extension Entitlement: ScenarioEncodable {
  public var scenarioValue: Value {
    .entries(["key": .string(key), "expires_at": Value(expiresAt?.description)])
  }
}

extension License: ScenarioEncodable {
  public var scenarioValue: Value {
    guard case .map(var map) = wire else { return .null }
    map["object"] = "license"
    return .map(map)
  }
}

extension LicenseValidationResult: ScenarioEncodable {
  public var scenarioValue: Value {
    .entries([
      "object": "validation_result", "valid": .bool(valid), "code": Value(code),
      "message": Value(message), "license": license?.scenarioValue,
    ])
  }
}

extension EntitlementStatus: ScenarioEncodable {
  public var scenarioValue: Value {
    .entries([
      "active": .bool(active), "reason": Value(reason?.rawValue),
      "entitlement": entitlement?.scenarioValue, "expiresAt": Value(expiresAt?.description),
    ])
  }
}

extension LicenseStatus: ScenarioEncodable {
  public var scenarioValue: Value {
    switch self {
    case .active(let details): ["active": details.scenarioValue]
    case .offlineValid(let details): ["offlineValid": details.scenarioValue]
    case .inactive(let message): ["inactive": .string(message)]
    case .pending(let message): ["pending": .string(message)]
    case .invalid(let message): ["invalid": .string(message)]
    case .offlineInvalid(let message): ["offlineInvalid": .string(message)]
    }
  }

  /// What the program may use.
  var entitlements: [Entitlement] {
    switch self {
    case .active(let details), .offlineValid(let details): details.entitlements
    case .inactive, .pending, .invalid, .offlineInvalid: []
    }
  }
}

extension LicenseStatusDetails: ScenarioEncodable {
  public var scenarioValue: Value {
    [
      "license": .string(license), "device": .string(device),
      "activatedAt": .string(activatedAt.description),
      "lastValidated": .string(lastValidated.description),
      "entitlements": .list(entitlements.map(\.scenarioValue)),
    ]
  }
}

extension LicenseEvent: ScenarioEncodable {
  public var scenarioValue: Value { Value(reflecting: data) }
}

extension LicenseCache.Activation: ScenarioEncodable {
  public var scenarioValue: Value {
    [
      "key": .string(key), "device": .string(device), "activationId": .string(id),
      "activatedAt": .string(activatedAt.description), "license": license.scenarioValue,
    ]
  }

  /// Makes an activation of what a scenario writes into the cache.
  init(written value: Value) {
    let key = value["key"]?.text ?? ""
    self.init(
      key: key, device: value["device"]?.text ?? "", id: value["activationId"]?.text ?? "",
      activatedAt: LicenseDate(seconds: 946_684_800), license: License(key: key))
  }
}

extension LicenseCache.Validation: ScenarioEncodable {
  public var scenarioValue: Value {
    .entries([
      "valid": .bool(result.valid), "code": Value(result.code), "message": Value(result.message),
      "license": result.license?.scenarioValue, "at": .string(at.description),
    ])
  }
}

extension LicenseMachine.OfflineCheck: ScenarioEncodable {
  public var scenarioValue: Value {
    ["key": .string(key), "valid": .bool(isValid), "code": .string(code)]
  }
}
