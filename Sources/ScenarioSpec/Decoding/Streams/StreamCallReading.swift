import Values
import YAMLSyntax

extension OperatorReading {
  /// Reads an operator that calls something for each value.
  func calls(_ calls: Flattening) -> StreamOperator<Written>? {
    let most = fields.has(.max) ? fields.integer(.max)?.value : nil
    guard let call = reader.readCalled(node, rule.verb.key), most != nil || !fields.has(.max) else {
      return nil
    }
    return .flatten(most.map { .merged(max: $0) } ?? calls, call)
  }
}

extension DocumentReader {
  fileprivate func readCalled(_ node: YAMLNode, _ verb: Key) -> CalledSpec? {
    switch node.content {
    case .scalar:
      return readAddress(node, .key(verb)).map { .one(CallSpec(target: $0)) }
    case .mapping:
      return open(node, LanguageTable.call, "`\(verb.rawValue)`")
        .flatMap { readCall($0) }.map { .one($0) }
    case .sequence(let nodes):
      if nodes.isEmpty { report(.emptyList("`\(verb.rawValue)`", of: "call", at: node.range)) }
      let entries = nodes.compactMap { readChoice($0, verb) }
      guard entries.count == nodes.count, !entries.isEmpty else { return nil }
      reportUnreachable(entries)
      return .choice(entries)
    }
  }

  private func readChoice(_ node: YAMLNode, _ verb: Key) -> CallChoiceSpec? {
    let title = "an entry of `\(verb.rawValue)`"
    guard let fields = open(node, LanguageTable.callChoice, title) else { return nil }
    let when = fields.expression(.when)
    guard let call = readCall(fields), when != nil || !fields.has(.when) else { return nil }
    return CallChoiceSpec(when: when, call: call)
  }

  /// Complains of the first call that no value can lead to.
  private func reportUnreachable(_ entries: [CallChoiceSpec]) {
    guard let first = entries.firstIndex(where: { $0.when == nil }), first + 1 < entries.count
    else { return }
    report(
      .unreachableCall(
        at: entries[first + 1].call.target.range, behind: entries[first].call.target.range))
  }

  private func readCall(_ fields: MappingReader) -> CallSpec? {
    let with = fields.namedData(.with)
    let rescue = fields.data(.replaceError)
    let target = fields.address(fields.has(.provider) ? .provider : .stream)
    guard let target, rescue != nil || !fields.has(.replaceError) else { return nil }
    return CallSpec(target: target, with: with, replaceError: rescue)
  }
}
