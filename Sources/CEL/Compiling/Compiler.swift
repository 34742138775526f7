import Values

/// The compiler from syntax to nodes. It checks names and types; what is not known statically is
/// checked at evaluation.
struct Compiler {
  /// A compiled part and the static type of its value.
  struct Part {
    var node: Node
    var type: CELType
  }

  /// A macro's variable.
  struct Local {
    var name: String
    var number: Int
    var type: CELType
  }

  let scope: CELScope
  let checked: Bool
  var problems: [CELProblem] = []
  var locals: [Local] = []
  var localCount = 0
  /// The local whose value's fields can be named directly, inside a condition of `count`.
  var fallbackLocal: Int?
  var readSlots: [Int] = []
  var readFields: [SlotFields] = []
  var addresses: [SlotAddress] = []
  /// The number of nodes so far. One turn of a loop costs as much as its body has nodes.
  var nodeCount = 0

  static func compile(
    _ syntax: Syntax, _ scope: CELScope, checked: Bool
  ) -> Result<CELProgram, CELProblems> {
    var compiler = Compiler(scope: scope, checked: checked)
    let whole = compiler.part(syntax)
    guard compiler.problems.isEmpty else {
      return .failure(CELProblems(all: compiler.problems))
    }
    return .success(
      CELProgram(
        type: whole.type.settled, readSlots: compiler.readSlots.sorted(),
        addresses: compiler.addresses, readFields: compiler.readFields,
        constant: whole.node.constant, root: whole.node, localCount: compiler.localCount))
  }

  mutating func part(_ syntax: Syntax) -> Part {
    nodeCount += 1
    let span = syntax.span
    switch syntax.kind {
    case .literal(let value):
      return Part(node: ConstantNode(value, span), type: CELType(of: value))
    case .name, .select: return named(syntax)
    case .index(let operand, let key, let optional):
      return index(part(operand), part(spelled(key, in: operand)), optional: optional, span)
    case .call(let target, let function, let arguments):
      return call(syntax, target, function, arguments)
    case .negate(let operand): return negate(part(operand), span)
    case .not(let operand):
      let inner = asked(part(operand), .bool, "`!` takes a bool", operand.span)
      return folded(Part(node: NotNode(inner.node, span), type: .bool), inner)
    case .binary(let operation, let left, let right):
      let left = operation == .isIn ? spelled(left, in: right) : left
      return binary(operation, part(left), part(right), span)
    case .all(let parts): return logic(parts, decisive: false, span)
    case .any(let parts): return logic(parts, decisive: true, span)
    case .conditional(let condition, let first, let second):
      return conditional(condition, first, second, span)
    case .list(let entries): return list(entries, span)
    case .map(let entries): return map(entries, span)
    }
  }

  /// Reports a mistake. Without checking, leaves it for evaluation.
  mutating func fail(_ problem: CELProblem, _ span: Span) -> Part {
    if checked { problems.append(problem) }
    return Part(node: FailNode(problem.message, span), type: .dyn)
  }

  /// Reports a mistake if the part is known not to have the required type.
  @discardableResult
  mutating func asked(_ part: Part, _ type: CELType, _ rule: String, _ span: Span) -> Part {
    if checked, !part.type.isUnknown, part.type != type {
      problems.append(.wrongTypes(span, "\(rule), not \(part.type)"))
    }
    return part
  }

  /// Returns the part as a constant, if its operands are constant and its evaluation succeeds.
  func folded(_ part: Part, _ operands: Part...) -> Part {
    guard operands.allSatisfy({ $0.node.constant != nil }) else { return part }
    return folded(part)
  }

  func folded(_ part: Part) -> Part {
    var frame = Frame(slots: Compiler.noSlots, localCount: 0)
    guard let value = try? part.node.evaluate(&frame) else { return part }
    return Part(node: ConstantNode(value, part.node.span), type: part.type)
  }

  // Nothing writes it, so threads may share it.
  nonisolated(unsafe) private static let noSlots = FixedSlots()
}

// Operators.
extension Compiler {
  private mutating func negate(_ operand: Part, _ span: Span) -> Part {
    let type = operand.type
    let fits = type.isUnknown || type == .int || type == .double
    if checked, !fits {
      problems.append(.wrongTypes(span, "no such overload: `-` does not take \(type)"))
    }
    return folded(Part(node: NegateNode(operand.node, span), type: fits ? type : .dyn), operand)
  }

