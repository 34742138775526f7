import YAMLSyntax

extension DocumentReader {
  /// Reads what a sweep disturbs and demands.
  func readSweep(_ fields: MappingReader) -> SweepSpec? {
    guard let entry = fields[.sweep],
      let parts = open(entry.value, LanguageTable.sweep, ValueSubject.key(.sweep).text)
    else { return nil }
    var sweep = SweepSpec(range: entry.keyRange)
    sweep.same = readAddresses(parts, .same)
    if let condition = parts.expression(.never), let verb = parts[.never]?.name {
      sweep.never = (condition, verb)
    }
    sweep.allowed = readAddresses(parts, .allow)
    if parts.has(.disturb) { sweep.disturbed = readDisturbed(parts) }
    sweep.settle = parts.duration(.settle)?.value
    sweep.demandsExpect = parts.bool(.expect)?.value ?? false
    return sweep
  }

  private func readAddresses(_ parts: MappingReader, _ key: Key) -> [Located<String>] {
    parts.elements(key).compactMap { readAddress($0, .element(key)) }
  }

  private func readDisturbed(
    _ parts: MappingReader
  ) -> [(name: Located<String>, kinds: [SweepSpec.Kind])] {
    let word = Shape.words(SweepSpec.Kind.allCases.map(\.rawValue))
    return parts.entries(.disturb).compactMap { entry in
      guard let name = readAddress(entry) else { return nil }
      guard case .sequence(let nodes) = entry.value.content else {
        reportWrongType(entry.value, .entry(entry.key, of: .disturb), takes: .list(word))
        return nil
      }
      let kinds = nodes.compactMap { node in
        readWord(node, word, .entry(entry.key, of: .disturb))
          .flatMap { SweepSpec.Kind(rawValue: $0.value) }
      }
      return (name, kinds)
    }
  }
}
