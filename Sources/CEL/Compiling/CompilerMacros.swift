import Values

// Macros: calls whose arguments are not evaluated before the call.
extension Compiler {
  static let macroNames = [
    "has", "all", "exists", "exists_one", "existsOne", "map", "filter", "transformList",
    "transformMap", "transformMapEntry", "optMap", "optFlatMap", "cel.bind", "or", "orValue",
    "sortBy",
  ]

  /// Returns the part that a macro makes; nil if this call is not a macro.
  mutating func macro(
    _ syntax: Syntax, _ target: Syntax?, _ function: String, _ arguments: [Syntax]
  ) -> Part? {
    guard let target else {
      return function == "has" && arguments.count == 1 ? has(arguments[0], syntax.span) : nil
    }
    switch (function, arguments.count) {
    case ("bind", 3):
      guard case .name("cel", _) = target.kind else { return nil }
      return bind(arguments, syntax.span)
    case ("or", 1), ("orValue", 1): return or(syntax, target, function, arguments[0])
    case ("optMap", 2), ("optFlatMap", 2): return optionalMap(syntax, target, function, arguments)
    case ("sortBy", 2): return sort(syntax, target, arguments)
    case (_, 2...4): return loop(syntax, target, function, arguments)
    default: return nil
    }
  }

  private mutating func has(_ argument: Syntax, _ span: Span) -> Part {
    guard case .select(let operand, let field, let optional) = argument.kind else {
      return always(
        .wrongArguments(
          argument.span, "`has` takes a field: `has(x.field)`",
          help: "for a name of other characters write `'the-name' in x`"), span)
    }
    if let chain = Chain(argument), isDeclared(chain) {
      return Part(node: ConstantNode(.bool(true), span), type: .bool)
    }
    if let problem = problem(ofMember: field, in: operand, argument.nameSpan) {
      return always(problem, span)
    }
    var inner = part(operand)
    if optional { inner.type = .dyn }
    return select(inner, spelled(field, in: operand), .test, span, argument.nameSpan)
  }

  /// Returns whether the whole chain is one declared address, which always exists.
  private func isDeclared(_ chain: Chain) -> Bool {
    guard !locals.contains(where: { $0.name == chain.names[0] }) else { return false }
    return scope.resolve(chain.spellings(inside: ""))?.length == chain.names.count
  }

  /// Reports a mistake in a macro's form, even without checking.
  private mutating func always(_ problem: CELProblem, _ span: Span) -> Part {
    problems.append(problem)
    return Part(node: FailNode(problem.message, span), type: .dyn)
  }

  private mutating func bind(_ arguments: [Syntax], _ span: Span) -> Part {
    guard let name = variable(arguments[0]) else { return noVariable(arguments[0], span) }
    let value = part(arguments[1])
    let number = push(name, value.type)
    let body = part(arguments[2])
    locals.removeLast()
    return Part(node: BindNode(number, value.node, body.node, span), type: body.type)
  }

  private mutating func or(
    _ syntax: Syntax, _ target: Syntax, _ function: String, _ argument: Syntax
  ) -> Part {
    let operand = part(target)
    let other = part(argument)
    var type = CELType.dyn
    if case .optional(let wrapped) = operand.type {
      type =
        function == "or" ? operand.type.joined(with: other.type) : wrapped.joined(with: other.type)
    } else if checked, !operand.type.isUnknown {
      problems.append(
        .wrongTypes(target.span, "`\(function)` takes an optional, not \(operand.type)"))
    }
    return Part(
      node: OrNode(operand.node, other.node, unwraps: function == "orValue", syntax.span),
      type: type)
  }

  private mutating func optionalMap(
    _ syntax: Syntax, _ target: Syntax, _ function: String, _ arguments: [Syntax]
  ) -> Part {
    guard let name = variable(arguments[0]) else { return noVariable(arguments[0], syntax.span) }
    let operand = part(target)
    var inner = CELType.dyn
    if case .optional(let wrapped) = operand.type { inner = wrapped }
    let number = push(name, inner)
    let body = part(arguments[1])
    locals.removeLast()
    let flat = function == "optFlatMap"
    return Part(
      node: OptionalMapNode(operand.node, number, body.node, flat: flat, syntax.span),
      type: flat ? body.type : .optional(body.type))
  }

  /// Returns the name of a macro's variable; nil unless it is a plain name.
  private func variable(_ syntax: Syntax) -> String? {
    if case .name(let name, absolute: false) = syntax.kind { name } else { nil }
  }

  private mutating func noVariable(_ syntax: Syntax, _ span: Span) -> Part {
    always(.wrongArguments(syntax.span, "a macro's variable is a plain name"), span)
  }

  private mutating func push(_ name: String, _ type: CELType) -> Int {
    let number = locals.count
    locals.append(Local(name: name, number: number, type: type))
    localCount = max(localCount, locals.count)
    return number
  }
}

// Macros that loop over a list or a map.
extension Compiler {
  /// The positions of a loop's arguments.
  private struct Form {
    var kind: LoopNode.Kind
    var variables = 1
    var condition: Int?
    var result: Int?
  }

