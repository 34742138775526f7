import Diagnostics

/// The state that the readers of one document share: its text, its tables, the names on its stage,
/// and its diagnostics.
final class ReadingContext {
  /// The text behind the document. Parts of a scalar find their places in it.
  let file: SourceFile?
  let tables: TableFiles
  /// True if a table could not be read completely.
  var lacksTable = false
  /// True if a step that was read includes a file.
  var includesFiles = false
  /// True if something that was read is marked as secret.
  var marksSecrets = false
  private(set) var diagnostics: [Diagnostic] = []
  /// The scalars that are read as they are written, whatever YAML makes of them.
  private(set) var textPlaces: [SourceRange] = []
  /// The names on the stage, with the places where they are given.
  private var heads: Set<String> = []
  private var stageNames: [String: SourceRange] = [:]
  /// The number of names for which there is room from the beginning.
  private static let usualNames = 12

  init(file: SourceFile?, tables: TableFiles = .none) {
    self.file = file
    self.tables = tables
  }

  func report(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

  /// Notes that a scalar is in a place of text.
  func settle(_ range: SourceRange) { textPlaces.append(range) }

  /// Adds a note to each diagnostic that the body reports.
  func noting<Result>(_ note: @autoclosure () -> Diagnostic.Fact, _ body: () -> Result) -> Result {
    let first = diagnostics.count
    let result = body()
    for index in diagnostics.indices.dropFirst(first) { diagnostics[index].notes.append(note()) }
    return result
  }

  /// Adds a label to each diagnostic that the body reports, and keeps at most so many of them.
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

  /// Moves the labels of what the body reports about another file to the place that names it. The
  /// lines of a table with secret columns must not be quoted: if it is broken, any cell may be one
  /// of them.
  func withoutQuoting<Result>(_ path: Located<String>, _ body: () -> Result) -> Result {
    let first = diagnostics.count
    let result = body()
    for index in diagnostics.indices.dropFirst(first) {
      let labels = diagnostics[index].labels.filter { $0.range.file == path.range.file }
      let hasOthers = labels.count < diagnostics[index].labels.count
      diagnostics[index].labels = labels.isEmpty ? [.init(path.range)] : labels
      if hasOthers {
        diagnostics[index].notes.append(
          .init("note", "its lines are not shown, because it has secret columns"))
      }
    }
    return result
  }

  /// Gives something on the stage its name. All of the stage has one namespace.
  func declare(_ name: Located<String>) {
    if stageNames.isEmpty { stageNames.reserveCapacity(ReadingContext.usualNames) }
    guard let other = stageNames.updateValue(name.range, forKey: name.value) else { return }
    let isLater = (other.file, other.start) < (name.range.file, name.range.start)
    let (first, second) = isLater ? (other, name.range) : (name.range, other)
    stageNames[name.value] = first
    report(.duplicateName(name.value, at: second, first: first))
  }

  /// Takes the first word of names with dots; any number of them may share it.
  func declareHead(_ head: String, at range: SourceRange) {
    if heads.insert(head).inserted { declare(Located(head, range)) }
  }

  /// Reads something whose names may be in the rest of the file as well.
  func withOwnNames<Result>(_ body: () -> Result) -> Result {
    let outer = (stageNames, heads)
    (stageNames, heads) = ([:], [])
    defer { (stageNames, heads) = outer }
    return body()
  }

  /// The place where something on the stage got this name.
  func declaration(of name: String) -> SourceRange? { stageNames[name] }
}

/// A reader, which makes parts of a document from nodes of the tree. Each topic has its own files.
///
/// A method that reads returns nil for a broken part, after it has reported what is wrong. The rest
/// is still read, so that one run of the command reports every mistake.
struct DocumentReader {
  let reading: ReadingContext

  init(_ reading: ReadingContext) { self.reading = reading }

  func report(_ diagnostic: Diagnostic) { reading.report(diagnostic) }
}
