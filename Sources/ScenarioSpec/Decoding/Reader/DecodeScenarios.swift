import Diagnostics
import YAMLSyntax

/// The scenarios of a file, as far as they can be read.
package struct DecodedScenarios: Sendable {
  package var whole: [ScenarioDocument] = []
  /// The documents with missing parts. They do not run, but their other parts can be checked.
  package var partial: [PartialDocument] = []
  /// The places of documents of which nothing could be read.
  package var unreadable: [SourceRange] = []

  package init() {}
}

/// A document with missing parts, which are wrong.
package struct PartialDocument: Sendable {
  package var document: ScenarioDocument
  /// The keys and scalars of its text, with their places. A name among them may be declared in a
  /// missing part.
  package var words: [String: [Int32]]
  /// True if its table cannot be read. Its columns are then unknown.
  package var lacksTable = false
}

/// Reads the scenarios of a file: typed documents, and their diagnostics.
///
/// A document with an error is partial: it cannot run as its author meant it. Each mistake of each
/// document is reported.
package func decodeScenarios(
  _ documents: [YAMLDocument], in sources: SourceMap, tables: TableFiles = .none
) -> Diagnosed<DecodedScenarios> {
  var result = Diagnosed(DecodedScenarios())
  for document in documents where !document.root.isNull {
    let range = SourceRange(file: document.file, start: 0, end: 0)
    let reading = ReadingContext(file: sources.file(of: range), tables: tables)
    let scenario = DocumentReader(reading).readScenario(document.root)
    result.diagnostics += reading.diagnostics.inOrderOfPlace()
    result.textPlaces += reading.textPlaces
    guard let scenario else {
      result.value.unreadable.append(document.root.range)
      continue
    }
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
  /// Returns the diagnostics in the order of their places. Those at one place keep their order.
  func inOrderOfPlace() -> [Diagnostic] {
    guard count > 1 else { return self }
    let order = indices.sorted { left, right in
      let (a, b) = (self[left].labels.first?.range, self[right].labels.first?.range)
      return (a?.file ?? 0, a?.start ?? 0, left) < (b?.file ?? 0, b?.start ?? 0, right)
    }
    return order.map { self[$0] }
  }
}

/// Returns the keys and scalars of a document, with their places. The depth of the tree is bounded.
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
