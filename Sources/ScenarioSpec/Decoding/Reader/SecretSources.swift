import TextSearch
import YAMLSyntax

/// A place in a document whose text is secret, or holds a secret.
package struct SecretSource: Sendable {
  /// The name of the variable or the endpoint.
  package var name: String
  package var secrecy: Secrecy
  /// Nil if the key has no value yet, as while somebody writes it.
  package var value: YAMLNode?
}

extension YAMLDocument {
  /// The places of secrets, by the marks in the language table.
  ///
  /// They are found in the tree, not in the decoded document: diagnostics of a document that cannot
  /// be decoded must not show its secrets either.
  package var secretSources: [SecretSource] {
    LanguageTable.secretKeys.flatMap { place -> [SecretSource] in
      (root.entry(place.list.name)?.value.entries ?? []).compactMap { source(place, in: $0) }
    }
  }

  private func source(_ place: SecretKey, in entry: YAMLEntry) -> SecretSource? {
    guard let secrecy = place.key.secrecy else { return nil }
    let value = entry.value.entry(place.key.name)?.value
    switch secrecy {
    case .password: if value == nil { return nil }
    case .value(markedBy: let mark):
      guard let mark = entry.value.entry(mark.rawValue)?.value, mark.scalar?.value != .bool(false)
      else { return nil }
    }
    return SecretSource(name: entry.key, secrecy: secrecy, value: value)
  }

  /// Returns what a document writes for a variable: the value itself, or the one under `value`.
  package func variable(_ name: String) -> YAMLNode? {
    guard let written = root.entry(Key.vars.rawValue)?.value.entry(name)?.value else { return nil }
    return written.entry(Key.value.rawValue)?.value ?? written
  }
}

/// A key that the table marks, and the key of the stage whose entries have it.
private struct SecretKey: Sendable {
  var list: KeyRule
  var key: KeyRule
}

extension LanguageTable {
  /// The marked keys of all that a stage lists by name: variables, endpoints and so on.
  fileprivate static let secretKeys: [SecretKey] = stage.flatMap { list in
    list.shape.mappingsOfEntries.compactMap { mapping($0) }.flatMap { rule in
      rule.keys.filter { $0.secrecy != nil }.map { SecretKey(list: list, key: $0) }
    }
  }
}

extension Shape {
  /// The mappings that an entry of a map may be.
  fileprivate var mappingsOfEntries: [MappingName] {
    guard case .map(_, let entry) = self else { return [] }
    if case .mapping(let name) = entry { return [name] }
    guard case .anyOf(let shapes) = entry else { return [] }
    return shapes.compactMap { if case .mapping(let name) = $0 { name } else { nil } }
  }
}
