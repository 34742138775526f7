import Values

/// Returns a value as JSON, by its `Encodable` conformance.
///
/// Properties are written in the order in which the type encodes them. Throws an `EncodingError`
/// for numbers that JSON does not have, and what the type itself throws.
package func encodeJSON(_ value: some Encodable) throws -> [UInt8] {
  try EncodedNode.value(of: value, at: []).jsonBytes
}

/// Returns the value of a JSON text, by the type's `Decodable` conformance.
///
/// Throws a `DecodingError`: `dataCorrupted` if the text is not JSON, the others if it does not fit
/// the type.
package func decodeJSON<Decoded: Decodable>(
  _ type: Decoded.Type, from bytes: some Collection<UInt8>
) throws -> Decoded {
  switch parseJSON(bytes) {
  case .success(let value): try decodeJSON(type, from: value)
  case .failure(let problem):
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: [], debugDescription: "\(problem.message) (byte \(problem.offset))"))
  }
}

/// Returns the value of a type from a value of JSON, such as a row of a database.
package func decodeJSON<Decoded: Decodable>(
  _ type: Decoded.Type, from value: Value
) throws -> Decoded {
  try ValueDecoder(value: value, codingPath: []).decode(type)
}

/// The key of an element of a list.
struct IndexKey: CodingKey {
  var intValue: Int?
  var stringValue: String { intValue.map { "Index \($0)" } ?? "" }

  init(_ index: Int) { intValue = index }
  init?(intValue: Int) { self.intValue = intValue }
  init?(stringValue: String) { nil }
}

/// The key of the part that a superclass codes.
struct SuperKey: CodingKey {
  var stringValue: String { "super" }
  var intValue: Int? { nil }

  init() {}
  init?(intValue: Int) { nil }
  init?(stringValue: String) { nil }
}
