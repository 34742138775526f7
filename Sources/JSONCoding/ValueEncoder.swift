import Values

/// A place of the encoded tree, which is filled while a type encodes itself.
final class EncodedNode {
  private enum Content {
    case nothing
    case value(Value)
    case map([(String, EncodedNode)])
    case list([EncodedNode])
  }

  private var content = Content.nothing

  static func value(of value: some Encodable, at path: [any CodingKey]) throws -> Value {
    let node = EncodedNode()
    try value.encode(to: ValueEncoder(node: node, codingPath: path))
    return node.value
  }

  /// The encoded value. A type that encodes nothing is an empty object.
  var value: Value {
    switch content {
    case .nothing: .map(ValueMap())
    case .value(let value): value
    case .list(let nodes): .list(nodes.map(\.value))
    case .map(let entries): .map(ValueMap(entries.map { (.string($0.0), $0.1.value) }))
    }
  }

  var count: Int { if case .list(let nodes) = content { nodes.count } else { 0 } }

  func set(_ value: Value) { content = .value(value) }

  func beginMap() { if case .map = content {} else { content = .map([]) } }

  func beginList() { if case .list = content {} else { content = .list([]) } }

  func child(_ key: String) -> EncodedNode {
    guard case .map(var entries) = content else { return EncodedNode() }
    let node = EncodedNode()
    // The entries must not be copied for each key.
    content = .nothing
    entries.removeAll { $0.0 == key }
    entries.append((key, node))
    content = .map(entries)
    return node
  }

  func next() -> EncodedNode {
    guard case .list(var nodes) = content else { return EncodedNode() }
    let node = EncodedNode()
    // The list must not be copied for each element.
    content = .nothing
    nodes.append(node)
    content = .list(nodes)
    return node
  }
}

/// An encoder into a place of the tree.
struct ValueEncoder: Encoder {
  let node: EncodedNode
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.beginMap()
    return KeyedEncodingContainer(KeyedNodes(node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.beginList()
    return ListedNodes(node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension ValueEncoder: SingleValueEncodingContainer {
  func encodeNil() { node.set(.null) }
  func encode(_ value: Bool) { node.set(.bool(value)) }
  func encode(_ value: String) { node.set(.string(value)) }
  func encode(_ value: Float) throws { try encode(Double(value)) }
  func encode(_ value: Int) { node.set(.int(value)) }
  func encode(_ value: Int8) { node.set(.int(Int(value))) }
  func encode(_ value: Int16) { node.set(.int(Int(value))) }
  func encode(_ value: Int32) { node.set(.int(Int(value))) }
  func encode(_ value: Int64) { node.set(.int(Int(value))) }
  func encode(_ value: UInt8) { node.set(.int(Int(value))) }
  func encode(_ value: UInt16) { node.set(.int(Int(value))) }
  func encode(_ value: UInt32) { node.set(.int(Int(value))) }
  func encode(_ value: UInt) { node.set(Int(exactly: value).map { .int($0) } ?? .uint(value)) }
  func encode(_ value: UInt64) { encode(UInt(value)) }

  func encode(_ value: Double) throws {
    guard value.isFinite else {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(codingPath: codingPath, debugDescription: "JSON has no \(value)"))
    }
    node.set(.double(value))
  }

  func encode<Encoded: Encodable>(_ value: Encoded) throws { try value.encode(to: self) }
}

/// The places of a type's properties.
private struct KeyedNodes<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: EncodedNode
  let codingPath: [any CodingKey]

  func encodeNil(forKey key: Key) { encoder(key).encodeNil() }

  func encode<Encoded: Encodable>(_ value: Encoded, forKey key: Key) throws {
    try value.encode(to: encoder(key))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { encoder(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder(SuperKey()) }
  func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

  private func encoder(_ key: some CodingKey) -> ValueEncoder {
    ValueEncoder(node: node.child(key.stringValue), codingPath: codingPath + [key])
  }
}

/// The places of a list's elements.
private struct ListedNodes: UnkeyedEncodingContainer {
  let node: EncodedNode
  let codingPath: [any CodingKey]
  var count: Int { node.count }

  func encodeNil() { encoder().encodeNil() }
  func encode<Encoded: Encodable>(_ value: Encoded) throws { try value.encode(to: encoder()) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { encoder().container(keyedBy: type) }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }
  func superEncoder() -> any Encoder { encoder() }

  private func encoder() -> ValueEncoder {
    ValueEncoder(node: node.next(), codingPath: codingPath + [IndexKey(node.count)])
  }
}
