import Values

/// A value as a trace writes it: JSON, with `{"$bytes":…}` and the like for what JSON lacks.
///
/// Comparisons work on this form, for a masked secret has no other.
package struct TraceValue: Sendable {
  /// The value, which is encoded when it is written if it is not yet.
  private var value: Value
  private var isEncoded: Bool

  /// The encoded form.
  package var json: Value {
    get { isEncoded || isOwnEncoding(value, 0) ? value : encoded(value, 0) }
    set { (value, isEncoded) = (newValue, true) }
  }

  package init(json: Value) { (value, isEncoded) = (json, true) }

  /// Makes what stands for a value.
  package init(_ value: Value) { (self.value, isEncoded) = (value, false) }

  /// The value under a key that was given as text, encoded or not; nil if there is none.
  package subscript(plain key: String) -> Value? { value[key] }

  /// Makes the placeholder of a secret that is not text.
  package static func secret(_ name: String) -> TraceValue {
    TraceValue(json: [.string(TraceEncoding.secret.rawValue): .string(name)])
  }
}

extension TraceValue: Equatable {
  package static func == (left: TraceValue, right: TraceValue) -> Bool { left.json == right.json }
}

/// The keys of encodings. A map of the scenario with such a key alone is written under `$map`.
package enum TraceEncoding: String, CaseIterable, Sendable {
  case bytes = "$bytes"
  case time = "$time"
  case duration = "$duration"
  case number = "$number"
  case map = "$map"
  case entries = "$entries"
  case type = "$type"
  case optional = "$optional"
  case body = "$body"
  case nested = "$nested"
  case secret = "$secret"

  /// The meaning, in words for the reference.
  package var purpose: String {
    switch self {
    case .bytes: "bytes, in Base64"
    case .time: "a timestamp"
    case .duration: "a duration, such as `1.5s`"
    case .number: "a number that JSON does not have: `inf`, `-inf`, `nan`, `-0`"
    case .map: "a map whose only key begins with `$`"
    case .entries: "a map with keys that are not text: a list of pairs"
    case .type: "a type, as expressions see it"
    case .optional: "a list with the value, or an empty list"
    case .body: "the SHA-256 of a value over 64 KiB, which lies in the folder `NAME.bodies/`"
    case .nested: "a value at level \(TraceLimit.depth) of its nesting, as JSON text"
    case .secret: "the name of a secret that is not text"
    }
  }
}

/// The values that a trace only refers to: secrets by name, and bodies by hash.
package struct TraceResolver {
  /// Returns the value of a secret, by its name.
  package var secret: (String) -> Value
  /// Returns the file of a body, by its hash; nil if nobody knows where it is.
  package var body: (String) -> TraceBodyFile?

  package init(
    secret: @escaping (String) -> Value = { .string("‹\($0)›") },
    body: @escaping (String) -> TraceBodyFile? = { _ in nil }
  ) {
    self.secret = secret
    self.body = body
  }
}

/// The reason why an encoded value has no value.
package enum TraceValueProblem: Error, Equatable, Sendable {
  case badEncoding(TraceEncoding)
  case body(TraceBodyProblem)

  package var message: String {
    switch self {
    case .badEncoding(let encoding): "`\(encoding.rawValue)` holds \(encoding.purpose)"
    case .body(let problem): problem.message
    }
  }
}

extension TraceValue {
  /// Returns the value that this stands for.
  package func decoded(
    _ resolver: TraceResolver = TraceResolver()
  ) -> Result<Value, TraceValueProblem> {
    do throws(TraceValueProblem) {
      switch withBodies(resolver.body) {
      case .success(let whole): return .success(try decode(whole.json, resolver))
      case .failure(let problem): throw .body(problem)
      }
    } catch {
      return .failure(error)
    }
  }

  /// True if the value, or a part of it, is a secret or contains one.
  package var hasPlaceholder: Bool { contains(json) }

  /// True if a part of the value is a secret that is no text.
  package var hasSecretNumber: Bool { hasSecretNumber(json) }

