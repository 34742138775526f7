import Diagnostics
import Values

/// The node of `x.field`, `x.?field` and `has(x.field)`.
final class FieldNode: Node {
  private let operand: Node
  private let field: Value
  private let mode: AccessMode

  init(_ operand: Node, _ field: String, _ mode: AccessMode, _ span: Span) {
    self.operand = operand
    self.field = .string(field)
    self.mode = mode
    super.init(span)
  }

  override var isRead: Bool { operand.isRead }

  override func evaluate(_ frame: inout Frame) throws(CELFailure) -> Value {
    let value = try operand.evaluate(&frame)
    if mode == .plain, case .map(let map) = value, let found = map[field] { return found }
    do {
      return try Access.read(value, field, mode, isField: true, in: operand)
    } catch {
      throw failure(error)
    }
  }
}

/// The node of `x[key]` and `x[?key]`.
final class IndexNode: Node {
  private let operand: Node
  private let key: Node
  private let mode: AccessMode

  init(_ operand: Node, _ key: Node, _ mode: AccessMode, _ span: Span) {
    self.operand = operand
    self.key = key
    self.mode = mode
    super.init(span)
  }

  override var isRead: Bool { operand.isRead }

  override func evaluate(_ frame: inout Frame) throws(CELFailure) -> Value {
    let value = try operand.evaluate(&frame)
    let wanted = try key.evaluate(&frame)
    do {
      return try Access.read(value, wanted, mode, isField: false, in: operand)
    } catch {
      throw failure(error)
    }
  }
}

/// The result of an access to something that is missing.
enum AccessMode: Sendable {
  /// A missing part is an error.
  case plain
  /// A missing part is `optional.none()`; an existing one is wrapped.
  case optional
  /// A missing part is false; an existing one is true.
  case test
}

/// The number of keys that the error of a failed look-up lists.
private let keysListed = 4

/// The access to parts of maps, lists and optionals.
enum Access {
  static func read(
    _ value: Value, _ key: Value, _ mode: AccessMode, isField: Bool, in operand: Node
  ) throws(CELFault) -> Value {
    if case .optional(let wrapped) = value {
      guard let wrapped else { return mode == .test ? .bool(false) : .optional(nil) }
      let inner: AccessMode = mode == .test ? .test : .optional
      return try read(wrapped, key, inner, isField: isField, in: operand)
    }
    let found = try find(value, key, isField: isField)
    switch mode {
    case .plain:
      guard let found else { throw missing(key, in: value, listsKeys: !operand.hidesKeys) }
      return found
    case .optional: return .optional(found)
    case .test: return .bool(found != nil)
    }
  }

  private static func find(
    _ value: Value, _ key: Value, isField: Bool
  ) throws(CELFault) -> Value? {
    switch value {
    case .map(let map) where NetworkValue(value) == nil: return map[key]
    case .list(let list) where !isField:
      guard let index = try position(key) else { return nil }
      guard list.indices.contains(index) else { return nil }
      return list[index]
    case .bytes(let bytes) where !isField:
      guard let index = try position(key), bytes.indices.contains(index) else { return nil }
      return .int(Int(bytes[index]))
    default: throw isField ? .noFields(value, key) : .noIndex(value)
    }
  }

  private static func position(_ key: Value) throws(CELFault) -> Int? {
    switch key {
    case .int(let index): return index
    case .uint(let index): return Int(exactly: index)
    case .double(let number):
      if let index = Int(exactly: number) { return index }
      fallthrough
    default: throw CELFault("a list's index is a whole number, not \(key.article)")
    }
  }

  private static func missing(_ key: Value, in value: Value, listsKeys: Bool) -> CELFault {
    if case .list(let list) = value {
      return CELFault("index \(Spelling.of(key)) is outside the list, which has \(list.count)")
    }
    if case .bytes(let bytes) = value {
      return CELFault(
        "index \(Spelling.of(key)) is outside the bytes, of which there are \(bytes.count)")
    }
    var message = "no such key: \(Spelling.of(key))"
    guard case .map(let map) = value, case .string(let wanted) = key else {
      return CELFault(message)
    }
    let known = map.keys.prefix(100).compactMap { key -> String? in
      if case .string(let name) = key { name } else { nil }
    }
    if let nearest = nearestName(to: wanted, among: known) {
      message += "; did you mean '\(nearest)'?"
    } else if listsKeys, !known.isEmpty {
      let shown = known.prefix(keysListed).map { "'\($0)'" }.joined(separator: ", ")
      message += "; there is \(shown)" + (map.count > keysListed ? ", …" : "")
    }
    return CELFault(message)
  }
}

extension CELFault {
  static func noFields(_ value: Value, _ field: Value) -> CELFault {
    let isCount = CELProblem.wordsForSize.contains { .string($0) == field }
    let help = isCount ? "; write `size(x)`" : ""
    return CELFault("no such key: \(Spelling.of(field)); \(value.article) has no fields\(help)")
  }

  static func noIndex(_ value: Value) -> CELFault {
    CELFault("no such overload: \(value.article) has no elements to index")
  }
}

/// The node of `[a, ?b]`.
final class ListNode: Node {
  private let entries: [(node: Node, optional: Bool)]

  init(_ entries: [(node: Node, optional: Bool)], _ span: Span) {
    self.entries = entries
    super.init(span)
  }

  override func evaluate(_ frame: inout Frame) throws(CELFailure) -> Value {
    var list: [Value] = []
    list.reserveCapacity(entries.count)
    for entry in entries {
      let value = try entry.node.evaluate(&frame)
      guard entry.optional else {
        list.append(value)
        continue
      }
      guard case .optional(let wrapped) = value else {
        throw entry.node.failure(.notOptional(value))
      }
      if let wrapped { list.append(wrapped) }
    }
    return .list(list)
  }
}

/// The node of `{k: v, ?k: v}`.
final class MapNode: Node {
  typealias Entry = (key: Node, value: Node, optional: Bool)

  private let entries: [Entry]

  init(_ entries: [Entry], _ span: Span) {
    self.entries = entries
    super.init(span)
  }

  override func evaluate(_ frame: inout Frame) throws(CELFailure) -> Value {
    var map = ValueMap(minimumCapacity: entries.count)
    for entry in entries {
      let key = try entry.key.evaluate(&frame)
      var value = try entry.value.evaluate(&frame)
      if entry.optional {
        guard case .optional(let wrapped) = value else {
          throw entry.value.failure(.notOptional(value))
        }
        guard let wrapped else { continue }
        value = wrapped
      }
      do {
        try MapNode.insert(key, value, into: &map)
      } catch {
        throw entry.key.failure(error)
      }
    }
    return .map(map)
  }

  override var memberNames: [String]? {
    let names = entries.compactMap { entry in
      if case .string(let name)? = entry.key.constant { name } else { nil }
    }
    return names.count == entries.count ? names : nil
  }

  static func insert(_ key: Value, _ value: Value, into map: inout ValueMap) throws(CELFault) {
    switch key {
    case .bool, .int, .uint, .string: break
    default: throw CELFault("unsupported key type: a map's key cannot be \(key.article)")
    }
    guard map.updateValue(value, forKey: key) == nil else {
      throw CELFault("repeated key: \(Spelling.of(key)) is already in the map")
    }
  }
}

extension CELFault {
  static func notOptional(_ value: Value) -> CELFault {
    CELFault("an entry marked `?` takes an optional, not \(value.article)")
  }
}
