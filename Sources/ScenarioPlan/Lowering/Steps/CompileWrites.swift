import ScenarioSpec
import Values

/// The writes of `set`.
extension PlanCompiler {
  func compileWrite(_ write: WriteSpec) -> SetPlan? {
    let value = compile(write.value)
    warnOfExpression(in: write.value)
    if isStream(write) { return nil }
    guard let (node, path) = findPart(write) else { return nil }
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
    return SetPlan(target: binding, node: node, path: path, value: value)
  }

  /// Returns whether the address is that of a stream, after a diagnostic if it is.
  private func isStream(_ write: WriteSpec) -> Bool {
    guard lookUpNode(write.address.value) == nil, let source = lookUpSource(write.address.value),
      case .stream(let id) = plan.sources[source].kind
    else { return false }
    let subject = subject(behind: id).map { unit.name(plan.streams[$0].name) }
    report(.setsStream(write.address, write.value.shown, subject: subject))
    return true
  }

  /// Returns the subject that a stream is, or the first that it is made of.
  private func subject(behind stream: StreamID) -> StreamID? {
    var rest = [stream]
    var seen: Set<StreamID> = []
    while let next = rest.popLast() {
      guard seen.insert(next).inserted else { continue }
      if plan.streams[next].isSubject { return next }
      let origins = plan.streams[next].origins.reversed()
      rest += origins.compactMap {
        if case .stream(let id) = plan.sources[$0].kind { id } else { nil }
      }
    }
    return nil
  }

  /// Warns of an event that has the name of a subject, to which `emit` sends nothing.
  func warnOfSubject(_ name: Located<String>, _ payload: DataSpec?) {
    guard let source = lookUpSource(name.value), case .stream(let id) = plan.sources[source].kind,
      plan.streams[id].isSubject
    else { return }
    report(.emitsSubject(name, payload?.shown))
  }

  /// Finds the node with the longest name that begins an address, and the way to the part of it.
  private func findPart(_ write: WriteSpec) -> (NodeID, [DataPlan])? {
    let address = write.address
    if let node = lookUpNode(address.value) { return (node, []) }
    guard let path = write.path else { return findNode(address).map { ($0, []) } }
    let names = path.leadingNames
    for count in stride(from: names.count, through: 1, by: -1) {
      guard let node = lookUpNode(names.prefix(count).joined(separator: ".")) else { continue }
      return (node, path.parts.dropFirst(count).map(compile))
    }
    return findNode(address).map { ($0, []) }
  }
}

extension StreamPlan {
  fileprivate var isSubject: Bool { if case .subject = origin { true } else { false } }
}

extension DataSpec {
  /// The value for a help line; one that is not short is left out.
  fileprivate var shown: String {
    switch content {
    case .literal(.int(let number)): "\(number)"
    case .literal(.bool(let flag)): "\(flag)"
    case .literal, .expression, .text, .list, .map, .keyedMap, .example: "…"
    }
  }
}