  private func hasSecretNumber(_ json: Value) -> Bool {
    switch json {
    case .list(let elements): elements.contains(where: hasSecretNumber)
    case .map(let map):
      map[TraceEncoding.secret.rawValue] != nil || map.values.contains(where: hasSecretNumber)
    case .null, .bool, .int, .uint, .double, .digits, .string, .bytes, .timestamp, .duration, .type,
      .optional:
      false
    }
  }

  private func contains(_ json: Value) -> Bool {
    switch json {
    case .string(let text): text.contains("‹")
    case .list(let elements): elements.contains(where: contains)
    case .map(let map):
      map[TraceEncoding.secret.rawValue] != nil || map.values.contains(where: contains)
    default: false
    }
  }
}

/// Returns whether a value at a level of nesting is written as it is.
private func isOwnEncoding(_ value: Value, _ level: Int) -> Bool {
  switch value {
  case .null, .bool, .int, .uint, .digits, .string: return true
  case .double(let number): return number.isFinite && (number != 0 || number.sign == .plus)
  case .bytes, .timestamp, .duration, .type, .optional: return false
  case .list(let elements):
    return level < TraceLimit.depth && elements.allSatisfy { isOwnEncoding($0, level + 1) }
  case .map(let map):
    guard level < TraceLimit.depth, !isTakenForEncoding(map) else { return false }
    return map.allSatisfy { key, value in
      guard case .string = key else { return false }
      return isOwnEncoding(value, level + 1)
    }
  }
}

/// Encodes a value at a level of nesting. What lies deeper than the limit is written as text, for
/// readers of JSON limit the depth as well.
private func encoded(_ value: Value, _ level: Int) -> Value {
  if level == TraceLimit.depth, value.isNested {
    return wrapped(.nested, .string(encoded(value, 0).json(sortedKeys: true)))
  }
  let next = level + 1
  return switch value {
  case .null, .bool, .int, .uint, .digits, .string: value
  case .double(let number): encoded(number)
  case .bytes(let bytes): wrapped(.bytes, .string(Base64.encode(bytes)))
  case .timestamp, .duration:
    wrapped(value.isTimestamp ? .time : .duration, .string(value.plainText))
  case .type(let name): wrapped(.type, .string(name))
  case .optional(let inner): wrapped(.optional, .list(inner.map { [encoded($0, next)] } ?? []))
  case .list(let elements): .list(elements.map { encoded($0, next) })
  case .map(let map): encoded(map, next)
  }
}

private func encoded(_ number: Double) -> Value {
  if number.isNaN { return wrapped(.number, "nan") }
  if number.isInfinite { return wrapped(.number, number < 0 ? "-inf" : "inf") }
  return number == 0 && number.sign == .minus ? wrapped(.number, "-0") : .double(number)
}

private func encoded(_ map: ValueMap, _ level: Int) -> Value {
  var result = ValueMap(minimumCapacity: map.count)
  for (key, value) in map {
    guard case .string = key else { return wrapped(.entries, pairs(of: map, level)) }
    result[key] = encoded(value, level)
  }
  return isTakenForEncoding(map) ? wrapped(.map, .map(result)) : .map(result)
}

private func isTakenForEncoding(_ map: ValueMap) -> Bool {
  guard map.count <= 2, map.contains(where: { $0.key.beginsWithDollar }) else { return false }
  return map.count == 1 || traceEncoding(of: map) != nil
}

private func pairs(of map: ValueMap, _ level: Int) -> Value {
  let pairs = map.map { key, value in
    (text: key.plainText, pair: [encoded(key, level), encoded(value, level)])
  }
  let sorted = pairs.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
  return .list(sorted.map { .list($0.pair) })
}

private func wrapped(_ encoding: TraceEncoding, _ json: Value) -> Value {
  .map(ValueMap([(.string(encoding.rawValue), json)]))
}

