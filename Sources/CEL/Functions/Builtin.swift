import Values

/// A function over values, in one style of calling and with one number of arguments.
struct Builtin: Sendable {
  /// The computation of a function. A body checks its arguments and refuses those it does not take.
  enum Body: Sendable {
    case one(UnaryCallNode.Function)
    case two(BinaryCallNode.Function)
    case any(CallNode.Function)
  }

  let name: String
  /// True if the function is called on its first argument: `text.size()`.
  let isMember: Bool
  /// The number of arguments, including the one it is called on; below zero for one or more.
  let arity: Int
  let signatures: [Signature]
  let body: Body
  /// True if equal arguments always give an equal result.
  let isPure: Bool

  func takes(_ count: Int) -> Bool { arity == count || (arity < 0 && count > 0) }
}

/// The parameter types of a function and the type of its result.
struct Signature: Sendable {
  let parameters: [CELType]
  let result: CELType
  /// True if the last parameter may repeat.
  let repeats: Bool

  init(_ parameters: [CELType], _ result: CELType, repeats: Bool = false) {
    self.parameters = parameters
    self.result = result
    self.repeats = repeats
  }

  /// Returns the result type for arguments of these types; nil if they do not fit.
  func result(for arguments: [Compiler.Part]) -> CELType? {
    var bound: [CELType] = []
    for (index, argument) in arguments.enumerated() {
      guard let parameter = index < parameters.count ? parameters[index] : parameters.last,
        index < parameters.count || repeats, parameter.accepts(argument.type, &bound)
      else { return nil }
    }
    return result.filled(with: bound)
  }

  func spelling(of name: String, isMember: Bool) -> String {
    var types = parameters.map(\.description)
    let target = isMember && !types.isEmpty ? types.removeFirst() + "." : ""
    return target + name + "(" + types.joined(separator: ", ") + (repeats ? ", …)" : ")")
  }
}

/// All built-in functions by name, built once and shared by all expressions.
enum Builtins {
  static func named(_ name: String) -> [Builtin]? { table[name] }

  /// Returns the names of all functions of one style, in the order of the list.
  static func names(isMember: Bool) -> [String] {
    all.filter { $0.isMember == isMember }.map(\.name)
  }

  /// Returns whether functions are grouped under this name, such as `math`.
  static func isNamespace(_ name: String) -> Bool { namespaces.contains(name) }

  private static let namespaces = Set(
    all.lazy.filter { !$0.isMember }.compactMap { builtin in
      builtin.name.firstIndex(of: ".").map { String(builtin.name[..<$0]) }
    })

  private static let all =
    conversions + collections + texts + formats + numbers + times + optionals + encodings
    + networks

  private static let table = [String: [Builtin]](grouping: all, by: \.name)

  static func global(
    _ name: String, _ signatures: Signature..., body: Builtin.Body
  ) -> Builtin {
    make(name, isMember: false, signatures, body)
  }

  static func member(
    _ name: String, _ signatures: Signature..., body: Builtin.Body
  ) -> Builtin {
    make(name, isMember: true, signatures, body)
  }

  private static func make(
    _ name: String, isMember: Bool, _ signatures: [Signature], _ body: Builtin.Body
  ) -> Builtin {
    let repeats = signatures.contains(where: \.repeats)
    return Builtin(
      name: name, isMember: isMember, arity: repeats ? -1 : signatures[0].parameters.count,
      signatures: signatures, body: body, isPure: true)
  }
}
