import Diagnostics
import Values

// Calls of functions.
extension Compiler {
  mutating func call(
    _ syntax: Syntax, _ target: Syntax?, _ function: String, _ arguments: [Syntax]
  ) -> Part {
    if let part = macro(syntax, target, function, arguments) { return part }
    if let name = qualifiedName(target, function) {
      if let part = scopeCall(syntax, name, arguments) { return part }
      if let all = Builtins.named(name), all.contains(where: { !$0.isMember }) {
        return builtinCall(syntax, name, all.filter { !$0.isMember }, parts(arguments))
      }
    }
    guard let target else { return unknownFunction(syntax, function, isMember: false) }
    if let chain = Chain(target), Builtins.isNamespace(chain.names[0]), !isNamed(chain) {
      let name = chain.names.joined(separator: ".") + "." + function
      return unknownFunction(syntax, name, isMember: false)
    }
    return memberCall(syntax, target, function, arguments)
  }

  /// Returns the whole name of a function that is not called on a value: `size`, `math.ceil`.
  private func qualifiedName(_ target: Syntax?, _ function: String) -> String? {
    guard let target else { return function }
    guard let chain = Chain(target), !locals.contains(where: { $0.name == chain.names[0] }) else {
      return nil
    }
    return chain.names.joined(separator: ".") + "." + function
  }

  /// Returns whether a chain begins with a name in scope.
  private func isNamed(_ chain: Chain) -> Bool {
    locals.contains { $0.name == chain.names[0] }
      || scope.resolve(chain.spellings(inside: "")) != nil
  }

  private mutating func parts(_ arguments: [Syntax]) -> [Part] {
    var all: [Part] = []
    all.reserveCapacity(arguments.count)
    for argument in arguments { all.append(part(argument)) }
    return all
  }

  private mutating func memberCall(
    _ syntax: Syntax, _ target: Syntax, _ function: String, _ arguments: [Syntax]
  ) -> Part {
    var candidates: [Builtin] = []
    for case .values(let builtin) in scope.functions(named: function).map(\.kind)
    where builtin.isMember {
      candidates.append(builtin)
    }
    candidates += (Builtins.named(function) ?? []).filter(\.isMember)
    guard !candidates.isEmpty else {
      return unknownFunction(syntax, function, isMember: true)
    }
    return builtinCall(syntax, function, candidates, [part(target)] + parts(arguments))
  }

  private mutating func unknownFunction(
    _ syntax: Syntax, _ name: String, isMember: Bool
  ) -> Part {
    let known =
      scope.functionNames.sorted() + Builtins.names(isMember: isMember) + Compiler.macroNames
    let nearest = Compiler.otherNames[name] ?? nearestName(to: name, among: known)
    return fail(.unknownFunction(syntax.nameSpan, name, nearest: nearest), syntax.span)
  }

  /// The names of our functions in other languages.
  private static let otherNames = [
    "math.max": "math.greatest", "math.min": "math.least", "max": "math.greatest",
    "min": "math.least", "abs": "math.abs", "length": "size", "len": "size",
    "includes": "contains", "some": "exists", "any": "exists", "every": "all",
    "lower": "lowerAscii", "toLower": "lowerAscii", "toLowerCase": "lowerAscii",
    "upper": "upperAscii", "toUpper": "upperAscii", "toUpperCase": "upperAscii",
    "strip": "trim", "str": "string", "toString": "string", "float": "double",
    "number": "double", "match": "matches", "flatMap": "map", "not": "!",
  ]

  /// Compiles a call of a function that the scope declares; these take precedence over built-in
  /// ones.
  private mutating func scopeCall(
    _ syntax: Syntax, _ name: String, _ arguments: [Syntax]
  ) -> Part? {
    let declared = scope.functions(named: name)
    var builtins: [Builtin] = []
    for function in declared {
      switch function.kind {
      case .address(let function): return addressCall(syntax, name, arguments, function)
      case .slot(let slot, let type):
        guard arguments.isEmpty else {
          return fail(
            .wrongArguments(syntax.span, "`\(name)` takes no arguments"), syntax.span)
        }
        read(slot, nil)
        return Part(node: SlotNode(slot, syntax.span), type: type)
      case .values(let builtin): if !builtin.isMember { builtins.append(builtin) }
      }
    }
    if builtins.isEmpty { return nil }
    return builtinCall(syntax, name, builtins, parts(arguments))
  }