  private mutating func binary(
    _ operation: BinaryOperator, _ left: Part, _ right: Part, _ span: Span
  ) -> Part {
    let type = resultType(operation, left.type, right.type)
    if type == nil, checked { problems.append(.operands(span, operation, left.type, right.type)) }
    let node: Node
    switch operation {
    case .add, .subtract, .multiply, .divide, .remainder:
      node = ArithmeticNode(operation, left.node, right.node, span)
    case .equal, .notEqual:
      node = EqualityNode(left.node, right.node, negated: operation == .notEqual, span)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      node = OrderNode(operation, left.node, right.node, span)
    case .isIn: node = BinaryCallNode(CollectionFunctions.contains, left.node, right.node, span)
    }
    return folded(Part(node: node, type: type ?? .dyn), left, right)
  }

  /// Returns the type of an operator's result for these operands; nil if it never takes them.
  private func resultType(
    _ operation: BinaryOperator, _ left: CELType, _ right: CELType
  ) -> CELType? {
    switch operation {
    case .add, .subtract, .multiply, .divide, .remainder:
      return arithmeticType(operation, left, right)
    case .equal, .notEqual: return left.canEqual(right) ? .bool : nil
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      let ordered: [CELType] = [
        .int, .uint, .double, .string, .bytes, .bool, .timestamp, .duration, .dyn, .free,
      ]
      guard ordered.contains(left), ordered.contains(right) else { return nil }
      return left.canEqual(right) ? .bool : nil
    case .isIn:
      switch right {
      case .list(let element): return left.canEqual(element) ? .bool : nil
      case .map(let key, _): return left.canEqual(key) ? .bool : nil
      default: return right.isUnknown ? .bool : nil
      }
    }
  }

  private func arithmeticType(
    _ operation: BinaryOperator, _ left: CELType, _ right: CELType
  ) -> CELType? {
    switch (left, right) {
    case (.int, .int), (.uint, .uint): return left
    case (.double, .double): return operation == .remainder ? nil : .double
    case (.string, .string), (.bytes, .bytes): return operation == .add ? left : nil
    case (.list(let a), .list(let b)): return operation == .add ? .list(a.joined(with: b)) : nil
    case (.duration, .duration): return operation == .add || operation == .subtract ? left : nil
    case (.timestamp, .duration): return operation == .add || operation == .subtract ? left : nil
    case (.duration, .timestamp): return operation == .add ? right : nil
    case (.timestamp, .timestamp): return operation == .subtract ? .duration : nil
    case (.dyn, let other), (.free, let other), (let other, .dyn), (let other, .free):
      return unknownArithmeticType(operation, other)
    default: return nil
    }
  }

  /// Returns the result type if only one side is known, which decides it most of the time.
  private func unknownArithmeticType(_ operation: BinaryOperator, _ known: CELType) -> CELType? {
    switch known {
    case .int, .uint: return known
    case .double: return operation == .remainder ? nil : known
    case .string, .bytes: return operation == .add ? known : nil
    case .list: return operation == .add ? .list(.dyn) : nil
    case .timestamp, .duration: return operation == .add || operation == .subtract ? .dyn : nil
    case .dyn, .free: return .dyn
    case .null, .bool, .type, .map, .optional, .opaque, .parameter: return nil
    }
  }

  private mutating func logic(_ operands: [Syntax], decisive: Bool, _ span: Span) -> Part {
    let rule = "`\(decisive ? "||" : "&&")` takes bools"
    var nodes: [Node] = []
    for operand in operands { nodes.append(asked(part(operand), .bool, rule, operand.span).node) }
    return Part(node: LogicNode(nodes, decisive: decisive, span), type: .bool)
  }

  private mutating func conditional(
    _ condition: Syntax, _ first: Syntax, _ second: Syntax, _ span: Span
  ) -> Part {
    let test = asked(part(condition), .bool, "the condition before `?` is a bool", condition.span)
    let yes = part(first)
    let no = part(second)
    return Part(
      node: ConditionalNode(test.node, yes.node, no.node, span),
      type: yes.type.joined(with: no.type))
  }
}

// Lists, maps, and access to their parts.
extension Compiler {
  private mutating func list(_ entries: [Syntax.ListEntry], _ span: Span) -> Part {
    var type = CELType.free
    var nodes: [(node: Node, optional: Bool)] = []
    nodes.reserveCapacity(entries.count)
    for entry in entries {
      let value = part(entry.value)
      type = type.joined(with: entryType(value, optional: entry.optional, entry.value.span))
      nodes.append((value.node, entry.optional))
    }
    let whole = Part(node: ListNode(nodes, span), type: .list(type))
    return nodes.allSatisfy { $0.node.constant != nil } ? folded(whole) : whole
  }

