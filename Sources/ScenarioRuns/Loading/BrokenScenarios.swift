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
  _ outlines: [ScenarioPlan], besides plans: [ScenarioPlan], _ diagnostics: [Diagnostic],
  in file: SourceFile
) -> [BrokenScenario] {
  let errors = diagnostics.filter { $0.severity == .error }
  if errors.isEmpty { return [] }
  let known = Extents(plans.map(\.extent) + outlines.map(\.extent))
  var outlines = outlines + lostDocuments(errors, known, in: file)
  outlines.sort { $0.extent.start < $1.extent.start }
  let own = errors.shared(among: Extents(outlines.map(\.extent)))
  return zip(outlines, own).map { BrokenScenario(outline: $0, errors: $1) }
}

extension ScenarioPlan {
  /// Makes the outline of a document without a plan.
  init(outlineOf document: ScenarioDocument) {
    var outline = PlanContents(
      title: document.title.value, range: document.title.range, extent: document.range)
    outline.tags = document.tags.map(\.value)
    outline.skip = document.skip?.value
    outline.only = document.only
    outline.rows = document.cases.map { RowPlan(id: $0.id, values: [], range: $0.range) }
    self.init(outline)
  }

  /// The outline of a scenario that does not run.
  var outline: ScenarioPlan {
    var outline = PlanContents(title: title, range: range, extent: extent)
    outline.tags = tags
    outline.skip = skip
    outline.only = only
    outline.rows = rows.map { RowPlan(id: $0.id, values: [], range: $0.range) }
    return ScenarioPlan(outline)
  }

  /// Makes the outline of a document of which nothing could be read.
  init(untitledAt range: SourceRange) {
    self.init(PlanContents(title: untitled, range: range, extent: range))
  }
}

/// Returns the documents that YAML could not read at all. Their errors lie outside of all others.
private func lostDocuments(
  _ errors: [Diagnostic], _ known: Extents, in file: SourceFile
) -> [ScenarioPlan] {
  var lost: [ScenarioPlan] = []
  for place in errors.compactMap({ $0.labels.first?.range }) where place.file == 0 {
    let isLost = known.touching(place).isEmpty && !lost.contains { $0.extent.touches(place) }
    if isLost { lost.append(lostDocument(around: Int(place.start), in: file)) }
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
    PlanContents(
      title: title.value, range: title.range == .none ? range(offset, offset) : title.range,
      extent: extent))
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

/// The extents of a file's documents. They overlap at most at their ends.
private struct Extents {
  private let sorted: [SourceRange]

  init(_ extents: [SourceRange]) { sorted = extents.sorted { $0.start < $1.start } }

  var count: Int { sorted.count }

  /// Returns the numbers of the extents that a place touches.
  func touching(_ place: SourceRange) -> [Int] {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle].start <= place.start { low = middle + 1 } else { high = middle }
    }
    return [low - 2, low - 1].filter { $0 >= 0 && sorted[$0].touches(place) }
  }
}

extension [Diagnostic] {
  /// Returns the errors inside each document. An error that lies in none of them, as in a file that
  /// several use, belongs to each document without errors of its own.
  fileprivate func shared(among documents: Extents) -> [[Diagnostic]] {
    var own = [[Diagnostic]](repeating: [], count: documents.count)
    var outside: [Diagnostic] = []
    for error in self {
      let places = Set(error.labels.flatMap { documents.touching($0.range) })
      for place in places.sorted() { own[place].append(error) }
      if places.isEmpty { outside.append(error) }
    }
    return own.map { !$0.isEmpty ? $0 : outside.isEmpty ? self : outside }
  }
}
