import TextSearch

/// The way to parts of a value: `headers.x-request-id`, `body.items.*.id`. A `*` stands for each
/// key and each element.
public struct ValuePart: Sendable, Hashable {
  public var keys: [String]

  public init(_ keys: [String]) { self.keys = keys }

  /// Returns the values at these places.
  public func values(in value: Value) -> [Value] { values(in: value, keys[...]) }

  private func values(in value: Value, _ keys: ArraySlice<String>) -> [Value] {
    guard let key = keys.first else { return [value] }
    return parts(of: value, under: key).flatMap { values(in: $0.value, keys.dropFirst()) }
  }

  /// Returns the value without its parts at these places.
  public func removed(from value: Value) -> Value { changed(in: value) { _ in nil } }

  /// Returns the value with its parts at these places changed; nil removes a part.
  public func changed(in value: Value, _ change: (Value) -> Value?) -> Value {
    changed(in: value, keys[...], change) ?? .null
  }

  private func changed(
    in value: Value, _ keys: ArraySlice<String>, _ change: (Value) -> Value?
  ) -> Value? {
    guard let key = keys.first else { return change(value) }
    var result = value
    for (place, part) in parts(of: value, under: key) {
      let part = changed(in: part, keys.dropFirst(), change)
      switch (place, result) {
      case (.key(let name), .map(var map)):
        map[name] = part
        result = .map(map)
      case (.index(let index), .list(var elements)):
        elements[index] = part ?? .null
        result = .list(elements)
      default: break
      }
    }
    return result
  }

  private enum Place {
    case key(Value)
    case index(Int)
  }

  private func parts(of value: Value, under key: String) -> [(place: Place, value: Value)] {
    switch value {
    case .map(let map):
      if key == "*" { return map.map { (.key($0.key), $0.value) } }
      return map[key].map { [(.key(.string(key)), $0)] } ?? []
    case .list(let elements):
      if key == "*" { return elements.enumerated().map { (.index($0), $1) } }
      guard let index = Int(key), elements.indices.contains(index) else { return [] }
      return [(.index(index), elements[index])]
    default: return []
    }
  }
}
