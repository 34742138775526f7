import Values

/// What an expression may name: addresses with the slots their values stand in, constants, and
/// functions.
///
/// A scope is a value; extending a copy leaves the original alone and copies nothing, so an inner
/// scope (an action's parameters, a handler's `value`) costs what it declares.
package struct CELScope: Sendable {
  /// The slot whose value's fields may be named without saying so, as in `where: amount > 3`.
  package var fallbackSlot: Int?
  /// Names are also looked up inside this container first (`com.example` finds `com.example.x` as
  /// `x`).
  package var container = ""
  private var layer = Layer(parent: nil)

  package init() {}

  /// Declares a name or a dotted address; the longest declared address an expression spells wins,
  /// and of two equal ones the later declared.
  package mutating func declare(_ address: String, type: CELType = .dyn, slot: Int) {
    append(Declaration(address: address, meaning: .slot(slot, type)))
  }

  /// Declares a name for a value that never changes; it becomes part of the compiled expression.
  ///
  /// With `hidesKeys` a failed look-up in it does not tell which keys there are.
  package mutating func declareConstant(
    _ address: String, value: Value, hidesKeys: Bool = false
  ) {
    append(Declaration(address: address, meaning: .constant(value, hidesKeys: hidesKeys)))
  }

  /// Declares a function of one argument that takes an address, not a value: `count(prices)`.
  ///
  /// The resolver gives the slot to read for an address, or nil where it names nothing; `known`
  /// lists the addresses it takes, for hints, and `takes` says what kind of thing they are.
  package mutating func declareAddressFunction(
    _ name: String, type: CELType, takes: String = "a source",
    known: @escaping @Sendable () -> [String] = { [] },
    resolve: @escaping @Sendable (String) -> Int?
  ) {
    let function = AddressFunction(type: type, takes: takes, known: known, resolve: resolve)
    append(ScopeFunction(name: name, kind: .address(function)))
  }

  /// Declares a function without arguments that reads a slot: `now()`.
  package mutating func declareSlotFunction(_ name: String, type: CELType, slot: Int) {
    append(ScopeFunction(name: name, kind: .slot(slot, type)))
  }

  /// Declares a function over values: `kind(x)`, or with `isMember` `x.kind()`.
  package mutating func declareFunction(
    _ name: String, parameters: [CELType], result: CELType, isMember: Bool = false,
    body: @escaping @Sendable ([Value]) throws(CELFault) -> Value
  ) {
    let all: @Sendable ([Value], inout Meter) throws(CELFault) -> Value = {
      (arguments, _) throws(CELFault) in try body(arguments)
    }
    let builtin = Builtin(
      name: name, isMember: isMember, arity: parameters.count,
      signatures: [Signature(parameters, result)], body: .any(all), isPure: false)
    append(ScopeFunction(name: name, kind: .values(builtin)))
  }

  /// The declared addresses, innermost and latest first.
  package var addresses: [String] {
    var all: [String] = []
    for layer in layers { all += layer.names.reversed().lazy.map(\.address) }
    return all
  }
}

/// What a declared address stands for.
enum Meaning: Sendable {
  case slot(Int, CELType)
  case constant(Value, hidesKeys: Bool)
}

struct Declaration: Sendable {
  let address: String
  let meaning: Meaning
}

struct ScopeFunction: Sendable {
  enum Kind: Sendable {
    case address(AddressFunction)
    case slot(Int, CELType)
    case values(Builtin)
  }

  let name: String
  let kind: Kind
}

/// A function whose argument is an address and not a value.
struct AddressFunction: Sendable {
  let type: CELType
  /// What the addresses name, as in "the name of a source".
  let takes: String
  let known: @Sendable () -> [String]
  let resolve: @Sendable (String) -> Int?
}

extension CELScope {
  /// The longest declared address among these spellings, which go from short to long.
  func resolve(_ spellings: [String]) -> (meaning: Meaning, length: Int)? {
    var best: (meaning: Meaning, length: Int)?
    for layer in layers {
      for declaration in layer.names.reversed() {
        var length = spellings.count
        while length > (best?.length ?? 0) {
          if spellings[length - 1] == declaration.address {
            best = (declaration.meaning, length)
          }
          length -= 1
        }
        if best?.length == spellings.count { return best }
      }
    }
    return best
  }

  func functions(named name: String) -> [ScopeFunction] {
    var found: [ScopeFunction] = []
    for layer in layers where !layer.functions.isEmpty {
      found += layer.functions.reversed().filter { $0.name == name }
    }
    return found
  }

  var functionNames: [String] {
    var all: [String] = []
    for layer in layers { all += layer.functions.map(\.name) }
    return all
  }

  private mutating func append(_ declaration: Declaration) {
    makeLayerOwn()
    layer.names.append(declaration)
  }

  private mutating func append(_ function: ScopeFunction) {
    makeLayerOwn()
    layer.functions.append(function)
  }

  /// A layer that others can see is left as it is; what is declared from now on goes on top.
  private mutating func makeLayerOwn() {
    if !isKnownUniquelyReferenced(&layer) { layer = Layer(parent: layer) }
  }

  private var layers: Layers { Layers(current: layer) }

  private struct Layers: Sequence, IteratorProtocol {
    var current: Layer?

    mutating func next() -> Layer? {
      defer { current = current?.parent }
      return current
    }
  }

  // Written only while one scope alone holds it, so sharing it is safe.
  private final class Layer: @unchecked Sendable {
    let parent: Layer?
    var names: [Declaration] = []
    var functions: [ScopeFunction] = []

    init(parent: Layer?) { self.parent = parent }
  }
}
