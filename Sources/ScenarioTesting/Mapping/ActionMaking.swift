import Values

/// The way from a message of a scenario, `name: payload`, to an action of a Swift type.
struct ActionMaking<Action> {
  /// The names of the type's actions, if it lists them.
  var names: [String]? {
    (Action.self as? any CaseIterable.Type)?.caseNames
  }

  /// True if actions of this type can be made from messages.
  var isPossible: Bool {
    Action.self != Never.self
      && (Action.self is any ScenarioDecodable.Type || Action.self is any CaseIterable.Type
        || Action.self is any Decodable.Type)
  }

  /// Returns whether the type has an action of this name, as far as that can be known.
  func has(_ name: String) -> Bool {
    guard isPossible else { return false }
    if Action.self is any ScenarioDecodable.Type { return true }
    if names?.contains(name) == true { return true }
    if let type = Action.self as? any Decodable.Type { return type.hasCase(name) }
    return false
  }

  /// Makes an action.
  func make(_ name: String, _ payload: Value) throws -> Action {
    let message = payload == .null ? Value.string(name) : .map(ValueMap([(.string(name), payload)]))
    if let type = Action.self as? any ScenarioDecodable.Type {
      if let made = try type.init(scenarioValue: message) as? Action { return made }
    }
    if let type = Action.self as? any CaseIterable.Type, let found = type.find(name) as? Action {
      return found
    }
    if let type = Action.self as? any Decodable.Type,
      let made = try message.decoded(as: type) as? Action
    {
      return made
    }
    throw ScenarioValueError("`\(Action.self)` has no case `\(name)`")
  }
}

extension CaseIterable {
  fileprivate static var caseNames: [String] { allCases.map { caseName(of: $0) } }

  fileprivate static func find(_ name: String) -> Any? {
    allCases.first { caseName(of: $0) == name }
  }
}

extension Decodable {
  /// Returns whether an enum has a case, without its payload.
  fileprivate static func hasCase(_ name: String) -> Bool {
    do {
      _ = try Self(from: CaseProbe(name: name))
      return true
    } catch is CaseFound {
      return true
    } catch {
      return false
    }
  }
}

/// The error that a probe throws once the type has asked for the payload of the case.
private struct CaseFound: Error {}

/// A decoder that only finds out whether an enum has a case.
private struct CaseProbe: Decoder {
  let name: String
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(CaseProbeKeys(name: name))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NoCase() }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    try ScenarioValueDecoder(.string(name)).singleValueContainer()
  }
}

private struct NoCase: Error {}

private struct CaseProbeKeys<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let name: String
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [Key(stringValue: name)].compactMap { $0 } }

  func contains(_ key: Key) -> Bool { key.stringValue == name }
  func decodeNil(forKey key: Key) throws -> Bool { throw found(key) }

  func decode<Decoded: Decodable>(_ type: Decoded.Type, forKey key: Key) throws -> Decoded {
    throw found(key)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    throw found(key)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw found(key)
  }

  func superDecoder() throws -> any Decoder { throw NoCase() }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw found(key) }

  private func found(_ key: Key) -> any Error {
    key.stringValue == name ? CaseFound() : NoCase()
  }
}
