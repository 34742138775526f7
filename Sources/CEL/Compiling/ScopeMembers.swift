import Synchronization
import TextSearch

/// The names that may follow a prefix on the way to a declared address: of `cart.total` and
/// `cart.items`, `total` and `items` follow `cart.`.
struct ScopeMembers {
  /// Innermost layer first.
  private var layers: [LayerMembers] = []

  mutating func append(_ outer: LayerMembers) {
    if !outer.names.isEmpty { layers.append(outer) }
  }

  func contains(_ name: String) -> Bool { layers.contains { $0.contains(name) } }

  /// The names, innermost and latest first. One that an inner layer hides comes again.
  var all: some Sequence<String> { layers.lazy.map(\.names).joined() }

  /// Returns the names that were declared first, each once.
  func first(_ count: Int) -> [String] {
    var first = LayerMembers()
    for name in layers.reversed().lazy.map({ $0.names.reversed() }).joined() {
      if first.names.count == count { break }
      first.append(name)
    }
    return first.names
  }
}

/// The members of one layer's addresses, each once, the latest first.
struct LayerMembers: Sendable {
  private(set) var names: [String] = []
  private var index: Set<String> = []

  func contains(_ name: String) -> Bool { index.contains(name) }

  mutating func append(_ name: String) {
    if index.insert(name).inserted { names.append(name) }
  }
}

extension LayerMembers {
  init(of prefix: String, in names: [Declaration]) {
    for name in names.reversed() where name.address.hasPrefix(prefix) {
      append(String(name.address.dropFirst(prefix.count).prefix { $0 != "." }))
    }
  }
}

/// The members of a layer with many names, kept for the next complaint: a file may have many wrong
/// names, and each complaint looks at all names that there are.
final class MemberCache: Sendable {
  private let known = Mutex<(declared: Int, members: [String: LayerMembers])>((0, [:]))

  func members(of prefix: String, in names: [Declaration]) -> LayerMembers {
    known.withLock { known in
      if known.declared != names.count { known = (names.count, [:]) }
      if let members = known.members[prefix] { return members }
      let members = LayerMembers(of: prefix, in: names)
      known.members[prefix] = members
      return members
    }
  }
}
