import Values

/// A decoder that reads a scenario's value.
///
/// It is a little more lenient than decoders of JSON, so that the payload of an action may be
/// written in each of the ways in which scenarios write it.
struct ScenarioValueDecoder: Decoder {
  let value: Value
  let codingPath: [any CodingKey]
  /// True for the payload of an enum's case.
  private let isPayload: Bool
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ value: Value, at path: [any CodingKey] = [], isPayload: Bool = false) {
    self.value = value
    codingPath = path
    self.isPayload = isPayload
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    switch value {
    case .map: KeyedDecodingContainer(MembersReader(self, isPayload: isPayload))
    case .string where !isPayload: KeyedDecodingContainer(MembersReader(self, isPayload: false))
    default:
      if isPayload {
        KeyedDecodingContainer(MembersReader(self, isPayload: true))
      } else {
        throw mismatch(Key.self, "a map")
      }
    }
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .list(let items) = value else { throw mismatch([Any].self, "a list") }
    return ItemsReader(items, codingPath)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    ScalarReader(decoder: self)
  }

  func mismatch(_ type: Any.Type, _ wanted: String) -> DecodingError {
    .typeMismatch(
      type,
      .init(
        codingPath: codingPath,
        debugDescription: "\(wanted) is needed, not \(value.display(maxLength: 60))"))
  }

  /// Reads a value of any type from this one.
  func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
    if let value = value as? Decoded { return value }
    if let own = type as? any ScenarioDecodable.Type,
      let made = try own.init(scenarioValue: value) as? Decoded
    {
      return made
    }
    if type == Duration.self, case .duration(let span) = value,
      let made = Duration(span) as? Decoded
    {
      return made
    }
    return try Decoded(from: self)
  }
}

/// The members of a map. Text stands for a map with this key: the name of a case without payload.
private struct MembersReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoder: ScenarioValueDecoder
  private let isPayload: Bool
  private let members: [(name: String, value: Value)]

  init(_ decoder: ScenarioValueDecoder, isPayload: Bool) {
    self.decoder = decoder
    self.isPayload = isPayload
    switch decoder.value {
    case .map(let map): members = map.map { ($0.key.plainText, $0.value) }
    case .string(let name) where !isPayload: members = [(name, .null)]
    default: members = []
    }
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { members.compactMap { Key(stringValue: $0.name) } }

  func contains(_ key: Key) -> Bool { find(key) != nil }

  /// The value of a member. The payload of a case may be the only parameter itself, or the list of
  /// all.
  private func find(_ key: Key) -> Value? {
    if let member = members.first(where: { $0.name == key.stringValue }) { return member.value }
    guard isPayload else { return nil }
    if let position = key.position {
      if case .list(let items) = decoder.value, position > 0 {
        return items.indices.contains(position) ? items[position] : nil
      }
      return position == 0 && decoder.value != .null ? decoder.value : nil
    }
    if case .map = decoder.value { return nil }
    return decoder.value == .null ? nil : decoder.value
  }

  private func reader(_ key: Key) throws -> ScenarioValueDecoder {
    guard let value = find(key) else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "it is missing"))
    }
    return ScenarioValueDecoder(value, at: codingPath + [key])
  }

  func decodeNil(forKey key: Key) throws -> Bool { find(key) ?? .null == .null }

  func decode<Decoded: Decodable>(_ type: Decoded.Type, forKey key: Key) throws -> Decoded {
    let whole = try reader(key)
    do { return try whole.decode(type) } catch {
      // `_0` of several parameters that are written as a list.
      guard isPayload, key.position == 0, case .list(let items) = whole.value,
        let first = items.first
      else { throw error }
      return try ScenarioValueDecoder(first, at: codingPath + [key]).decode(type)
    }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    let value = find(key) ?? .null
    return try ScenarioValueDecoder(value, at: codingPath + [key], isPayload: true)
      .container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try reader(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { decoder }
  func superDecoder(forKey key: Key) throws -> any Decoder { try reader(key) }
}

extension CodingKey {
  /// The position of a parameter without a label: 1 for `_1`.
  fileprivate var position: Int? {
    stringValue.hasPrefix("_") ? Int(stringValue.dropFirst()) : nil
  }
}

private struct ItemsReader: UnkeyedDecodingContainer {
  private let items: [Value]
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(_ items: [Value], _ codingPath: [any CodingKey]) {
    self.items = items
    self.codingPath = codingPath
  }

  var count: Int? { items.count }
  var isAtEnd: Bool { currentIndex == items.count }

  private mutating func next() throws -> ScenarioValueDecoder {
    let path = codingPath + [ItemKey(intValue: currentIndex)]
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        Any.self, .init(codingPath: path, debugDescription: "the list has no further item"))
    }
    defer { currentIndex += 1 }
    return ScenarioValueDecoder(items[currentIndex], at: path)
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, items[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
    try next().decode(type)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try next().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { try next() }
}

private struct ItemKey: CodingKey {
  let intValue: Int?
  var stringValue: String { intValue.map { "[\($0)]" } ?? "" }

  init(intValue: Int) { self.intValue = intValue }
  init?(stringValue: String) { return nil }
}

private struct ScalarReader: SingleValueDecodingContainer {
  let decoder: ScenarioValueDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { decoder.value == .null }

  func decode(_ type: Bool.Type) throws -> Bool {
    if case .bool(let value) = decoder.value { return value }
    throw decoder.mismatch(type, "true or false")
  }

  func decode(_ type: String.Type) throws -> String {
    if case .string(let value) = decoder.value { return value }
    throw decoder.mismatch(type, "text")
  }

  func decode(_ type: Double.Type) throws -> Double {
    switch decoder.value {
    case .double(let value): return value
    case .int(let value): return Double(value)
    case .uint(let value): return Double(value)
    case .digits(let text): return Double(text) ?? .infinity
    default: throw decoder.mismatch(type, "a number")
    }
  }

  func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
  func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

  private func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
    let number: Number? =
      switch decoder.value {
      case .int(let value): Number(exactly: value)
      case .uint(let value): Number(exactly: value)
      case .double(let value): Number(exactly: value)
      default: nil
      }
    if let number { return number }
    throw decoder.mismatch(type, "a whole number")
  }

  func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
    try decoder.decode(type)
  }
}

extension Duration {
  fileprivate init(_ span: TimeSpan) {
    self = .seconds(span.seconds) + .nanoseconds(Int64(span.nanoseconds))
  }
}
