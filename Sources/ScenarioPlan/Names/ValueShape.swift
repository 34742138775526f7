import CEL
import ScenarioSpec
import Values

/// The part of a value's form that is known when a file is loaded, so that an expression cannot
/// read a member that no value has.
indirect enum ValueShape: Sendable, Equatable {
  struct Member: Sendable, Equatable {
    var name: String
    var shape: ValueShape
  }

  case any
  case scalar(CELType)
  case list(of: ValueShape)
  /// A map that has no other members than these. It may lack some.
  case map([Member])

  init(of value: Value) {
    switch value {
    case .list(let elements): self = .list(of: .common(elements.map { ValueShape(of: $0) }))
    case .map(let map):
      self = .map(map.map { Member(name: $0.key.plainText, shape: ValueShape(of: $0.value)) })
    case .bool, .int, .double, .string: self = .scalar(scalarType(of: value))
    case .null, .uint, .digits, .bytes, .timestamp, .duration, .type, .optional: self = .any
    }
  }

  /// Makes the shape of a written value. Its expressions may give anything.
  init(of data: DataSpec) {
    switch data.content {
    case .literal(let value): self.init(of: value)
    case .list(let elements): self = .list(of: .common(elements.map { ValueShape(of: $0) }))
    case .map(let entries):
      self = .map(
        entries.map {
          Member(name: $0.key.value.plainText, shape: ValueShape(of: $0.value))
        })
    case .expression, .text, .keyedMap, .example: self = .any
    }
  }

  /// Makes the shape of an expression's results.
  init(of program: CELProgram) {
    if let constant = program.constant {
      self.init(of: constant)
    } else if let names = program.memberNames {
      self = .members(names)
    } else {
      self = program.type.ifScalar.map { .scalar($0) } ?? .any
    }
  }

  static func members(_ names: [String]) -> ValueShape {
    .map(names.map { Member(name: $0, shape: .any) })
  }

  /// Returns the shape that includes all of these.
  static func common(_ shapes: [ValueShape]) -> ValueShape {
    guard let first = shapes.first else { return .any }
    return shapes.dropFirst().reduce(first) { $0.joined(with: $1) }
  }

  private func joined(with other: ValueShape) -> ValueShape {
    switch (self, other) {
    case (.list(let a), .list(let b)): return .list(of: a.joined(with: b))
    case (.map(var members), .map(let others)):
      for other in others {
        if let known = members.firstIndex(where: { $0.name == other.name }) {
          members[known].shape = members[known].shape.joined(with: other.shape)
        } else {
          members.append(other)
        }
      }
      return .map(members)
    default: return self == other ? self : .any
    }
  }

  /// The type that the checker may assume.
  var type: CELType { if case .scalar(let type) = self { type } else { .dyn } }

  /// The shape of the elements, if it is a list.
  var element: ValueShape { if case .list(let element) = self { element } else { .any } }

  /// The shape of a member.
  func member(_ name: Value) -> ValueShape {
    guard case .map(let members) = self, case .string(let name) = name else { return .any }
    return members.first { $0.name == name }?.shape ?? .any
  }

  /// The shape of a source's events whose values have this shape: rules may fail, and streams end.
  var ofEvents: ValueShape {
    switch self {
    case .any, .scalar: .any
    case .list: self
    case .map(let members): .map(members + [Member(name: "error", shape: .any)])
    }
  }
}

extension ValueShape {
  /// The members that a request may have. Its path is also under its method.
  static let ofRequests: ValueShape = .members([
    "method", "path", "params", "query", "headers", "cookies", "json", "text", "form", "parts",
    "connection", "get", "post", "put", "patch", "delete", "head", "options", "connect", "trace",
  ])
  static let ofResponses: ValueShape = .members(["status", "headers", "json", "text"])
  /// Endpoints emit requests, messages, and the end of a connection.
  static let ofEndpoints: ValueShape = {
    guard case .map(let members) = ofRequests else { return .any }
    let end = ValueShape.members(["connection", "code", "reason"])
    return .map(
      members + [Member(name: "message", shape: .any), Member(name: "cancelled", shape: end)])
  }()
}

extension CELType {
  /// The type itself if its values have no parts, else nil.
  fileprivate var ifScalar: CELType? {
    switch self {
    case .bool, .int, .double, .string: self
    case .dyn, .null, .uint, .bytes, .timestamp, .duration, .type, .list, .map, .optional, .opaque,
      .parameter, .free:
      nil
    }
  }
}

extension CELScope {
  /// Lets expressions read only the members of this shape of the value that has a name.
  mutating func know(_ shape: ValueShape, of path: [String]) {
    guard case .map(let members) = shape else { return }
    knownMembers[path] = members.map(\.name)
    for member in members { know(member.shape, of: path + [member.name]) }
  }

  /// Declares the value that an expression is about. Its members are in scope where nothing else
  /// has their names.
  mutating func declareValue(_ shape: ValueShape, slot: SlotID) {
    for path in knownMembers.keys where ["value", "event", nil].contains(path.first) {
      knownMembers[path] = nil
    }
    for name in ["value", "event"] {
      declare(name, type: shape.type, slot: slot)
      know(shape, of: [name])
    }
    if case .map(let members) = shape { knownMembers[[]] = members.map(\.name) }
    setFallback(slot, type: shape.type)
  }
}
