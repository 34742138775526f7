import Diagnostics
import Values
import YAMLSyntax

extension StageReader {
  func readInvariants(_ fields: MappingReader) -> [InvariantSpec] {
    fields.elements(.invariants).compactMap { node in
      guard
        let parts = values.open(node, LanguageTable.invariant, Subject.element(.invariants).text),
        let (key, entry) = parts.first(of: [.always, .never, .leadsTo])
      else { return nil }
      let kind: InvariantSpec.Kind? =
        switch key {
        case .always: parts.expression(key).map { .always($0) }
        case .never: parts.expression(key).map { .never($0) }
        default: readLeadsTo(entry.value)
        }
      return kind.map { InvariantSpec(kind: $0, verb: entry.name, range: node.range) }
    }
  }

  private func readLeadsTo(_ node: YAMLNode) -> InvariantSpec.Kind? {
    guard let fields = values.open(node, LanguageTable.leadsTo, "`leadsTo`") else { return nil }
    let when = readSourceMatchers(fields, .when)
    let then = readSourceMatchers(fields, .then)
    let within = fields.duration(.within)
    guard let when, let then, within != nil || !fields.has(.within) else { return nil }
    return .leadsTo(when: when, then: then, within: within)
  }

  private func readSourceMatchers(_ fields: MappingReader, _ key: Key) -> [SourceMatcherSpec]? {
    guard let node = fields[key]?.value else { return nil }
    if node.entries?.isEmpty == true { report(.emptyMap("`\(key.rawValue)`", at: node.range)) }
    let entries = fields.entries(key)
    let matchers = entries.compactMap { entry -> SourceMatcherSpec? in
      let source = values.readAddress(entry)
      let matcher = matcherReader.readEventMatcher(entry.value, entry.key, in: "`leadsTo`")
      guard let source, let matcher else { return nil }
      return SourceMatcherSpec(source: source, matcher: matcher)
    }
    return matchers.isEmpty || matchers.count < entries.count ? nil : matchers
  }
}
