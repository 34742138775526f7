import Diagnostics
import YAMLSyntax

extension DocumentReader {
  /// Reads an entry of an `expect` list: one source with options, or a group in any order.
  func readEntry(_ node: YAMLNode) -> EntrySpec? {
    guard let fields = open(node, LanguageTable.entry, "each element of `expect`") else {
      return nil
    }
    if let group = fields[.anyOrder] { return readGroup(fields, group) }
    guard let source = readSource(fields) else { return nil }
    let address = readAddress(source)
    let matcher = readEventMatcher(source.value, source.key, in: "a list")
    var entry = EventEntrySpec(
      source: address ?? source.name, matcher: MatcherSpec(.operators([]), .none),
      range: node.range)
    entry.after = fields.duration(.after)
    entry.within = fields.duration(.within)
    entry.skips = fields.bool(.skip)?.value ?? false
    entry.since = fields.name(.since)
    entry.mark = fields.name(.mark)
    entry.times = fields.integer(.times)
    if let after = entry.after, let within = entry.within, entry.since == nil,
      after.value > within.value
    {
      report(.afterBeyondWithin(after.range, within: within.range))
    }
    guard address != nil, let matcher else { return nil }
    entry.matcher = matcher
    return .event(entry)
  }

  private func readSource(_ fields: MappingReader) -> YAMLEntry? {
    guard let source = fields.others.first else {
      report(.entryWithoutSource(fields.found.map { $0.key.rawValue }, at: fields.place))
      return nil
    }
    guard fields.others.count == 1 else {
      report(misnamed(fields.others))
      return nil
    }
    return source
  }

  /// Makes the diagnostic of two sources. One of the keys may be a mistyped option.
  private func misnamed(_ entries: [YAMLEntry]) -> Diagnostic {
    let options = LanguageTable.entryOptions
    let (first, second) = (entries[0], entries[1])
    if nearestName(to: second.key, among: options) == nil,
      let option = nearestName(to: first.key, among: options)
    {
      return .entryWithTwoSources(KeyPlace(second), KeyPlace(first), option: option)
    }
    let option = nearestName(to: second.key, among: options)
    return .entryWithTwoSources(KeyPlace(first), KeyPlace(second), option: option)
  }

  private func readGroup(_ fields: MappingReader, _ group: YAMLEntry) -> EntrySpec? {
    let others =
      fields.others.map { KeyPlace($0) }
      + fields.found.filter { $0.key != .anyOrder }.map { KeyPlace(fields.entries[$0.at]) }
    if let other = others.first {
      report(.conflictingKeys(KeyPlace(group), other, in: fields.rule))
      return nil
    }
    let nodes = fields.elements(.anyOrder)
    if group.value.elements?.isEmpty == true {
      report(.emptyExpect("anyOrder", at: group.value.range))
    }
    let entries = nodes.compactMap { readEntry($0) }
    guard !entries.isEmpty, entries.count == nodes.count else { return nil }
    return .anyOrder(entries, range: fields.range)
  }
}
