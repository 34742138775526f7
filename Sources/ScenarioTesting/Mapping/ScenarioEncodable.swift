@_exported import Values
@_exported import VirtualTime

/// A Swift value that says how a scenario sees it.
///
/// Most types need it not: a scenario sees a structure as a map of its stored properties, an enum
/// case as its name or as `{ name: payload }`, a collection as a list, and nil as null.
public protocol ScenarioEncodable {
  /// The value as a scenario sees it.
  var scenarioValue: Value { get }
}

extension Value {
  /// Makes the value as which a scenario sees a Swift value.
  public init(reflecting value: Any) {
    self = reflected(value, depth: 0)
  }
}

/// Graphs of classes may be circles.
private let deepestReflection = 64

private func reflected(_ value: Any, depth: Int) -> Value {
  guard depth < deepestReflection else { return "…" }
  if let value = value as? any ScenarioEncodable { return value.scenarioValue }
  if let plain = plainValue(value) { return plain }
  if let raw = (value as? any RawRepresentable)?.anyRawValue {
    return reflected(raw, depth: depth + 1)
  }
  let mirror = Mirror(reflecting: value)
  let inner = { (part: Any) in reflected(part, depth: depth + 1) }
  switch mirror.displayStyle {
  case .optional: return mirror.children.first.map { inner($0.value) } ?? .null
  case .collection: return .list(mirror.children.map { inner($0.value) })
  case .set: return .list(mirror.children.map { inner($0.value) }.sorted(by: isBefore))
  case .dictionary: return .map(dictionary(mirror, inner))
  case .tuple: return tuple(mirror, inner)
  case .enum: return enumCase(value, mirror, inner)
  case .struct, .class, .foreignReference, nil:
    let members = membersOf(mirror)
    if members.isEmpty { return .string(String(describing: value)) }
    return .map(ValueMap(members.map { (.string($0.name), inner($0.value)) }))
  @unknown default: return .string(String(describing: value))
  }
}

private func plainValue(_ value: Any) -> Value? {
  switch value {
  case let value as Value: value
  case let value as Bool: .bool(value)
  case let value as String: .string(value)
  case let value as Substring: .string(String(value))
  case let value as Character: .string(String(value))
  case let value as any BinaryInteger: Int(exactly: value).map { .int($0) } ?? .uint(UInt(value))
  case let value as Double: .double(value)
  case let value as Float: .double(Double(value))
  case let value as [UInt8]: .bytes(value)
  case let value as Duration: .duration(TimeSpan(value))
  default: nil
  }
}

/// The stored properties of a value. Those of the Observation macro have an underscore, and its own
/// part is none.
func membersOf(_ mirror: Mirror) -> [(name: String, value: Any)] {
  let inherited = mirror.superclassMirror.map(membersOf) ?? []
  return inherited
    + mirror.children.compactMap { child in
      guard let label = child.label, !label.hasPrefix("_$") else { return nil }
      let isHidden = label.hasPrefix("_") && mirror.displayStyle == .class
      return (isHidden ? String(label.dropFirst()) : label, child.value)
    }
}

private func dictionary(_ mirror: Mirror, _ inner: (Any) -> Value) -> ValueMap {
  let entries = mirror.children.compactMap { child -> (Value, Value)? in
    let pair = Mirror(reflecting: child.value).children.map(\.value)
    return pair.count == 2 ? (inner(pair[0]), inner(pair[1])) : nil
  }
  return ValueMap(entries.sorted { isBefore($0.0, $1.0) })
}

/// A tuple with labels is a map, one of a single part that part, and any other a list.
private func tuple(_ mirror: Mirror, _ inner: (Any) -> Value) -> Value {
  let parts = mirror.children.map { (label: $0.label ?? "", value: inner($0.value)) }
  if parts.contains(where: { $0.label.hasPrefix(".") || $0.label.isEmpty }) {
    return parts.count == 1 ? parts[0].value : .list(parts.map(\.value))
  }
  return .map(ValueMap(parts.map { (.string($0.label), $0.value) }))
}

private func enumCase(_ value: Any, _ mirror: Mirror, _ inner: (Any) -> Value) -> Value {
  guard let child = mirror.children.first, let name = child.label else {
    return .string(caseName(of: value))
  }
  let isTuple = Mirror(reflecting: child.value).displayStyle == .tuple
  let payload =
    isTuple ? tuple(Mirror(reflecting: child.value), inner) : inner(child.value)
  return .map(ValueMap([(.string(name), payload)]))
}

/// The order of values in a set, which has none.
private func isBefore(_ one: Value, _ other: Value) -> Bool {
  if case .int(let one) = one, case .int(let other) = other { return one < other }
  return one.plainText < other.plainText
}

/// Returns the name of an enum's case, whatever its description is.
func caseName(of value: Any) -> String {
  func name<Enum>(of value: Enum) -> String {
    enumCaseName(value).map { String(cString: $0) } ?? String(describing: value)
  }
  return _openExistential(value, do: name)
}

@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Enum>(_ value: Enum) -> UnsafePointer<CChar>?

extension RawRepresentable {
  fileprivate var anyRawValue: Any { rawValue }
}

extension TimeSpan {
  fileprivate init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self.init(seconds: Int(seconds), nanoseconds: Int32(attoseconds / 1_000_000_000))
  }
}
