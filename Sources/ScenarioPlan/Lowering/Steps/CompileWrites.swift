import Diagnostics
import ScenarioSpec

/// The writes of `set`.
extension PlanCompiler {
  func compileWrite(_ write: (address: Located<String>, value: DataSpec)) -> SetPlan? {
    let value = compile(write.value)
    warnOfExpression(in: write.value)
    guard let (node, path) = findPart(write.address) else { return nil }
    if case .model = plan.nodes[node].rule {
      report(.setsList(write.address))
      return nil
    }
    guard !followsRule(node) else {
      report(.setsComputed(write.address))
      return nil
    }
    guard let field = fieldOutsideItsReactor(node) else {
      return SetPlan(target: .node(node), node: node, path: path, value: value)
    }
    guard let binding = field.binding else {
      report(.fieldNotBound(write.address))
      return nil
    }
    return SetPlan(target: .binding(binding), node: node, path: path, value: value)
  }

  /// Finds the node with the longest name that begins an address, and the way to the part of it.
  private func findPart(_ address: Located<String>) -> (NodeID, [ValuePath.Part])? {
    if let node = lookUpNode(address.value) { return (node, []) }
    guard let path = ValuePath(address.value) else { return findNode(address).map { ($0, []) } }
    let names = path.leadingNames
    for count in stride(from: names.count, through: 1, by: -1) {
      guard let node = lookUpNode(names.prefix(count).joined(separator: ".")) else { continue }
      return (node, Array(path.parts.dropFirst(count)))
    }
    return findNode(address).map { ($0, []) }
  }
}
