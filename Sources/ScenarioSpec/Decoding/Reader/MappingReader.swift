import Diagnostics
import YAMLSyntax

/// A reader of one mapping, with its keys found in the table.
///
/// Each accessor reads the value of one key in the shape of the table, and reports any other shape.
/// A missing key is nil without a diagnostic.
struct MappingReader {
  let values: DocumentReader
  let rule: MappingRule
  let range: SourceRange
  /// The place of diagnostics about missing keys: the first key, or the whole mapping if it is
  /// empty.
  let place: SourceRange
  let entries: YAMLEntries
  let found: [(key: Key, at: YAMLEntries.Index)]
  /// The entries whose keys are not in the table, if the mapping takes such keys.
  let others: [YAMLEntry]

  subscript(key: Key) -> YAMLEntry? {
    for (known, place) in found where known == key { return entries[place] }
    return nil
  }

  func has(_ key: Key) -> Bool {
    for (known, _) in found where known == key { return true }
    return false
  }

  /// Returns the first of these keys that the mapping has.
  func first(of keys: [Key]) -> (key: Key, entry: YAMLEntry)? {
    for (key, place) in found where keys.contains(key) { return (key, entries[place]) }
    return nil
  }

  /// Checks that accessor and table agree about the shape of a key.
  func assertShape(_ key: Key, _ isExpected: (Shape) -> Bool) {
    assert(rule.rule(for: key).map { isExpected($0.shape) } ?? false, "\(key) in \(rule.title)")
  }
}

extension DocumentReader {
  /// Finds the keys of a mapping in the table. Reports keys that are unknown or missing, and keys
  /// that exclude each other.
  func open(
    _ node: YAMLNode, _ rule: MappingRule, _ subject: @autoclosure () -> String,
    help: @autoclosure () -> String? = nil
  ) -> MappingReader? {
    guard case .mapping(let entries) = node.content else {
      report(
        .wrongType(
          subject(), takes: rule.name.phrase, found: node.kindName, at: node.range, help: help()))
      return nil
    }
    var found: [(key: Key, at: YAMLEntries.Index)] = []
    found.reserveCapacity(entries.count)
    var others: [YAMLEntry] = []
    var place: SourceRange?
    var meant: [String] = []
    var index = entries.startIndex
    for number in 0..<entries.count {
      if number > 0 { index = entries.index(after: index) }
      let entry = entries[index]
      if place == nil { place = entry.keyRange }
      guard let key = rule.key(named: entry.key) else {
        if rule.otherKey != nil {
          others.append(entry)
        } else if entry.continuesText, let last = found.last,
          rule.rule(for: last.key)?.hasCommas == true
        {
          continue
        } else if let nearest = reportUnknownKey(entry, in: rule) {
          meant.append(nearest)
        }
        continue
      }
      found.append((key, index))
    }
    let fields = MappingReader(
      values: self, rule: rule, range: node.range, place: place ?? node.range, entries: entries,
      found: found, others: others)
    for group in rule.exclusive { reportConflict(fields, group) }
    reportMissing(fields, meant: meant)
    return fields
  }

  private func reportUnknownKey(_ entry: YAMLEntry, in rule: MappingRule) -> String? {
    let known = rule.keys.lazy.map(\.name)
    if let help = ForeignKeys.help(for: entry.key, in: rule) {
      var diagnostic = Diagnostic.unknownKey(entry.key, in: rule, nearest: nil, at: entry.keyRange)
      diagnostic.help = help.text
      report(diagnostic)
      return help.meant.rawValue
    }
    let nearest =
      ForeignNames.key(for: entry, in: rule) ?? nearestName(to: entry.key, among: known)
      ?? known.first { $0.lowercased() == entry.key.lowercased() }
    if nearest == nil, rule.isStep, let verb = nearestVerb(to: entry.key) {
      report(.unknownKeyNearVerb(entry.key, verb: verb, in: rule, at: entry.keyRange))
      return nil
    }
    report(.unknownKey(entry.key, in: rule, nearest: nearest, at: entry.keyRange))
    return nearest
  }

  private func nearestVerb(to key: String) -> String? {
    nearestName(to: key, among: LanguageTable.steps.lazy.map(\.verb.name))
  }

  /// Reports missing keys. A key that is only mistyped is not reported as missing.
  private func reportMissing(_ fields: MappingReader, meant: [String]) {
    let rule = fields.rule
    for required in rule.required where !fields.has(required.key) {
      guard !meant.contains(required.name) else { continue }
      report(.missingKey([required.key], in: rule, at: fields.place))
    }
    let needs = rule.needs.filter { fields.has($0.key) && fields.first(of: $0.oneOf) == nil }
    for group in rule.exactlyOneOf where !needs.contains(where: { group.contains($0.oneOf[0]) }) {
      reportMissing(fields, group, meant: meant)
    }
    for need in needs { report(need, fields, meant: meant) }
  }

  /// Reports a key without any of those it needs.
  private func report(_ need: Need, _ fields: MappingReader, meant: [String]) {
    let rivals = fields.rule.exactlyOneOf.first { $0.contains(need.oneOf[0]) } ?? []
    guard let entry = fields[need.key], !rivals.isEmpty || need.pointsAtKey else {
      return reportMissing(fields, need.oneOf, meant: meant)
    }
    guard !need.oneOf.contains(where: { meant.contains($0.rawValue) }) else { return }
    let rival = fields.first(of: rivals)?.key
    report(
      .missingCompanion(of: KeyPlace(entry), need.oneOf, rival: rival, in: fields.rule))
  }

  private func reportMissing(_ fields: MappingReader, _ group: [Key], meant: [String]) {
    guard fields.first(of: group) == nil,
      !group.contains(where: { meant.contains($0.rawValue) })
    else { return }
    report(.missingKey(group, in: fields.rule, at: fields.place))
  }

  private func reportConflict(_ fields: MappingReader, _ group: [Key]) {
    var first: (key: Key, at: YAMLEntries.Index)?
    for (key, place) in fields.found where group.contains(key) {
      if let first, !fields.allowsTogether(first.key, key) {
        let rivals = (KeyPlace(fields.entries[first.at]), KeyPlace(fields.entries[place]))
        return report(.conflictingKeys(rivals.0, rivals.1, in: fields.rule))
      }
      first = (key, place)
    }
  }
}

extension MappingReader {
  fileprivate func allowsTogether(_ one: Key, _ other: Key) -> Bool {
    guard let (key, others) = rule.together, has(others[0]) else { return false }
    return one == key && others.contains(other) || other == key && others.contains(one)
  }
}

extension KeyPlace {
  init(_ entry: YAMLEntry) { self.init(name: entry.key, range: entry.keyRange) }
}

extension YAMLEntry {
  /// True if it is a part of the text before, split off by a comma between braces.
  var continuesText: Bool { value.scalar?.isAbsent ?? false }

  /// The key with its place.
  var name: Located<String> { Located(key, keyRange) }
}