  private static func form(_ function: String, _ count: Int) -> Form? {
    switch (function, count) {
    case ("all", 2): Form(kind: .all, condition: 1)
    case ("exists", 2): Form(kind: .exists, condition: 1)
    case ("exists_one", 2), ("existsOne", 2): Form(kind: .existsOne, condition: 1)
    case ("filter", 2): Form(kind: .filter, condition: 1)
    case ("map", 2): Form(kind: .list, result: 1)
    case ("map", 3): Form(kind: .list, condition: 1, result: 2)
    case ("all", 3): Form(kind: .all, variables: 2, condition: 2)
    case ("exists", 3): Form(kind: .exists, variables: 2, condition: 2)
    case ("exists_one", 3), ("existsOne", 3): Form(kind: .existsOne, variables: 2, condition: 2)
    case ("transformList", 3): Form(kind: .list, variables: 2, result: 2)
    case ("transformList", 4): Form(kind: .list, variables: 2, condition: 2, result: 3)
    case ("transformMap", 3): Form(kind: .mapValues, variables: 2, result: 2)
    case ("transformMap", 4): Form(kind: .mapValues, variables: 2, condition: 2, result: 3)
    case ("transformMapEntry", 3): Form(kind: .mapEntries, variables: 2, result: 2)
    case ("transformMapEntry", 4): Form(kind: .mapEntries, variables: 2, condition: 2, result: 3)
    default: nil
    }
  }

  private mutating func loop(
    _ syntax: Syntax, _ target: Syntax, _ function: String, _ arguments: [Syntax]
  ) -> Part? {
    guard let form = Compiler.form(function, arguments.count) else { return nil }
    guard let first = variable(arguments[0]) else { return noVariable(arguments[0], syntax.span) }
    let range = part(target)
    guard let (key, value) = walkTypes(range.type) else {
      return fail(
        .wrongTypes(target.span, "`\(function)` walks a list or a map, not \(range.type)"),
        syntax.span)
    }
    let before = nodeCount
    var parts = LoopNode.Parts(range: range.node, first: 0, weight: 1)
    if form.variables == 2 {
      guard let second = variable(arguments[1]), second != first else {
        return noVariable(arguments[1], syntax.span)
      }
      parts.first = push(first, key ?? .int)
      parts.second = push(second, value)
    } else {
      parts.first = push(first, key ?? value)
    }
    let result = body(form, arguments, &parts)
    locals.removeLast(form.variables)
    parts.weight = 1 + nodeCount - before
    let type = resultType(form, element: key ?? value, key: key ?? .int, result)
    return Part(node: LoopNode(form.kind, parts, syntax.span), type: type)
  }

  /// Counts the elements of a list that meet a condition on `value`. Names that nothing declares
  /// are fields of it.
  mutating func count(_ list: Node, _ condition: Syntax, _ span: Span) -> Part {
    let before = nodeCount
    var parts = LoopNode.Parts(range: list, first: push("value", .dyn), weight: 1)
    let outer = fallbackLocal
    fallbackLocal = parts.first
    _ = body(Form(kind: .count, condition: 0), [condition], &parts)
    fallbackLocal = outer
    locals.removeLast()
    parts.weight = 1 + nodeCount - before
    return Part(node: LoopNode(.count, parts, span), type: .int)
  }

  private mutating func sort(
    _ syntax: Syntax, _ target: Syntax, _ arguments: [Syntax]
  ) -> Part {
    guard let name = variable(arguments[0]) else { return noVariable(arguments[0], syntax.span) }
    let list = part(target)
    let isList = if case .list = list.type { true } else { list.type.isUnknown || !checked }
    guard isList, let (_, element) = walkTypes(list.type) else {
      return fail(
        .wrongTypes(target.span, "`sortBy` sorts a list, not \(list.type)"), syntax.span)
    }
    let before = nodeCount
    let number = push(name, element)
    let key = part(arguments[1])
    locals.removeLast()
    let node = SortNode(list.node, number, key.node, weight: 1 + nodeCount - before, syntax.span)
    return Part(node: node, type: .list(element))
  }

  /// Returns the types of keys (nil for a list) and elements; nil if the type cannot be looped
  /// over.
  private func walkTypes(_ type: CELType) -> (key: CELType?, value: CELType)? {
    switch type {
    case .list(let element): (nil, element)
    case .map(let key, let value): (key, value)
    case .dyn, .free: (.dyn, .dyn)
    case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .type,
      .optional, .opaque, .parameter:
      checked ? nil : (.dyn, .dyn)
    }
  }

  private mutating func body(
    _ form: Form, _ arguments: [Syntax], _ parts: inout LoopNode.Parts
  ) -> CELType {
    if let condition = form.condition {
      let syntax = arguments[condition]
      parts.condition = asked(part(syntax), .bool, "a condition is a bool", syntax.span).node
    }
    guard let result = form.result else { return .bool }
    let inner = part(arguments[result])
    parts.result = inner.node
    return inner.type
  }

  private func resultType(
    _ form: Form, element: CELType, key: CELType, _ result: CELType
  ) -> CELType {
    switch form.kind {
    case .all, .exists, .existsOne: .bool
    case .count: .int
    case .filter: .list(element)
    case .list: .list(result)
    case .mapValues: .map(key, result)
    case .mapEntries: result
    }
  }
}
