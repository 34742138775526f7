import Diagnostics
import ScenarioPlan
import ScenarioSpec

/// A scenario with errors, which cannot run.
package struct BrokenScenario: Sendable {
  /// Its title, place, tags and rows, as far as they could be read. Nothing in it can run.
  package var outline: ScenarioPlan
  /// The errors of its text, and of the files that it uses.
  package var errors: [Diagnostic]

  /// Its rows, or a single nil if it has no table or one that could not be read.
  package var rows: [RowPlan?] { outline.rows.isEmpty ? [nil] : outline.rows }
}

/// The title of a document whose title could not be read.
private let untitled = "untitled"

extension ScenarioPlan {
  /// True for the outline of a document whose title could not be read.
  package var hasUnreadTitle: Bool { title == untitled }
}

/// Returns the scenarios of a file that have no plan, in the order of the file.
func brokenScenarios(
  of documents: DecodedScenarios, besides plans: [ScenarioPlan], _ diagnostics: [Diagnostic],
  in file: SourceFile
) -> [BrokenScenario] {
  let errors = diagnostics.filter { $0.severity == .error }
  if errors.isEmpty { return [] }
  let whole = Set(plans.map(\.extent.start))
  var outlines = (documents.whole + documents.partial.map(\.document))
    .filter { !whole.contains($0.range.start) }.map(outline)
  outlines += documents.unreadable.map { ScenarioPlan(title: untitled, range: $0, extent: $0) }
  let known = plans.map(\.extent) + outlines.map(\.extent)
  outlines += lostDocuments(errors, known, in: file)
  outlines.sort { $0.extent.start < $1.extent.start }
  return outlines.map { BrokenScenario(outline: $0, errors: errors.about($0, of: outlines)) }
}

private func outline(of document: ScenarioDocument) -> ScenarioPlan {
  var plan = ScenarioPlan(
    title: document.title.value, range: document.title.range, extent: document.range)
  plan.tags = document.tags.map(\.value)
  plan.skip = document.skip?.value
  plan.only = document.only
  plan.rows = document.cases.map { RowPlan(id: $0.id, values: [], range: $0.range) }
  return plan
}

/// Returns the documents that YAML could not read at all. Their errors lie outside of all others.
private func lostDocuments(
  _ errors: [Diagnostic], _ known: [SourceRange], in file: SourceFile
) -> [ScenarioPlan] {
  var lost: [ScenarioPlan] = []
  for place in errors.compactMap({ $0.labels.first?.range }) where place.file == 0 {
    let isKnown = (known + lost.map(\.extent)).contains { $0.touches(place) }
    if !isKnown { lost.append(lostDocument(around: Int(place.start), in: file)) }
  }
  return lost
}

/// Returns the document between two lines `---`, with the title that it seems to have.
private func lostDocument(around offset: Int, in file: SourceFile) -> ScenarioPlan {
  var (start, offsetOfLine) = (0, 0)
  var (end, title) = (file.bytes.count, Located(untitled, .none))
  for line in file.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
    defer { offsetOfLine += line.count + 1 }
    if line.starts(with: Array("---".utf8)) {
      if offsetOfLine > offset {
        end = offsetOfLine - 1
        break
      }
      (start, title) = (offsetOfLine, Located(untitled, .none))
    } else if line.starts(with: Array("scenario:".utf8)) {
      title = Located(scenarioTitle(in: line), range(offsetOfLine, offsetOfLine + line.count))
    }
  }
  let extent = range(start, end)
  return ScenarioPlan(
    title: title.value, range: title.range == .none ? range(offset, offset) : title.range,
    extent: extent)
}

private func range(_ start: Int, _ end: Int) -> SourceRange {
  SourceRange(file: 0, start: Int32(start), end: Int32(end))
}

private func scenarioTitle(in line: ArraySlice<UInt8>) -> String {
  let text = String(decoding: line.dropFirst("scenario:".utf8.count), as: UTF8.self)
  var title = text[...]
  while let first = title.first, first.isWhitespace || "\"'".contains(first) { title.removeFirst() }
  while let last = title.last, last.isWhitespace || "\"'".contains(last) { title.removeLast() }
  return title.isEmpty ? untitled : String(title)
}

extension SourceRange {
  fileprivate func touches(_ place: SourceRange) -> Bool {
    file == place.file && start <= place.start && place.start <= end
  }
}

extension [Diagnostic] {
  /// Returns the errors inside a scenario. An error that lies in none of them, as in a file that
  /// several use, belongs to each scenario without errors of its own.
  fileprivate func about(_ plan: ScenarioPlan, of all: [ScenarioPlan]) -> [Diagnostic] {
    let own = filter { $0.isInside(plan) }
    if !own.isEmpty { return own }
    let shared = filter { error in !all.contains { error.isInside($0) } }
    return shared.isEmpty ? self : shared
  }
}

extension Diagnostic {
  fileprivate func isInside(_ plan: ScenarioPlan) -> Bool {
    labels.contains { plan.extent.touches($0.range) }
  }
}