extension Value {
  fileprivate var beginsWithDollar: Bool {
    if case .string(let text) = self { text.utf8.first == UInt8(ascii: "$") } else { false }
  }

  fileprivate var isNested: Bool {
    switch self {
    case .list, .map, .optional: true
    case .null, .bool, .int, .uint, .double, .digits, .string, .bytes, .timestamp, .duration, .type:
      false
    }
  }

  fileprivate var isTimestamp: Bool { if case .timestamp = self { true } else { false } }
}

private func decode(_ json: Value, _ resolver: TraceResolver) throws(TraceValueProblem) -> Value {
  switch json {
  case .list(let elements): .list(try decode(all: elements, resolver))
  case .map(let map):
    if let encoding = traceEncoding(of: map), let inner = map[encoding.rawValue] {
      try decode(inner, as: encoding, resolver)
    } else {
      try decode(plain: map, resolver)
    }
  default: json
  }
}

/// Returns the encoding that a map stands for; nil for a map of its own.
func traceEncoding(of map: ValueMap) -> TraceEncoding? {
  // Nearly no map is one, and a look at its names is dear.
  guard map.count <= 2, map.contains(where: { $0.key.beginsWithDollar }) else { return nil }
  guard case .string(let key)? = map.first?.key, let encoding = TraceEncoding(rawValue: key) else {
    return map[TraceEncoding.body.rawValue] != nil && map.count == 2 && map["bytes"] != nil
      ? .body : nil
  }
  return map.count == 1 || (encoding == .body && map.count == 2) ? encoding : nil
}

private func decode(
  all elements: [Value], _ resolver: TraceResolver
) throws(TraceValueProblem) -> [Value] {
  var result: [Value] = []
  result.reserveCapacity(elements.count)
  for element in elements { result.append(try decode(element, resolver)) }
  return result
}

private func decode(
  plain map: ValueMap, _ resolver: TraceResolver
) throws(TraceValueProblem) -> Value {
  var result = ValueMap(minimumCapacity: map.count)
  for (key, value) in map { result[key] = try decode(value, resolver) }
  return .map(result)
}

private func decode(
  _ json: Value, as encoding: TraceEncoding, _ resolver: TraceResolver
) throws(TraceValueProblem) -> Value {
  switch (encoding, json) {
  case (.map, .map(let map)): return try decode(plain: map, resolver)
  case (.entries, .list(let pairs)): return .map(try decode(pairs: pairs, resolver))
  case (.optional, .list(let elements)) where elements.count < 2:
    return .optional(try decode(all: elements, resolver).first)
  case (.nested, .string(let text)):
    guard case .success(let inner) = parseJSON(text) else { throw .badEncoding(.nested) }
    return try decode(inner, resolver)
  case (_, .string(let text)):
    guard let value = decode(text, as: encoding, resolver) else { throw .badEncoding(encoding) }
    return value
  default: throw .badEncoding(encoding)
  }
}

private func decode(
  pairs: [Value], _ resolver: TraceResolver
) throws(TraceValueProblem) -> ValueMap {
  var map = ValueMap(minimumCapacity: pairs.count)
  for pair in pairs {
    guard case .list(let both) = pair, both.count == 2 else { throw .badEncoding(.entries) }
    map[try decode(both[0], resolver)] = try decode(both[1], resolver)
  }
  return map
}

private func decode(
  _ text: String, as encoding: TraceEncoding, _ resolver: TraceResolver
) -> Value? {
  switch encoding {
  case .bytes: Base64.decode(text).map { .bytes($0) }
  case .time: Timestamp(text: text).map { .timestamp($0) }
  case .duration: TimeSpan(text: text).map { .duration($0) }
  case .number: numbers[text].map { .double($0) }
  case .type: .type(text)
  case .secret: resolver.secret(text)
  case .map, .entries, .optional, .body, .nested: nil
  }
}

private let numbers: [String: Double] = [
  "inf": .infinity, "-inf": -.infinity, "nan": .nan, "-0": -0.0,
]
