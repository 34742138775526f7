import Values

/// A Swift type whose values a scenario's values become by its own rule.
///
/// Types that are `Decodable` need it not.
public protocol ScenarioDecodable {
  /// Makes the value; throws if it cannot be made.
  init(scenarioValue: Value) throws
}

/// The reason why a scenario's value is no value of a Swift type.
public struct ScenarioValueError: Error, CustomStringConvertible {
  /// The text for a person.
  public var description: String

  /// Makes an error with its text.
  public init(_ description: String) { self.description = description }
}

extension Value {
  /// Makes a Swift value of this one.
  public func decoded<Decoded: Decodable>(as type: Decoded.Type = Decoded.self) throws -> Decoded {
    if let own = type as? any ScenarioDecodable.Type {
      guard let made = try own.init(scenarioValue: self) as? Decoded else {
        throw ScenarioValueError("`\(type)` makes another type")
      }
      return made
    }
    if let value = self as? Decoded { return value }
    do { return try Decoded(from: ScenarioValueDecoder(self)) } catch let error as DecodingError {
      throw ScenarioValueError(error.inWords)
    }
  }
}

extension DecodingError {
  /// The message with the path to the part that does not fit.
  fileprivate var inWords: String {
    switch self {
    case .keyNotFound(let key, let context): place(context) + "`\(key.stringValue)` is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      place(context) + context.debugDescription
    @unknown default: "\(self)"
    }
  }

  private func place(_ context: Context) -> String {
    let path = context.codingPath.map(\.stringValue).joined(separator: ".")
    return path.isEmpty ? "" : "`\(path)`: "
  }
}
