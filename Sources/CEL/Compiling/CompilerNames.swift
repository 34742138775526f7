import Diagnostics
import Values

// Names and the fields behind them.
extension Compiler {
  /// Compiles a name or a chain of fields. It tries macro variables first, then the longest
  /// declared address, then types, then fields of the fallback value.
  mutating func named(_ syntax: Syntax) -> Part {
    guard let chain = Chain(syntax) else { return selection(syntax) }
    if !chain.absolute, let local = locals.last(where: { $0.name == chain.names[0] }) {
      nodeCount += 1
      let part = Part(node: LocalNode(local.number, chain.spans[0]), type: local.type)
      return fields(chain, after: 1, of: part)
    }
    if let found = declared(chain) { return found }
    if let found = typeName(chain) { return found }
    if let fallbackLocal {
      let value = Part(node: LocalNode(fallbackLocal, chain.spans[0]), type: .dyn)
      return fields(chain, after: 0, of: value)
    }
    guard let slot = scope.fallbackSlot, fieldType(scope.fallbackType) != nil,
      scope.knownMembers[[]]?.contains(chain.names[0]) != false
    else { return unknown(chain) }
    read(slot, nil)
    let value = Part(node: SlotNode(slot, chain.spans[0]), type: .dyn)
    return fields(chain, after: 0, of: value)
  }

  /// Compiles `x.field`, if x is more than a name or the access is optional.
  private mutating func selection(_ syntax: Syntax) -> Part {
    guard case .select(let operand, let field, let optional) = syntax.kind else {
      return fail(.syntax(syntax.span, "a name is expected here"), syntax.span)
    }
    if let problem = problem(ofMember: field, in: operand, syntax.nameSpan) {
      return fail(problem, syntax.span)
    }
    return select(
      part(operand), spelled(field, in: operand), optional ? .optional : .plain, syntax.span,
      syntax.nameSpan)
  }

  mutating func select(
    _ operand: Part, _ field: String, _ mode: AccessMode, _ span: Span, _ nameSpan: Span
  ) -> Part {
    nodeCount += 1
    guard let type = fieldType(operand.type) else {
      return fail(
        .wrongTypes(
          nameSpan, "no such field: \(operand.type) has no field `\(field)`",
          help: CELProblem.wordsForSize.contains(field) ? "write `size(x)`" : nil), span)
    }
    let node = FieldNode(operand.node, field, mode, span)
    let result =
      mode == .test ? .bool : accessType(operand.type, type, optional: mode == .optional)
    return folded(Part(node: node, type: result), operand)
  }

  /// Returns what is wrong with a member of a value whose members are known.
  func problem(ofMember field: String, in operand: Syntax, _ span: Span) -> CELProblem? {
    guard !scope.knownMembers.isEmpty, let chain = Chain(operand) else { return nil }
    return problem(ofMember: field, in: chain.names[...], span)
  }

  private func problem(
    ofMember field: String, in names: ArraySlice<String>, _ span: Span
  ) -> CELProblem? {
    guard !scope.knownMembers.isEmpty, let known = scope.knownMembers[Array(names)],
      !known.contains(field), !locals.contains(where: { $0.name == names.first })
    else { return nil }
    let group = names.joined(separator: ".") + "."
    return .unknownName(
      span, group + field, nearest: nearestName(to: field, among: known).map { group + $0 },
      known: known.map { group + $0 })
  }

  private func fieldType(_ type: CELType) -> CELType? {
    switch type {
    case .map(_, let value): return value
    case .optional(let inner): return fieldType(inner)
    case .dyn, .free: return .dyn
    case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .type, .list,
      .opaque, .parameter:
      return checked ? nil : .dyn
    }
  }

  private mutating func fields(_ chain: Chain, after count: Int, of value: Part) -> Part {
    var value = value
    for index in chain.names.indices.dropFirst(count) {
      let span = chain.spans[0].joined(with: chain.spans[index])
      if count > 0,
        let problem = problem(
          ofMember: chain.names[index], in: chain.names[..<index], chain.spans[index])
      {
        return fail(problem, span)
      }
      let isInLowerCase = hasLowerCaseKeys(chain.names[..<index])
      let name = isInLowerCase ? headerName(chain.names[index]) : chain.names[index]
      value = select(value, name, .plain, span, chain.spans[index])
      if scope.textMembers.contains(Array(chain.names[..<index])) { value.type = .string }
    }
    return value
  }

