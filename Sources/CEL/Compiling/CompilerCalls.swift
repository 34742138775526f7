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
      let all = (Builtins.named(name) ?? []).filter(isGlobal)
      if !all.isEmpty { return builtinCall(syntax, name, all, parts(arguments)) }
    }
    guard let target else { return unknownFunction(syntax, function, isMember: false) }
    if let chain = Chain(target), !isNamed(chain),
      Builtins.isNamespace(chain.names[0]) || Compiler.foreignObjects.contains(chain.names[0])
    {
      let name = chain.names.joined(separator: ".") + "." + function
      return unknownFunction(syntax, name, isMember: false)
    }
    return memberCall(syntax, target, function, arguments)
  }

  private func isGlobal(_ builtin: Builtin) -> Bool {
    !builtin.isMember && (builtin.kind != .seeded || scope.randomSlot != nil)
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

  /// Objects of other languages whose members are functions.
  private static let foreignObjects: Set<String> = [
    "Math", "JSON", "Date", "datetime", "Object", "faker", "fake",
  ]

  private mutating func unknownFunction(
    _ syntax: Syntax, _ name: String, isMember: Bool
  ) -> Part {
    let known =
      scope.functionNames.sorted() + Builtins.names(isMember: isMember) + Compiler.macroNames
    let nearest = Compiler.otherNames[name] ?? nearestName(to: name, among: known)
    var problem = CELProblem.unknownFunction(syntax.nameSpan, name, nearest: nearest)
    if Compiler.assertions.contains(name) { problem.help = "compare by an operator: `a == b`" }
    return fail(problem, syntax.span)
  }

  /// The words by which libraries for tests compare.
  private static let assertions: Set<String> = [
    "expect", "toBe", "toEqual", "assert", "assertEquals", "equals", "eq", "isEqualTo", "should",
  ]

  /// The names of our functions in other languages.
  private static let otherNames = [
    "math.max": "math.greatest", "math.min": "math.least", "max": "math.greatest",
    "min": "math.least", "abs": "math.abs", "length": "size", "len": "size",
    "includes": "contains", "some": "exists", "any": "exists", "every": "all",
    "substr": "substring", "startswith": "startsWith", "endswith": "endsWith",
    "indexof": "indexOf", "has_key": "has", "hasOwnProperty": "has", "Math.max": "math.greatest",
    "Math.min": "math.least", "Math.abs": "math.abs", "Math.ceil": "math.ceil",
    "Math.floor": "math.floor", "Math.round": "math.round", "JSON.parse": "json.decode",
    "JSON.stringify": "json.encode", "Date.now": "now", "datetime.now": "now",
    "lower": "lowerAscii", "toLower": "lowerAscii", "toLowerCase": "lowerAscii",
    "upper": "upperAscii", "toUpper": "upperAscii", "toUpperCase": "upperAscii",
    "strip": "trim", "str": "string", "toString": "string", "float": "double",
    "number": "double", "match": "matches", "flatMap": "map", "not": "!",
    "sorted": "sort", "unique": "distinct", "uniq": "distinct", "reversed": "reverse",
    "range": "lists.range", "assign": "merge", "reduce": "sum", "average": "sum",
    "parseJSON": "json.decode", "json.parse": "json.decode", "json.stringify": "json.encode",
    "toJson": "json.encode", "fromJson": "json.decode", "urlEncode": "url.encode",
    "urlDecode": "url.decode", "encodeURIComponent": "url.encode",
    "decodeURIComponent": "url.decode", "sha256": "hash.sha256", "sha1": "hash.sha1",
    "md5": "hash.md5", "hmac": "hash.hmac", "hash.hmacSha256": "hash.hmac",
    "base64": "base64.encode",
    "btoa": "base64.encode", "atob": "base64.decode", "random": "random.int",
    "random.uuid": "uuid", "random.string": "random.text", "random.choice": "random.pick",
    "randomInt": "random.int", "strftime": "format", "formatTime": "format",
    "extract": "regex.extract", "regex.replaceAll": "regex.replace", "regex.match": "matches",
    "regex.matches": "matches", "regex.find": "regex.extract", "regex.findAll": "regex.extractAll",
    "today": "now", "timestamp.now": "now", "date": "now", "findIndex": "indexOf",
    "index": "indexOf", "randomName": "random.name", "randomEmail": "random.email",
    "random.mail": "random.email", "random.fullName": "random.name",
    "random.firstName": "random.name", "random.lastName": "random.name",
    "faker.name": "random.name", "faker.email": "random.email", "faker.date": "random.date",
    "fake.name": "random.name", "fake.email": "random.email", "fake.date": "random.date",
    "faker.uuid": "uuid", "random.time": "random.date", "random.timestamp": "random.date",
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
    let isCounting = arguments.count == 2 && function.events != nil
    guard arguments.count == 1 || isCounting, let chain = Chain(arguments[0]) else {
      let span = arguments.count == 1 || isCounting ? arguments[0].span : syntax.span
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
      return fail(
        .unknownAddress(
          span, address, function: name, takes: function.takes, nearest: nearest,
          known: known.isEmpty ? scope.addresses : known), syntax.span)
    }
    if isCounting, let events = function.events?(address) {
      read(events, address)
      return count(SlotNode(events, arguments[0].span), arguments[1], syntax.span)
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
    if let part = literalCall(builtin, type, arguments, span) { return part }
    let nodes = randomNumber(for: builtin, span) + arguments.map(\.node)
    let whole = Part(node: node(builtin.body, nodes, span), type: type)
    let constant = builtin.kind == .pure && arguments.allSatisfy { $0.node.constant != nil }
    return constant ? folded(whole) : whole
  }

  /// Returns the node of the number that a function with a random result needs.
  private mutating func randomNumber(for builtin: Builtin, _ span: Span) -> [Node] {
    guard builtin.kind == .seeded, let slot = scope.randomSlot else { return [] }
    read(slot, nil)
    return [RandomNode(slot, span)]
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
    case .pattern(let function): return PatternCallNode(function, nil, arguments, span)
    case .one, .two: return FailNode("no such overload", span)
    }
  }

  /// Reads patterns, durations, timestamps and the like that are literals, so that their mistakes
  /// are found at load.
  private mutating func literalCall(
    _ builtin: Builtin, _ type: CELType, _ arguments: [Part], _ span: Span
  ) -> Part? {
    guard checked, let kind = LiteralArgument(builtin, arguments) else { return nil }
    let argument = arguments[kind.place]
    guard case .string(let text)? = argument.node.constant else { return nil }
    let fault: CELFault?
    switch kind {
    case .pattern:
      switch CELPattern.compile(text) {
      case .success(let pattern):
        return Part(node: node(builtin.body, pattern, arguments.map(\.node), span), type: type)
      case .failure(let problem): fault = problem
      }
    case .time:
      let whole = node(builtin.body, [argument.node], span)
      var frame = Frame(slots: FixedSlots(), localCount: 0)
      do {
        let value = try whole.evaluate(&frame)
        return Part(node: ConstantNode(value, span), type: CELType(of: value))
      } catch {
        return fail(.invalidLiteral(argument.node.span, error.message), span)
      }
    case .timeFormat: fault = TimeFormat.problem(in: text)
    case .digest:
      if case .failure(let problem) = HashFunctions.digest(named: text) {
        fault = problem
      } else {
        fault = nil
      }
    }
    return fault.map {
      fail(.invalidLiteral(argument.node.span, $0.message, help: $0.help), span)
    }
  }

  private func node(
    _ body: Builtin.Body, _ pattern: CELPattern, _ arguments: [Node], _ span: Span
  ) -> Node {
    if case .pattern(let function) = body {
      return PatternCallNode(function, pattern, arguments, span)
    }
    return MatchNode(arguments[0], pattern, span)
  }

  private func arity(_ name: String, _ candidates: [Builtin]) -> String {
    let counts = Set(candidates.map { $0.arity - ($0.isMember ? 1 : 0) }).sorted()
    let listed = counts.map(String.init).joined(separator: " or ")
    return "no such overload: `\(name)` takes \(listed) argument\(counts == [1] ? "" : "s")"
  }
}

/// The argument of a function whose text has a form that is checked at load, if it is a literal.
private enum LiteralArgument {
  case pattern, time, timeFormat, digest

  init?(_ builtin: Builtin, _ arguments: [Compiler.Part]) {
    switch builtin.name {
    case "matches", "regex.extract", "regex.extractAll", "regex.replace": self = .pattern
    case "duration", "timestamp": self = .time
    case "format" where arguments[0].type == .timestamp: self = .timeFormat
    case "hash.hmac": self = .digest
    default: return nil
    }
  }

  var place: Int {
    switch self {
    case .pattern, .timeFormat: 1
    case .time, .digest: 0
    }
  }
}
