import Values

/// A function over values, in one style of calling and with one number of arguments.
struct Builtin: Sendable {
  /// The computation of a function. A body checks its arguments and refuses those it does not take.
  enum Body: Sendable {
    case one(UnaryCallNode.Function)
    case two(BinaryCallNode.Function)
    case any(CallNode.Function)
    /// The second argument is a pattern, which is compiled with the expression if it is a literal.
    case pattern(PatternFunctions.Function)
  }

  /// The inputs that the result depends on.
  enum Kind: Sendable {
    /// Nothing but the arguments.
    case pure
    /// A random number that the run draws as well. The body gets it in front of the arguments.
    case seeded
    /// Unknown: the scope declares the function.
    case declared
  }

  let name: String
  /// True if the function is called on its first argument: `text.size()`.
  let isMember: Bool
  /// The number of arguments, including the one it is called on; below zero for one or more.
  let arity: Int
  let signatures: [Signature]
  let body: Body
  let kind: Kind
  /// The text for the page of functions. Of several forms under one name, one has it.
  private(set) var note: FunctionNote?

  /// Returns the function with its meaning, an example, and the result of the example.
  func note(_ text: String, _ example: String, _ result: String) -> Builtin {
    var builtin = self
    builtin.note = FunctionNote(text: text, example: example, result: result)
    return builtin
  }

  func takes(_ count: Int) -> Bool { arity == count || (arity < 0 && count > 0) }
}

/// The meaning of a function, and an example. Tests evaluate the example and compare the result.
struct FunctionNote: Sendable {
  let text: String
  let example: String
  let result: String
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

  static let groups: [(group: FunctionGroup, functions: [Builtin])] = [
    (.conversions, conversions), (.collections, collections), (.lists, lists), (.sets, sets),
    (.texts, texts + formats), (.patterns, patterns), (.numbers, numbers), (.times, times),
    (.randoms, randoms), (.encodings, encodings), (.hashes, hashes), (.optionals, optionals),
    (.networks, networks),
  ]

  private static let all = groups.flatMap(\.functions)

  private static let table = [String: [Builtin]](grouping: all, by: \.name)

  static func global(
    _ name: String, _ signatures: Signature..., body: Builtin.Body
  ) -> Builtin {
    make(name, isMember: false, signatures, body)
  }

  static func global(
    _ name: String, _ signatures: [Signature], body: Builtin.Body
  ) -> Builtin {
    make(name, isMember: false, signatures, body)
  }

  static func member(
    _ name: String, _ signatures: Signature..., body: Builtin.Body
  ) -> Builtin {
    make(name, isMember: true, signatures, body)
  }

  static func member(
    _ name: String, _ signatures: [Signature], body: Builtin.Body
  ) -> Builtin {
    make(name, isMember: true, signatures, body)
  }

  private static func make(
    _ name: String, isMember: Bool, _ signatures: [Signature], _ body: Builtin.Body
  ) -> Builtin {
    let repeats = signatures.contains(where: \.repeats)
    return Builtin(
      name: name, isMember: isMember, arity: repeats ? -1 : signatures[0].parameters.count,
      signatures: signatures, body: body, kind: .pure)
  }
}