  private mutating func declared(_ chain: Chain) -> Part? {
    for prefix in containers(absolute: chain.absolute) {
      guard let found = scope.resolve(chain.spellings(inside: prefix)) else { continue }
      let span = chain.spans[0].joined(with: chain.spans[found.length - 1])
      switch found.meaning {
      case .slot(let slot, let type):
        read(
          slot,
          found.length == 1
            ? chain.names[0] : chain.names.prefix(found.length).joined(separator: "."))
        readFields.append(
          SlotFields(slot: slot, fields: Array(chain.names.dropFirst(found.length))))
        return fields(
          chain, after: found.length, of: Part(node: SlotNode(slot, span), type: type))
      case .constant(let value, let hidesKeys):
        let node = ConstantNode(value, hidesKeys: hidesKeys, span)
        return fields(
          chain, after: found.length, of: Part(node: node, type: CELType(of: value)))
      }
    }
    return nil
  }

  /// Returns the container and its outer ones, innermost first, each with its dot.
  private func containers(absolute: Bool) -> [String] {
    if absolute || scope.container.isEmpty { return [""] }
    var all: [String] = []
    var names = scope.container.split(separator: ".")
    while !names.isEmpty {
      all.append(names.joined(separator: ".") + ".")
      names.removeLast()
    }
    return all + [""]
  }

  private func typeName(_ chain: Chain) -> Part? {
    for prefix in containers(absolute: chain.absolute) {
      let name = prefix + chain.names.joined(separator: ".")
      guard Compiler.typeNames.contains(name) else { continue }
      let span = chain.spans[0].joined(with: chain.spans[chain.spans.count - 1])
      return Part(node: ConstantNode(.type(name), span), type: .type)
    }
    return nil
  }

  static let typeNames: Set<String> = [
    "bool", "int", "uint", "double", "string", "bytes", "list", "map", "null_type", "type",
    "optional_type", "google.protobuf.Timestamp", "google.protobuf.Duration", "net.IP", "net.CIDR",
  ]

  mutating func read(_ slot: Int, _ address: String?) {
    if !readSlots.contains(slot) { readSlots.append(slot) }
    if let address, !addresses.contains(where: { $0.name == address }) {
      addresses.append(SlotAddress(slot: slot, name: address))
    }
  }

  /// Reports an unknown address at the part that is wrong: in `catFacts.fcat`, at the field.
  private mutating func unknown(_ chain: Chain) -> Part {
    let whole = chain.spans[0].joined(with: chain.spans[chain.spans.count - 1])
    var length = 1
    var members = scope.members(of: "")
    while length < chain.names.count, members.contains(chain.names[length - 1]) {
      members = scope.members(of: chain.names.prefix(length).joined(separator: ".") + ".")
      length += 1
    }
    let group = chain.names.prefix(length - 1).map { $0 + "." }.joined()
    let others = length == 1 ? locals.map(\.name) + ["true", "false", "null"] : []
    let fields = length == 1 ? scope.knownMembers[[]] : nil
    let wrong = chain.names[length - 1]
    let nearest = nearestName(
      to: wrong, among: others + (fields ?? []) + members.all.prefix(mostNamesCompared)
    ).map { group + $0 }
    let known = fields ?? members.first(group.isEmpty ? 0 : CELProblem.namesShown)
    if scope.fallbackSlot != nil, length == 1, fields == nil {
      let problem = CELProblem.noFieldOfValue(
        chain.spans[0], wrong, type: scope.fallbackType, nearest: nearest)
      return fail(problem, whole)
    }
    return fail(
      .unknownName(chain.spans[length - 1], group + wrong, nearest: nearest, known: known), whole)
  }
}

/// A name and the fields selected from it, with nothing else between: `a.b.c`.
struct Chain {
  private(set) var names: [String] = []
  private(set) var spans: [Span] = []
  private(set) var absolute = false

  init?(_ syntax: Syntax) {
    guard collect(syntax, length: 1) else { return nil }
  }

  /// Adds the names up to this place, of which the chain has at least `length`.
  private mutating func collect(_ syntax: Syntax, length: Int) -> Bool {
    switch syntax.kind {
    case .name(let name, let absolute):
      self.absolute = absolute
      names.reserveCapacity(length)
      spans.reserveCapacity(length)
      names.append(name)
    case .select(let operand, let field, optional: false):
      guard collect(operand, length: length + 1) else { return false }
      names.append(field)
    default: return false
    }
    spans.append(syntax.nameSpan)
    return true
  }

  /// Returns `a`, `a.b`, `a.b.c`, each after the container's name.
  func spellings(inside container: String) -> [String] {
    var all: [String] = []
    all.reserveCapacity(names.count)
    var spelled = container
    for (index, name) in names.enumerated() {
      if index > 0 { spelled += "." }
      spelled += name
      all.append(spelled)
    }
    return all
  }
}
