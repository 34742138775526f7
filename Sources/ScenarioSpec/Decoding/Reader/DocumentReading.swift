import Diagnostics
import YAMLSyntax

extension DocumentReader {
  func readScenario(_ node: YAMLNode) -> ScenarioDocument? {
    let help = "begin with `scenario: TITLE`; `rehearse init` writes an example"
    guard !reportsForeignDocument(node),
      let fields = open(node, LanguageTable.scenario, "a document", help: help)
    else { return nil }
    // Without a title there was a complaint, and the document is only read for more of them.
    let title = fields.text(.scenario) ?? Located("", node.range)
    var scenario = ScenarioDocument(title: title, range: node.range)
    scenario.description = fields.text(.description)?.value
    scenario.tags = fields.texts(.tags)
    scenario.skip = readSkip(fields)
    scenario.only = readWorlds(fields)
    scenario.against = readAgainst(fields)
    scenario.timeout = fields.duration(.timeout)
    let time = fields.word(.time)
    scenario.isInRealTime = time?.value == "wall"
    scenario.virtualTime = time?.value == "virtual" ? time?.range : nil
    scenario.clock = fields.clock(.clock)
    scenario.seed = fields.integer(.seed)
    scenario.sweep = readSweep(fields)
    scenario.disturbances = fields.texts(.disturb)
    scenario.traces = readTraces(fields)
    scenario.cases = readCases(fields)
    readStage(fields, into: &scenario.stage)
    readPrograms(fields, into: &scenario)
    scenario.stage.sources = readDeclaredSources(fields)
    scenario.stage.completion = readCompletion(fields)
    scenario.reorder = fields.tick(.reorder)?.value
    scenario.steps = fields.script(.steps) ?? scenario.steps
    scenario.finally = fields.script(.finally)
    scenario.includesFiles = reading.includesFiles
    scenario.stage.marksSecrets = reading.marksSecrets
    return scenario
  }

  /// Reports a map none of whose keys is nearly one of a scenario, once for all its keys.
  private func reportsForeignDocument(_ node: YAMLNode) -> Bool {
    guard let entries = node.entries, let first = entries.first else { return false }
    let rule = LanguageTable.scenario
    let isTrace = first.key == ForeignNames.traceKey
    let isForeign = entries.allSatisfy { entry in
      rule.rule(named: entry.key) == nil && ForeignKeys.help(for: entry.key, in: rule) == nil
        && ForeignNames.key(for: entry.key, in: rule) == nil
        && nearestName(to: entry.key.lowercased(), among: rule.keys.lazy.map(\.name)) == nil
    }
    guard isTrace || isForeign else { return false }
    report(.foreignDocument(entries.map(\.key), at: first.keyRange))
    return true
  }

  /// Reads why a scenario is left out; a flag says nothing about it.
  private func readSkip(_ fields: MappingReader) -> Located<String>? {
    guard let node = fields[.skip]?.value, case .bool? = node.scalar?.value else {
      return fields.text(.skip)
    }
    reportWrongType(
      node, .key(.skip), takes: .text, help: "write the reason: `skip: \"the server is moved\"`")
    return nil
  }

  /// Reads one world or a list of them.
  private func readWorlds(_ fields: MappingReader) -> [WorldName] {
    guard let node = fields[.only]?.value else { return [] }
    if node.elements?.isEmpty == true {
      report(.emptyList("`only`", of: "world", at: node.range))
    }
    let full = Shape.anyOf([LanguageTable.worldName, .list(LanguageTable.worldName)])
    guard let worlds = node.elements else {
      return [readWorld(node, .key(.only), of: full)].compactMap(\.self)
    }
    return worlds.compactMap { readWorld($0, .element(.only), of: LanguageTable.worldName) }
  }

  /// Reads one world for all endpoints, or a map of worlds by endpoint.
  func readAgainst(_ fields: MappingReader) -> WorldsSpec {
    var worlds = WorldsSpec()
    guard let node = fields[.against]?.value else { return worlds }
    guard case .mapping(let entries) = node.content else {
      worlds.others = readWorld(node, .key(.against), of: LanguageTable.againstShape)
      return worlds
    }
    for entry in entries where hasLiteralKey(entry) {
      let subject = ValueSubject.entry(entry.key, of: .against)
      if let world = readWorld(entry.value, subject, of: LanguageTable.chosenWorld) {
        worlds.endpoints.append((entry.name, world))
      }
    }
    return worlds
  }

  private func readWorld(_ node: YAMLNode, _ subject: ValueSubject, of full: Shape) -> WorldName? {
    guard node.text != nil else {
      reportWrongType(node, subject, takes: full)
      return nil
    }
    let names =
      full == LanguageTable.chosenWorld || full == LanguageTable.againstShape
      ? LanguageTable.chosenWorld : LanguageTable.worldName
    return readWord(node, names, subject, of: full)
      .flatMap { WorldName(rawValue: $0.value) }
  }

  /// Reads the stage of a scenario or a component.
  func readStage(_ fields: MappingReader, into stage: inout StageSpec) {
    stage.vars = readVariables(fields)
    stage.uses = readUses(fields)
    stage.graph = readGraph(fields)
    stage.reactors = readReactors(fields)
    stage.endpoints = readEndpoints(fields)
    stage.databases = readDatabases(fields)
    stage.providers = readProviders(fields)
    stage.lists = readLists(fields)
    stage.connections = readConnections(fields)
    stage.reactors += stage.connections.compactMap(\.openingReactor)
    stage.streams = readStreams(fields)
    stage.invariants = readInvariants(fields)
    stage.includesFiles = reading.includesFiles
    stage.marksSecrets = reading.marksSecrets
  }
}
