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
    let environments = root.entry(Key.environments.rawValue)?.value.entries.map(Array.init) ?? []
    let roots = [root] + environments.map(\.value)
    return LanguageTable.secretKeys.flatMap { place in
      let entries = roots.flatMap {
        $0.entry(place.list.name)?.value.entries.map(Array.init) ?? []
      }
      // What is secret in a file is secret in each of its environments.
      let marked = Set(entries.filter { place.marks($0) }.map(\.key))
      return entries.filter { marked.contains($0.key) }.compactMap { source(place, in: $0) }
    }
  }

  private func source(_ place: SecretKey, in entry: YAMLEntry) -> SecretSource? {
    guard let secrecy = place.key.secrecy else { return nil }
    let value = entry.value.entry(place.key.name)?.value
    switch secrecy {
    case .password: return value.map { SecretSource(name: entry.key, secrecy: secrecy, value: $0) }
    case .value:
      let plain = entry.value.entries == nil ? entry.value : nil
      return SecretSource(name: entry.key, secrecy: secrecy, value: value ?? plain)
    }
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

  /// Returns whether an entry says that it is secret.
  func marks(_ entry: YAMLEntry) -> Bool {
    guard case .value(markedBy: let mark)? = key.secrecy else { return key.secrecy != nil }
    guard let mark = entry.value.entry(mark.rawValue)?.value else { return false }
    return mark.scalar?.value != .bool(false)
  }
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
