import Values

/// The names that an expression may use: addresses with their slots, constants, and functions.
///
/// A scope is a value. Extending a copy leaves the original unchanged and copies nothing. So an
/// inner scope (an action's parameters, a handler's `value`) costs only what it declares.
package struct CELScope: Sendable {
  /// The slot whose value's fields can be named directly, as in `where: amount > 3`.
  package var fallbackSlot: Int?
  /// The type of that value. If it can have no fields, other names are unknown.
  package var fallbackType = CELType.dyn
  /// The container in which names are looked up first: `com.example` finds `com.example.x` as `x`.
  package var container = ""
  /// The maps whose keys are in lower case, such as header fields: `["request", "headers"]`. In
  /// expressions, their keys are found in any case, and `ContentType` finds `content-type`.
  package var lowerCaseMaps: [[String]] = []
  /// The only members that values under a name have, such as those under `["request"]`.
  package var knownMembers: [[String]: [String]] = [:]
  /// The names whose members are all text, such as `["request", "params"]`.
  package var textMembers: Set<[String]> = []
  /// The slot that gives a random number each time it is read. Without one there are no functions
  /// with random results.
  package var randomSlot: Int?
  private var layer = Layer(parent: nil)

  package init() {}

  /// Declares a name or a dotted address. The longest declared address that an expression spells
  /// wins. If two are equal, the one declared later wins.
  package mutating func declare(_ address: String, type: CELType = .dyn, slot: Int) {
    append(Declaration(address: address, meaning: .slot(slot, type)))
  }

  /// Declares a name for a constant, which becomes part of the compiled expression.
  ///
  /// With `hidesKeys`, the error of a failed look-up does not list the keys.
  package mutating func declareConstant(
    _ address: String, value: Value, hidesKeys: Bool = false
  ) {
    append(Declaration(address: address, meaning: .constant(value, hidesKeys: hidesKeys)))
  }

  /// Declares a function of one argument that takes an address, not a value: `count(prices)`.
  ///
  /// The resolver returns the slot of an address, or nil if nothing has this address. `known` lists
  /// the possible addresses for hints. `takes` names their kind. With `events`, the slot of a list,
  /// a condition may follow the address: the function then counts the elements that meet it.
  package mutating func declareAddressFunction(
    _ name: String, type: CELType, takes: String = "a source",
    known: @escaping @Sendable () -> [String] = { [] },
    events: (@Sendable (String) -> Int?)? = nil,
    resolve: @escaping @Sendable (String) -> Int?
  ) {
    let function = AddressFunction(
      type: type, takes: takes, known: known, events: events, resolve: resolve)
    append(ScopeFunction(name: name, kind: .address(function)))
  }

  /// Declares a function without arguments that reads a slot: `now()`.
  package mutating func declareSlotFunction(_ name: String, type: CELType, slot: Int) {
    append(ScopeFunction(name: name, kind: .slot(slot, type)))
  }

  /// Declares a function over values: `kind(x)`, or `x.kind()` with `isMember`.
  package mutating func declareFunction(
    _ name: String, parameters: [CELType], result: CELType, isMember: Bool = false,
    body: @escaping @Sendable ([Value]) throws(CELFault) -> Value
  ) {
    let all: @Sendable ([Value], inout Meter) throws(CELFault) -> Value = {
      (arguments, _) throws(CELFault) in try body(arguments)
    }
    let builtin = Builtin(
      name: name, isMember: isMember, arity: parameters.count,
      signatures: [Signature(parameters, result)], body: .any(all), kind: .declared)
    append(ScopeFunction(name: name, kind: .values(builtin)))
  }

  /// The declared addresses, innermost and latest first.
  package var addresses: [String] {
    var all: [String] = []
    for layer in layers { all += layer.names.reversed().lazy.map(\.address) }
    return all
  }
}

/// The meaning of a declared address.
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
  /// The kind of the addresses, as in "the name of a source".
  let takes: String
  let known: @Sendable () -> [String]
  let events: (@Sendable (String) -> Int?)?
  let resolve: @Sendable (String) -> Int?
}

extension CELScope {
  /// Returns whether something has this name.
  package func knows(_ name: String) -> Bool { resolve([name]) != nil }

  /// Returns the longest declared address among these spellings, which go from short to long.
  func resolve(_ spellings: [String]) -> (meaning: Meaning, length: Int)? {
    var best: (meaning: Meaning, length: Int)?
    for layer in layers {
      var length = spellings.count
      while length > (best?.length ?? 0) {
        if let meaning = layer.meaning(of: spellings[length - 1]) { best = (meaning, length) }
        length -= 1
      }
      if best?.length == spellings.count { return best }
    }
    return best
  }

  /// Returns the names that may follow a prefix on the way to a declared address.
  func members(of prefix: String) -> ScopeMembers {
    var members = ScopeMembers()
    for layer in layers { members.append(layer.members(of: prefix)) }
    return members
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
    layer.append(declaration)
  }

  private mutating func append(_ function: ScopeFunction) {
    makeLayerOwn()
    layer.functions.append(function)
  }

  /// Puts a new layer on top if others share the present one, so that they do not see later
  /// declarations.
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

  // Only one scope holds the layer while it is written, so sharing it is safe.
  private final class Layer: @unchecked Sendable {
    let parent: Layer?
    private(set) var names: [Declaration] = []
    var functions: [ScopeFunction] = []
    /// The places of the names, if there are many.
    private var places: [String: Int] = [:]
    /// Few names are compared one by one, which is all that most scopes need.
    private static let mostWithoutPlaces = 16
    private var memberCache: MemberCache?

    init(parent: Layer?) { self.parent = parent }

    func append(_ declaration: Declaration) {
      names.append(declaration)
      if names.count > Layer.mostWithoutPlaces + 1 {
        places[declaration.address] = names.count - 1
      } else if names.count > Layer.mostWithoutPlaces {
        for (place, name) in names.enumerated() { places[name.address] = place }
        memberCache = MemberCache()
      }
    }

    /// Returns the meaning of an address that this layer declares; of two equal ones, the later.
    func meaning(of address: String) -> Meaning? {
      guard names.count <= Layer.mostWithoutPlaces else {
        return places[address].map { names[$0].meaning }
      }
      return names.last { $0.address == address }?.meaning
    }

    func members(of prefix: String) -> LayerMembers {
      memberCache?.members(of: prefix, in: names) ?? LayerMembers(of: prefix, in: names)
    }
  }
}
