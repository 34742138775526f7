import TextSearch
import Values

/// The lines that have noise in the same place: those of a source, or of an endpoint's exchanges
/// with one method and path. They have no numbers, so that they survive a new recording.
package struct NoiseScope: Sendable, Hashable {
  package var source: String
  package var kind: TraceKind
  package var method: String?
  package var path: String?

  package init(_ source: String, _ kind: TraceKind, method: String? = nil, path: String? = nil) {
    self.source = source
    self.kind = kind
    self.method = method
    self.path = path
  }
}

/// A place whose value differs between two recordings of the same flow.
package struct NoisePlace: Sendable, Hashable {
  package var scope: NoiseScope
  /// The JSON pointer of the value within the value of the line.
  package var pointer: String
  package var type: NoiseType

  package init(_ scope: NoiseScope, _ pointer: String, _ type: NoiseType) {
    self.scope = scope
    self.pointer = pointer
    self.type = type
  }

  /// The members of a place in a file, in their order.
  package enum Member: String, CaseIterable { case source, method, path, kind, pointer, type }

  private func text(of member: Member) -> String? {
    switch member {
    case .source: scope.source
    case .method: scope.method
    case .path: scope.path
    case .kind: scope.kind.rawValue
    case .pointer: pointer
    case .type: type.rawValue
    }
  }

  private var position: [String] { Member.allCases.map { text(of: $0) ?? "" } }

  private var json: String {
    let members = Member.allCases.compactMap { member in
      text(of: member).map { "\"\(member.rawValue)\": \(Value.string($0).json())" }
    }
    return "{ \(members.joined(separator: ", ")) }"
  }

  /// Returns the text of a file with these places, each in a line of its own.
  package static func fileText(_ places: Set<NoisePlace>) -> String {
    let sorted = places.sorted { $0.position.lexicographicallyPrecedes($1.position) }
    let lines = sorted.map { "    " + $0.json }.joined(separator: ",\n")
    return "{\n  \"noise\": 1,\n  \"places\": [\n\(lines)\n  ]\n}\n"
  }
}

/// The type of a value that may differ. Lists and maps are compared part by part.
package enum NoiseType: String, Sendable, CaseIterable {
  case bool, number, string, bytes, time, duration

  /// Returns nil for a value that is no noise.
  init?(of json: Value) {
    switch json {
    case .bool: self = .bool
    case .int, .uint, .double, .digits: self = .number
    case .string: self = .string
    case .map(let map):
      guard map.count == 1, let type = map.first.flatMap({ NoiseType(key: $0.key) })
      else { return nil }
      self = type
    case .null, .list, .bytes, .timestamp, .duration, .type, .optional: return nil
    }
  }

  private init?(key: Value) {
    switch TraceEncoding(rawValue: key.plainText) {
    case .bytes?: self = .bytes
    case .time?: self = .time
    case .duration?: self = .duration
    case .number?: self = .number
    case .map?, .entries?, .type?, .optional?, .body?, .nested?, .secret?, nil: return nil
    }
  }
}

