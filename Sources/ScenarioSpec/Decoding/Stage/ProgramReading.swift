import TextSearch
import YAMLSyntax

/// Reading of programs.
extension DocumentReader {
  func readPrograms(_ fields: MappingReader) -> [ProgramSpec] {
    fields.entries(.programs).compactMap { entry in
      let name = readStageName(entry)
      let subject = ValueSubject.entry(entry.key, of: .programs).text
      guard let parts = open(entry.value, LanguageTable.program, subject) else { return nil }
      var program = ProgramSpec(name: name ?? entry.name)
      program.run = readArguments(parts)
      program.environment = parts.scalars(.env)
      program.folder = parts.scalar(.folder)
      program.ready = parts[.ready].flatMap { readReadiness($0.value) }
      program.sources = parts.entries(.sources).compactMap { readSource($0) }
      if let stop = parts[.stop] { readStop(stop.value, into: &program) }
      return name == nil || program.run.isEmpty ? nil : program
    }
  }

  private func readArguments(_ fields: MappingReader) -> [DataSpec] {
    if let node = fields[.run]?.value, node.elements?.isEmpty == true {
      report(.emptyList("`run`", of: "argument", at: node.range))
    }
    return fields.elements(.run, help: helpForCommandLine)
      .compactMap { readSentText($0, .element(.run)) }
  }

  /// Returns the list for a command line in one text. No shell would part its words.
  private func helpForCommandLine(_ node: YAMLNode) -> String? {
    guard let text = node.text, text.contains(byte: UInt8(ascii: " ")) else { return nil }
    if text.contains("\"") || text.contains("'") {
      return "write each argument as an element, as in `[sh, -c, \"echo done\"]`"
    }
    return "write `[\(text.split(separator: " ").joined(separator: ", "))]`"
  }

  private func readReadiness(_ node: YAMLNode) -> ReadinessSpec? {
    guard let fields = open(node, LanguageTable.readiness, "`ready`") else { return nil }
    let timeout = fields.tick(.timeout)?.value
    let sign: ReadinessSpec.Sign? =
      if let line = fields[.line] {
        readMatcher(line.value).map { .line($0) }
      } else if fields.has(.port) {
        fields.count(.port).map { .port($0) }
      } else {
        fields.scalar(.url).map { .url($0) }
      }
    return sign.map { ReadinessSpec(sign: $0, timeout: timeout, range: fields.range) }
  }

  private func readSource(_ entry: YAMLEntry) -> (name: Located<String>, initial: DataSpec?)? {
    let name = readInnerName(entry)
    let subject = ValueSubject.entry(entry.key, of: .sources).text
    guard let parts = open(entry.value, LanguageTable.programSource, subject), let name
    else { return nil }
    if ["exit", "errors", "send"].contains(name.value) {
      let reason = "what every program has"
      report(.reservedName(name.value, because: reason, at: name.range))
      return nil
    }
    return (name, parts.data(.initial))
  }

  private func readStop(_ node: YAMLNode, into program: inout ProgramSpec) {
    guard let fields = open(node, LanguageTable.programStop, "`stop`") else { return }
    program.signal = fields.word(.signal).flatMap { StopSignal(rawValue: $0.value) }
    program.stopTimeout = fields.tick(.timeout)?.value
  }
}

extension DocumentReader {
  func readPrograms(_ fields: MappingReader, into scenario: inout ScenarioDocument) {
    scenario.stage.programs = readPrograms(fields)
    scenario.requires = fields.texts(.requires)
  }
}
