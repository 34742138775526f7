import Values

/// The macros that loop over a list or a map: `all`, `exists`, `map`, `filter` and the like.
final class LoopNode: Node {
  enum Kind: Sendable {
    case all, exists, existsOne
    /// The number of elements that meet the condition. As with `exists`, one that lacks what the
    /// condition reads is passed over if another meets it.
    case count
    /// `filter`: the elements that meet the condition.
    case filter
    /// `map` and `transformList`: the results, for elements that meet the condition.
    case list
    /// `transformMap`: the results under the same keys.
    case mapValues
    /// `transformMapEntry`: each result is a map, and its entries join the result.
    case mapEntries
  }

  struct Parts {
    var range: Node
    /// The local of the element. With two variables, the local of the list's index or the map's
    /// key.
    var first: Int
    /// With two variables, the local of the element or the map's value.
    var second: Int?
    var condition: Node?
    var result: Node?
    /// The cost of one turn.
    var weight: Int
  }

  private let kind: Kind
  private let parts: Parts

  init(_ kind: Kind, _ parts: Parts, _ span: Span) {
    self.kind = kind
    self.parts = parts
    super.init(span)
  }

  /// The intermediate result of a loop.
  private struct Findings {
    var matches = 0
    var absorbed: CELFailure?
    var decided = false
    var list: [Value] = []
    var map = ValueMap()
  }

  override func evaluate(_ frame: inout Frame) throws(CELFailure) -> Value {
    var findings = Findings()
    let range = try parts.range.evaluate(&frame)
    switch range {
    case .list(let list):
      for (index, element) in list.enumerated() where !findings.decided {
        try turn(&frame, .int(index), element, isMap: false, &findings)
      }
    case .map(let map):
      for (key, value) in map where !findings.decided {
        try turn(&frame, key, value, isMap: true, &findings)
      }
    default:
      throw parts.range.failure(
        CELFault("no such overload: \(range.article) has no elements to walk through"))
    }
    return try outcome(findings)
  }

  private func turn(
    _ frame: inout Frame, _ key: Value, _ value: Value, isMap: Bool, _ findings: inout Findings
  ) throws(CELFailure) {
    try pay(parts.weight, &frame)
    if let second = parts.second {
      frame.locals[parts.first] = key
      frame.locals[second] = value
    } else {
      frame.locals[parts.first] = isMap ? key : value
    }
    switch kind {
    case .all: if attempt(&frame, &findings) == false { findings.decided = true }
    case .exists: if attempt(&frame, &findings) == true { findings.decided = true }
    case .count: if attempt(&frame, &findings) == true { findings.matches += 1 }
    case .existsOne: if try holds(&frame) { findings.matches += 1 }
    case .filter: if try holds(&frame) { findings.list.append(isMap ? key : value) }
    case .list, .mapValues, .mapEntries:
      if try holds(&frame) { try collect(&frame, key, &findings) }
    }
  }

  private func pay(_ steps: Int, _ frame: inout Frame) throws(CELFailure) {
    do {
      try frame.meter.spend(steps)
    } catch {
      throw failure(error)
    }
  }

  private func holds(_ frame: inout Frame) throws(CELFailure) -> Bool {
    guard let condition = parts.condition else { return true }
    let value = try condition.evaluate(&frame)
    guard case .bool(let truth) = value else {
      throw condition.failure(
        CELFault("no such overload: a condition is a bool, not \(value.article)"))
    }
    return truth
  }

  /// Returns whether the condition holds; nil if it fails, which a later element may make up for.
  private func attempt(_ frame: inout Frame, _ findings: inout Findings) -> Bool? {
    do throws(CELFailure) {
      return try holds(&frame)
    } catch {
      if findings.absorbed == nil { findings.absorbed = error }
      return nil
    }
  }

  private func collect(
    _ frame: inout Frame, _ key: Value, _ findings: inout Findings
  ) throws(CELFailure) {
    let value = try parts.result?.evaluate(&frame) ?? .null
    do throws(CELFault) {
      switch kind {
      case .mapValues: findings.map[key] = value
      case .mapEntries:
        guard case .map(let entries) = value else { throw .noOverload("{…}", value) }
        for entry in entries { try MapNode.insert(entry.key, entry.value, into: &findings.map) }
      case .all, .exists, .existsOne, .count, .filter, .list: findings.list.append(value)
      }
    } catch {
      throw failure(error)
    }
  }

  private func outcome(_ findings: Findings) throws(CELFailure) -> Value {
    switch kind {
    case .all, .exists:
      if !findings.decided, let absorbed = findings.absorbed { throw absorbed }
      return .bool(findings.decided == (kind == .exists))
    case .count:
      if findings.matches == 0, let absorbed = findings.absorbed { throw absorbed }
      return .int(findings.matches)
    case .existsOne: return .bool(findings.matches == 1)
    case .filter, .list: return .list(findings.list)
    case .mapValues, .mapEntries: return .map(findings.map)
    }
  }
}