  private mutating func map(_ entries: [Syntax.MapEntry], _ span: Span) -> Part {
    var keyType = CELType.free
    var valueType = CELType.free
    var nodes: [MapNode.Entry] = []
    nodes.reserveCapacity(entries.count)
    for entry in entries {
      let key = part(entry.key)
      let value = part(entry.value)
      keyType = keyType.joined(with: key.type)
      valueType = valueType.joined(
        with: entryType(value, optional: entry.optional, entry.value.span))
      nodes.append((key.node, value.node, entry.optional))
    }
    let whole = Part(node: MapNode(nodes, span), type: .map(keyType, valueType))
    let constant = nodes.allSatisfy { $0.key.constant != nil && $0.value.constant != nil }
    return constant ? folded(whole) : whole
  }

  private mutating func entryType(_ part: Part, optional: Bool, _ span: Span) -> CELType {
    guard optional else { return part.type }
    if case .optional(let wrapped) = part.type { return wrapped }
    if checked, !part.type.isUnknown {
      problems.append(.wrongTypes(span, "an entry marked `?` takes an optional, not \(part.type)"))
    }
    return .dyn
  }

  private mutating func index(_ operand: Part, _ key: Part, optional: Bool, _ span: Span) -> Part {
    guard let type = elementType(operand.type, key.type, span) else {
      return fail(
        .wrongTypes(
          span, "no such overload: \(operand.type) cannot be indexed by \(key.type)",
          help: operand.type == .string ? "write `x.charAt(0)`" : nil),
        span)
    }
    let node = IndexNode(operand.node, key.node, optional ? .optional : .plain, span)
    return folded(
      Part(node: node, type: accessType(operand.type, type, optional: optional)), operand, key)
  }

  private func elementType(_ type: CELType, _ key: CELType, _ span: Span) -> CELType? {
    switch type {
    case .list(let element): return key.isNumber || key.isUnknown || !checked ? element : nil
    case .map(let wanted, let value): return wanted.canEqual(key) || !checked ? value : nil
    case .optional(let inner): return elementType(inner, key, span)
    case .dyn, .free: return .dyn
    case .bytes: return key.isNumber || key.isUnknown || !checked ? .int : nil
    case .null, .bool, .int, .uint, .double, .string, .timestamp, .duration, .type,
      .opaque, .parameter:
      return checked ? nil : .dyn
    }
  }

  /// Returns the type of an access, which is optional if the operand is, or with `?`.
  func accessType(_ operand: CELType, _ found: CELType, optional: Bool) -> CELType {
    if case .optional = operand { return .optional(found) }
    return optional ? .optional(found) : found
  }
}

extension CELProblem {
  private static func isOptional(_ type: CELType) -> Bool {
    if case .optional = type { true } else { false }
  }

  /// Returns the help for a text that is compared with a value of another type.
  private static func helpForText(_ left: CELType, _ right: CELType) -> String? {
    guard left == .string || right == .string else { return nil }
    return switch left == .string ? right : left {
    case .int, .uint, .double: "text has quotes: `'7'`; `int(x)` reads a number from text"
    case .bool: "text has quotes: `'true'`; `bool(x)` reads a truth value from text"
    case .dyn, .null, .string, .bytes, .timestamp, .duration, .type, .list, .map, .optional,
      .opaque, .parameter, .free:
      nil
    }
  }

  static func operands(
    _ span: Span, _ operation: BinaryOperator, _ left: CELType, _ right: CELType
  ) -> CELProblem {
    switch operation {
    case .equal, .notEqual:
      return .wrongTypes(
        span, "no such overload: \(left) and \(right) are never equal",
        help: isOptional(left) || isOptional(right)
          ? "take the value out: `x.value()`, or `x.orValue(y)`"
          : helpForText(left, right))
    case .add, .subtract, .multiply, .divide, .remainder, .less, .lessOrEqual, .greater,
      .greaterOrEqual, .isIn:
      break
    }
    return .wrongTypes(
      span, "no such overload: `\(operation.symbol)` does not take \(left) and \(right)",
      help: operation.conversion(left, right))
  }
}

extension BinaryOperator {
  /// Returns how to convert operands that the operator does not take together.
  func conversion(_ left: CELType, _ right: CELType) -> String? {
    switch (left, right, self) {
    case (.int, .double, _), (.double, .int, _), (.int, .uint, _), (.uint, .int, _),
      (.double, .uint, _), (.uint, .double, _):
      "convert one side: `int(x)`, `double(x)` or `uint(x)`"
    case (.string, .string, .isIn): "write `text.contains(part)`"
    case (.string, _, .add), (_, .string, .add): "convert the other side: `string(x)`"
    default: nil
    }
  }
}

extension CELFault {
  /// Returns the fault of an operator that does not take these values together.
  static func operands(_ operation: BinaryOperator, _ left: Value, _ right: Value) -> CELFault {
    var fault = noOverload(operation.symbol, left, right)
    fault.help = operation.conversion(CELType(of: left), CELType(of: right))
    return fault
  }
}
