/// Something that turns a value into data, such as Foundation's `JSONEncoder`, which needs no more
/// than the declaration of conformance.
public protocol TopLevelEncoder<Output> {
  /// The data.
  associatedtype Output

  /// Returns a value as data.
  func encode<Item: Encodable>(_ value: Item) throws -> Output
}

/// Something that turns data into a value, such as Foundation's `JSONDecoder`, which needs no more
/// than the declaration of conformance.
public protocol TopLevelDecoder<Input> {
  /// The data.
  associatedtype Input

  /// Returns the value of a type that the data describe.
  func decode<Item: Decodable>(_ type: Item.Type, from data: Input) throws -> Item
}

extension Publisher {
  /// Turns each value into data. Fails with what the encoder throws.
  public func encode<Coder: TopLevelEncoder>(
    encoder: Coder
  ) -> TryCompactMap<AnyFailing, Coder.Output> where Output: Encodable {
    eraseFailure().tryMap { value in try encoder.encode(value) }
  }

  /// Turns data into values of a type. Fails with what the decoder throws.
  public func decode<Item: Decodable, Coder: TopLevelDecoder>(
    type: Item.Type, decoder: Coder
  ) -> TryCompactMap<AnyFailing, Item> where Output == Coder.Input {
    eraseFailure().tryMap { data in try decoder.decode(type, from: data) }
  }
}