/// The places at which a replay takes any value of the same type.
package struct ReplayNoise: Sendable {
  private let places: Set<NoisePlace>
  private let scopes: Set<NoiseScope>
  /// True if two recordings are compared, to find such places.
  package var learns = false
  /// The parts of a request that choose the exchange which answers it; empty if the usual ones do.
  private let match: [ValuePart]
  /// The parts of lines that are not compared.
  private let ignored: [ValuePart]

  package init(
    _ places: some Sequence<NoisePlace> = [], match: [ValuePart] = [], ignore: [ValuePart] = []
  ) {
    self.places = Set(places)
    scopes = Set(places.map(\.scope))
    self.match = match
    ignored = ignore
  }

  /// Returns the value of a line without what is not compared.
  func compared(_ json: Value, of line: TraceLine) -> Value {
    ignored.reduce(json) { json, part in
      part.inValue(of: line).map { $0.removed(from: json) } ?? json
    }
  }

  /// Returns a request with nothing but what chooses the exchange that answers it.
  func choosing(_ line: TraceLine) -> Value {
    let json = compared(line.value?.json ?? .null, of: line)
    guard !match.isEmpty, case .map(let request) = json else { return json }
    var chosen = ValueMap()
    for (key, value) in request {
      let parts = match.filter { $0.keys.first == key.plainText }
      if parts.isEmpty { continue }
      let isWhole = parts.contains { $0.keys.count == 1 }
      let found = isWhole ? value : .list(parts.flatMap { $0.values(in: json) })
      // A header that chooses takes the place of the one that usually does.
      chosen[key] = key == "headers" ? ["last-event-id": found] : found
    }
    return .map(chosen)
  }

  package var isEmpty: Bool { places.isEmpty }
  var mayPass: Bool { learns || !places.isEmpty }

  func contains(_ scope: NoiseScope) -> Bool { scopes.contains(scope) }

  func contains(_ place: NoisePlace) -> Bool { places.contains(place) }

  /// Returns a part of a request without its noise, so that another run finds the same exchange.
  func leveled(_ value: Value, in scope: NoiseScope, at pointer: String) -> Value {
    guard contains(scope) else { return value }
    if let type = NoiseType(of: value), contains(NoisePlace(scope, pointer, type)) {
      return ["$like": .string(type.rawValue)]
    }
    switch value {
    case .list(let elements):
      return .list(
        elements.enumerated().map { index, element in
          leveled(element, in: scope, at: "\(pointer)/\(index)")
        })
    case .map(var map):
      for (key, part) in map {
        map[key] = leveled(part, in: scope, at: pointer + "/" + pointerToken(key))
      }
      return .map(map)
    case .null, .bool, .int, .uint, .double, .digits, .string, .bytes, .timestamp, .duration, .type,
      .optional:
      return value
    }
  }
}

extension ValuePart {
  /// The way within the value of a line; nil if it leads to no part of it. A message is its own
  /// data.
  package func inValue(of line: TraceLine) -> ValuePart? {
    guard let first = keys.first else { return nil }
    switch line.knownKind {
    case .request, .response, .stream, .upgrade, .event: return self
    case .message, .line: return first == "data" ? ValuePart(Array(keys.dropFirst())) : nil
    case .emitted, .finished:
      if first == "value" { return ValuePart(Array(keys.dropFirst())) }
      // An endpoint emits the requests that came, and a connection emits what it has received.
      return self
    default: return nil
    }
  }
}

/// The differences that a comparison let pass, and the places that it learned.
package struct PassedNoise: Sendable {
  package fileprivate(set) var count = 0
  package fileprivate(set) var places: Set<NoisePlace> = []

  /// Returns a value that came with the recorded one wherever only noise differs.
  mutating func settled(
    _ now: Value, toward recorded: Value, in scope: NoiseScope, by noise: ReplayNoise,
    at pointer: String = ""
  ) -> Value {
    if isMatch(recorded, now) { return now }
    if let type = NoiseType(of: recorded), NoiseType(of: now) == type {
      let place = NoisePlace(scope, pointer, type)
      guard noise.learns || noise.contains(place) else { return now }
      places.insert(place)
      count += 1
      return recorded
    }
    switch (recorded, now) {
    case (.list(let a), .list(let b)) where a.count == b.count:
      var parts: [Value] = []
      for (index, (a, b)) in zip(a, b).enumerated() {
        parts.append(settled(b, toward: a, in: scope, by: noise, at: "\(pointer)/\(index)"))
      }
      return .list(parts)
    case (.map(let a), .map(var b)) where !isOpaque(a) && !isOpaque(b):
      for (key, part) in b {
        guard let old = a[key] else { continue }
        b[key] = settled(
          part, toward: old, in: scope, by: noise, at: pointer + "/" + pointerToken(key))
      }
      return .map(b)
    default: return now
    }
  }
}

/// True for a value of which only a name, a hash or a text is known.
private func isOpaque(_ map: ValueMap) -> Bool {
  [TraceEncoding.body, .nested, .secret, .type].contains { map[$0.rawValue] != nil }
}

/// Returns a key as a JSON pointer has it (RFC 6901).
private func pointerToken(_ key: Value) -> String {
  key.plainText.replacing("~", with: "~0").replacing("/", with: "~1")
}

/// Returns the part of a value that a JSON pointer leads to; nil if there is none.
func part(of value: Value, at pointer: String) -> Value? {
  var part = value
  for token in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
    let key = String(token.replacing("~1", with: "/").replacing("~0", with: "~"))
    switch part {
    case .list(let elements):
      guard let index = Int(key), elements.indices.contains(index) else { return nil }
      part = elements[index]
    case .map(let map):
      guard let next = map[key] else { return nil }
      part = next
    default: return nil
    }
  }
  return part
}
