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
    let reading = ReadingContext(file: sources.file(of: range), tables: tables)
    let scenario = DocumentReader(reading).readScenario(document.root)
    result.diagnostics += reading.diagnostics.inOrderOfPlace()
    guard let scenario else { continue }
    if reading.diagnostics.hasErrors {
      result.value.partial.append(
        PartialDocument(
          document: scenario, words: words(in: document.root), lacksTable: reading.lacksTable))
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