  private mutating func addressCall(
    _ syntax: Syntax, _ name: String, _ arguments: [Syntax], _ function: AddressFunction
  ) -> Part {
    guard arguments.count == 1, let chain = Chain(arguments[0]) else {
      let span = arguments.count == 1 ? arguments[0].span : syntax.span
      return fail(.notAnAddress(span, function: name, takes: function.takes), syntax.span)
    }
    let address = chain.names.joined(separator: ".")
    guard let slot = function.resolve(address) else {
      let span = arguments[0].span
      let known = function.known()
      if scope.resolve(chain.spellings(inside: ""))?.length == chain.names.count {
        return fail(
          .otherAddress(span, address, function: name, takes: function.takes, known: known),
          syntax.span)
      }
      let nearest = nearestName(to: address, among: known.isEmpty ? scope.addresses : known)
      return fail(.unknownName(span, address, nearest: nearest), syntax.span)
    }
    read(slot, address)
    return Part(node: SlotNode(slot, syntax.span), type: function.type)
  }
}

// Built-in functions, and functions declared in the same form.
extension Compiler {
  private mutating func builtinCall(
    _ syntax: Syntax, _ name: String, _ candidates: [Builtin], _ arguments: [Part]
  ) -> Part {
    let span = syntax.span
    guard let builtin = candidates.first(where: { $0.takes(arguments.count) }) else {
      return fail(.wrongArguments(span, arity(name, candidates)), span)
    }
    guard let type = resultType(builtin, candidates, arguments) else {
      let types = arguments.map(\.type.description).joined(separator: ", ")
      let wanted = candidates.filter { $0.takes(arguments.count) }.flatMap(\.signatures)
        .map { $0.spelling(of: name, isMember: builtin.isMember) }
      return fail(
        .wrongArguments(
          span, "no such overload: `\(name)` does not take (\(types))",
          help: "it is " + wanted.prefix(4).map { "`\($0)`" }.joined(separator: " or ")), span)
    }
    if let part = literalCall(builtin, arguments, span) { return part }
    let whole = Part(node: node(builtin.body, arguments.map(\.node), span), type: type)
    let constant = builtin.isPure && arguments.allSatisfy { $0.node.constant != nil }
    return constant ? folded(whole) : whole
  }

  /// Returns the type of a call's result; nil if no signature takes arguments of these types.
  private func resultType(
    _ builtin: Builtin, _ candidates: [Builtin], _ arguments: [Part]
  ) -> CELType? {
    var result: CELType?
    for candidate in candidates where candidate.takes(arguments.count) {
      for signature in candidate.signatures {
        guard let type = signature.result(for: arguments) else { continue }
        result = result.map { $0 == type ? type : .dyn } ?? type
      }
    }
    return checked ? result : result ?? .dyn
  }

  private func node(_ body: Builtin.Body, _ arguments: [Node], _ span: Span) -> Node {
    switch body {
    case .one(let function) where arguments.count == 1:
      return UnaryCallNode(function, arguments[0], span)
    case .two(let function) where arguments.count == 2:
      return BinaryCallNode(function, arguments[0], arguments[1], span)
    case .any(let function): return CallNode(function, arguments, span)
    case .one, .two: return FailNode("no such overload", span)
    }
  }

  /// Reads patterns, durations and timestamps that are literals, so that their mistakes are found
  /// at load.
  private mutating func literalCall(
    _ builtin: Builtin, _ arguments: [Part], _ span: Span
  ) -> Part? {
    guard checked, let last = arguments.last, case .string(let text)? = last.node.constant else {
      return nil
    }
    switch builtin.name {
    case "matches":
      switch CELPattern.compile(text) {
      case .success(let pattern):
        return Part(node: MatchNode(arguments[0].node, pattern, span), type: .bool)
      case .failure(let fault):
        return fail(.invalidLiteral(last.node.span, fault.message), span)
      }
    case "duration", "timestamp":
      let whole = node(builtin.body, [last.node], span)
      var frame = Frame(slots: FixedSlots(), localCount: 0)
      do {
        let value = try whole.evaluate(&frame)
        return Part(node: ConstantNode(value, span), type: CELType(of: value))
      } catch {
        return fail(.invalidLiteral(last.node.span, error.message), span)
      }
    default: return nil
    }
  }

  private func arity(_ name: String, _ candidates: [Builtin]) -> String {
    let counts = Set(candidates.map { $0.arity - ($0.isMember ? 1 : 0) }).sorted()
    let listed = counts.map(String.init).joined(separator: " or ")
    return "no such overload: `\(name)` takes \(listed) argument\(counts == [1] ? "" : "s")"
  }
}
