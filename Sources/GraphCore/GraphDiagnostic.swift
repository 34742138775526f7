/// A problem that a graph finds in its rules and handlers.
public enum GraphDiagnostic: Equatable, Sendable {
  /// Computed nodes that read each other in a circle; the path ends with its first node.
  case cycle(path: [String])
  /// Observers of these nodes that kept writing what others of them observe, until they were cut
  /// off.
  case pingPong(nodes: [String], turns: Int)
  /// A rule that wrote to a node; the write was refused.
  case writeInsideComputed(node: String, in: String)
  /// A handler that changed what it observes; it did not receive that change itself.
  case selfWrite(node: String)
  /// A rule or group that read a node of another graph: it does not learn of that node's changes.
  /// Only debug builds look for it.
  case foreignRead(node: String, in: String)
}

extension GraphDiagnostic: CustomStringConvertible {
  /// The problem, for people.
  public var description: String {
    switch self {
    case .cycle(let path):
      "computed nodes depend on each other: " + path.joined(separator: " → ")
    case .pingPong(let nodes, let turns):
      "observers were still answering each other's writes after \(turns) turns: "
        + nodes.joined(separator: ", ")
    case .writeInsideComputed(let node, let rule):
      "a computed rule must not write: \(rule) wrote to \(node)"
    case .selfWrite(let node):
      "a handler wrote what it observes and was not called again for it: \(node)"
    case .foreignRead(let node, let rule):
      "a node of another graph was read and will not be followed: \(rule) read \(node)"
    }
  }
}
