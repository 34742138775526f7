import Diagnostics
import Values
import YAMLSyntax

/// The scenarios of a file, as far as they could be read.
package struct DecodedScenarios: Sendable {
  package var whole: [ScenarioDocument] = []
  /// Documents of which parts were left out: not to be run, but what is there can be looked at.
  package var partial: [PartialDocument] = []
}

/// A document of which parts were left out.
package struct PartialDocument: Sendable {
  package var document: ScenarioDocument
  /// Every key and scalar of its text, and where each begins: a name among them may have been
  /// declared in what was left out.
  package var words: [String: [Int32]]
  /// Whether its table could not be read, so that nobody knows which names were declared there.
  package var lacksTable = false
}

/// Reads the scenarios of a file: typed documents, and all that is to be said about them.
///
/// A document with an error is partial, since it cannot be run as its author meant it. Every
/// mistake of every document is reported.
package func decodeScenarios(
  _ documents: [YAMLDocument], in sources: SourceMap, tables: TableFiles = .none
) -> Diagnosed<DecodedScenarios> {
  var result = Diagnosed(DecodedScenarios())
  for document in documents where !document.root.isNull {
    let range = SourceRange(file: document.file, start: 0, end: 0)
    let reader = ScenarioReader(file: sources.file(of: range), tables: tables)
    let scenario = reader.readScenario(document.root)
    result.diagnostics += reader.diagnostics.inOrderOfPlace()
    guard let scenario else { continue }
    if reader.diagnostics.hasErrors {
      result.value.partial.append(
        PartialDocument(
          document: scenario, words: words(in: document.root), lacksTable: reader.lacksTable))
    } else {
      result.value.whole.append(scenario)
    }
  }
  return result
}

extension [Diagnostic] {
  /// As they stand in their files; of those at one place the one found first comes first.
  func inOrderOfPlace() -> [Diagnostic] {
    guard count > 1 else { return self }
    let order = indices.sorted { left, right in
      let (a, b) = (self[left].labels.first?.range, self[right].labels.first?.range)
      return (a?.file ?? 0, a?.start ?? 0, left) < (b?.file ?? 0, b?.start ?? 0, right)
    }
    return order.map { self[$0] }
  }
}

/// Reads one document and gathers what is wrong with it.
///
/// The methods that read return nil for a part that is broken, after reporting it, so that the rest
/// is still read and every mistake is told at once.
final class ScenarioReader {
  /// The text behind the document, by which parts of a scalar find their place.
  let file: SourceFile?
  let tables: TableFiles
  /// Whether a table could not be read as a whole.
  var lacksTable = false
  /// Whether a step that was read includes a file.
  var includesFiles = false
  private(set) var diagnostics: [Diagnostic] = []
  /// The names on the stage and where they were given.
  private var stageNames: [String: SourceRange] = [:]

  init(file: SourceFile?, tables: TableFiles = .none) {
    self.file = file
    self.tables = tables
  }

  func report(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

  /// Adds a note to all that is reported meanwhile.
  func noting<Result>(_ note: @autoclosure () -> Diagnostic.Fact, _ body: () -> Result) -> Result {
    let first = diagnostics.count
    let result = body()
    for index in diagnostics.indices.dropFirst(first) { diagnostics[index].notes.append(note()) }
    return result
  }

  /// Adds a label to all that is reported meanwhile, and keeps no more than so many.
  func labelling<Result>(
    _ text: String, _ range: SourceRange, most: Int, _ body: () -> Result
  ) -> Result {
    let first = diagnostics.count
    let result = body()
    diagnostics.removeLast(max(0, diagnostics.count - first - most))
    for index in diagnostics.indices.dropFirst(first) {
      if diagnostics[index].labels.contains(where: { $0.range == range }) { continue }
      diagnostics[index].labels.append(.init(range, text))
    }
    return result
  }

  /// Takes a name for something on the stage: one namespace for all.
  func declare(_ name: Located<String>) {
    guard let other = stageNames.updateValue(name.range, forKey: name.value) else { return }
    let isLater = (other.file, other.start) < (name.range.file, name.range.start)
    let (first, second) = isLater ? (other, name.range) : (name.range, other)
    stageNames[name.value] = first
    report(.duplicateName(name.value, at: second, first: first))
  }

  /// Where something on the stage was given this name.
  func declaration(of name: String) -> SourceRange? { stageNames[name] }
}

extension ScenarioReader {
  func readScenario(_ node: YAMLNode) -> ScenarioDocument? {
    guard let fields = open(node, LanguageTable.scenario, "a document") else { return nil }
    // Without a title there was a complaint, and the document is only read for more of them.
    let title = fields.text(.scenario) ?? Located("", node.range)
    var scenario = ScenarioDocument(title: title, range: node.range)
    scenario.description = fields.text(.description)?.value
    scenario.tags = fields.texts(.tags)
    scenario.skip = fields.text(.skip)
    scenario.timeout = fields.duration(.timeout)
    scenario.isInWallTime = fields.word(.time)?.value == "wall"
    scenario.clock = fields.timestamp(.clock)
    scenario.seed = fields.integer(.seed)
    scenario.cases = readCases(fields)
    readStage(fields, into: &scenario.stage)
    scenario.steps = fields.script(.steps) ?? scenario.steps
    scenario.finally = fields.script(.finally)
    scenario.includesFiles = includesFiles
    return scenario
  }

  /// What scenarios and components have in common.
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
    stage.streams = readStreams(fields)
    stage.invariants = readInvariants(fields)
  }
}

/// All keys and scalars of a document and where they begin; the tree is bounded in depth.
private func words(in node: YAMLNode) -> [String: [Int32]] {
  var words: [String: [Int32]] = [:]
  func gather(_ node: YAMLNode) {
    if let scalar = node.scalar { words[scalar.text, default: []].append(node.range.start) }
    for element in node.elements ?? [] { gather(element) }
    for entry in node.entries ?? [] {
      words[entry.key, default: []].append(entry.keyRange.start)
      gather(entry.value)
    }
  }
  gather(node)
  return words
}
