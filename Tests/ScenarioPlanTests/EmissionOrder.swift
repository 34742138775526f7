import TestKit

extension Loading {
  /// The names of the nodes that are observed, in the order in which they emit.
  var emissionOrder: [String] {
    guard let plan else { return [] }
    return plan.observedNodes.map { plan.nodes[$0].name }
  }
}
