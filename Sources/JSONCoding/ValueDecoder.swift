import Values

/// A decoder of values.
struct ValueDecoder: Decoder {
  let value: Value
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .map(let map) = value else { throw mismatch([String: Any].self) }
    return KeyedDecodingContainer(KeyedValues(map: map, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .list(let list) = value else { throw mismatch([Any].self) }
    return ListedValues(list: list, codingPath: codingPath)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func mismatch(_ type: Any.Type) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath, debugDescription: "expected \(type), found \(value.kindName)")
    return isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  fileprivate var isNull: Bool {
    switch value {
    case .null, .optional(.none): true
    case .bool, .int, .uint, .double, .digits, .string, .bytes, .timestamp, .duration, .type, .list,
      .map,
      .optional:
      false
    }
  }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { isNull }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard case .bool(let truth) = value else { throw mismatch(type) }
    return truth
  }

  func decode(_ type: String.Type) throws -> String {
    guard case .string(let text) = value else { throw mismatch(type) }
    return text
  }

  func decode(_ type: Double.Type) throws -> Double {
    switch value {
    case .double(let number): number
    case .int(let number): Double(number)
    case .uint(let number): Double(number)
    case .digits(let text): Double(text) ?? .infinity
    case .null, .bool, .string, .bytes, .timestamp, .duration, .type, .list, .map, .optional:
      throw mismatch(type)
    }
  }

  func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
  func decode(_ type: Int.Type) throws -> Int { try integer() }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
  func decode(_ type: UInt.Type) throws -> UInt { try integer() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }

  func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
    // A type of one value asks this decoder again; a text or number is answered at once.
    try Decoded(from: self)
  }

  private func integer<Number: FixedWidthInteger>() throws -> Number {
    let exact: Number? =
      switch value {
      case .int(let number): Number(exactly: number)
      case .uint(let number): Number(exactly: number)
      case .double(let number): Number(exactly: number)
      case .null, .bool, .digits, .string, .bytes, .timestamp, .duration, .type, .list, .map,
        .optional:
        nil
      }
    guard let exact else { throw mismatch(Number.self) }
    return exact
  }
}

/// The values of a map, for a type with properties.
private struct KeyedValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let map: ValueMap
  let codingPath: [any CodingKey]

  var allKeys: [Key] {
    map.keys.compactMap { if case .string(let name) = $0 { Key(stringValue: name) } else { nil } }
  }

  func contains(_ key: Key) -> Bool { map[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try decoder(of: key).decodeNil() }

  func decode<Decoded: Decodable>(_ type: Decoded.Type, forKey key: Key) throws -> Decoded {
    try decoder(of: key).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder(of: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(of: key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    ValueDecoder(value: map["super"] ?? .null, codingPath: codingPath + [SuperKey()])
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(of: key) }

  private func decoder(of key: Key) throws -> ValueDecoder {
    guard let value = map[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key,
        DecodingError.Context(
          codingPath: codingPath, debugDescription: "there is no key \"\(key.stringValue)\""))
    }
    return ValueDecoder(value: value, codingPath: codingPath + [key])
  }
}

/// The values of a list, one after the other.
private struct ListedValues: UnkeyedDecodingContainer {
  let list: [Value]
  let codingPath: [any CodingKey]
  var currentIndex = 0

  var count: Int? { list.count }
  var isAtEnd: Bool { currentIndex >= list.count }

  mutating func decodeNil() throws -> Bool {
    let isNull = try decoder().decodeNil()
    if isNull { currentIndex += 1 }
    return isNull
  }

  mutating func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
    let value = try decoder().decode(type)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    defer { currentIndex += 1 }
    return try decoder().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    defer { currentIndex += 1 }
    return try decoder().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder {
    defer { currentIndex += 1 }
    return try decoder()
  }

  private func decoder() throws -> ValueDecoder {
    let path = codingPath + [IndexKey(currentIndex)]
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        Any.self,
        DecodingError.Context(codingPath: path, debugDescription: "the list has no more elements"))
    }
    return ValueDecoder(value: list[currentIndex], codingPath: path)
  }
}
