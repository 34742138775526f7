import Diagnostics
import ScenarioPlan
import ScenarioSpec
import Values

/// A loader of the files with tables and data. It reads each file once.
final class TableLoader {
  var sources: SourceMap
  private let files: ComponentFiles
  /// The folder to which paths are relative.
  private let folder: String
  private var opened: [Value: OpenedFile] = [:]
  /// The places that name files of values.
  private(set) var uses = DataFileUses()

  init(_ sources: SourceMap, files: ComponentFiles, folder: String) {
    self.sources = sources
    self.files = files
    self.folder = folder
  }

  func open(_ path: Located<String>, _ content: TableFiles.Content) -> Diagnosed<OpenedFile?> {
    let result = read(path, content)
    if content == .data, let file = result.value { uses.note(path.range, naming: file.index) }
    return result
  }

  private func read(
    _ path: Located<String>, _ content: TableFiles.Content
  ) -> Diagnosed<OpenedFile?> {
    let place = straightPath(path.value, in: folder)
    if let known = opened[.string(place)] { return Diagnosed(known) }
    switch files.read(place) {
    case nil:
      return Diagnosed(nil, [content.notFound(path, place, nearest: nearest(to: place))])
    case .failure(let problem)?:
      return Diagnosed(nil, [content.unreadable(path.range, place, problem.message)])
    case .success(let bytes)?:
      let file = SourceFile(path: place, bytes: bytes)
      let result = OpenedFile(file, index: sources.add(file))
      opened[.string(place)] = result
      return Diagnosed(result)
    }
  }

  private func nearest(to place: String) -> String? {
    let name = String(place.split(separator: "/").last ?? "")
    return nearestName(to: name, among: files.names(enclosingFolder(of: place)))
  }
}

/// The places that name files of values with `$file`, by the number of the file.
///
/// The expressions of such a file are compiled with the scenario. What is wrong with one of them
/// stands in the file, and a reader has to find the scenario that it was read for.
struct DataFileUses {
  private var places: [Int32: [SourceRange]] = [:]

  /// The most places that a diagnostic shows.
  private static let mostShown = 2

  mutating func note(_ place: SourceRange, naming file: Int32) {
    places[file, default: []].append(place)
  }

  mutating func add(_ others: DataFileUses) { places.merge(others.places) { $0 + $1 } }

  /// Returns the diagnostics with labels for the places that led to their files. Of the file that
  /// is loaded, only those of one document count.
  func labelling(_ diagnostics: [Diagnostic], of document: SourceRange) -> [Diagnostic] {
    if places.isEmpty { return diagnostics }
    return diagnostics.map { diagnostic in
      guard let file = diagnostic.labels.first?.range.file, let uses = places[file] else {
        return diagnostic
      }
      var labelled = diagnostic
      let shown = uses.filter { $0.file != document.file || document.holds($0) }
      for use in shown.prefix(DataFileUses.mostShown)
      where !diagnostic.labels.contains(where: { $0.range == use }) {
        labelled.labels.append(.init(use, "this file is used here"))
      }
      return labelled
    }
  }
}

extension SourceRange {
  fileprivate func holds(_ other: SourceRange) -> Bool {
    start <= other.start && other.end <= end
  }
}

extension TableFiles {
  init(_ loader: TableLoader) { self.init { loader.open($0, $1) } }
}

extension TableFiles.Content {
  fileprivate func notFound(_ path: Located<String>, _ place: String, nearest: String?)
    -> Diagnostic
  {
    var diagnostic: Diagnostic =
      switch self {
      case .table: .tableNotFound(path)
      case .data: .dataFileNotFound(path)
      }
    diagnostic.notes = [.init("looked for", "`\(place)`")]
    diagnostic.help =
      nearest.map { "did you mean `\($0)`?" }
      ?? "the path is seen from the folder of the scenario's file"
    return diagnostic
  }

  fileprivate func unreadable(_ range: SourceRange, _ path: String, _ reason: String)
    -> Diagnostic
  {
    switch self {
    case .table: .tableUnreadable(range, path, reason)
    case .data: .dataFileUnreadable(range, path, reason)
    }
  }
}

/// The diagnostics of the files of tables and data.
extension Diagnostic {
  static func tableNotFound(_ path: Located<String>) -> Diagnostic {
    Diagnostic(
      "table-not-found", "there is no file `\(path.value)` with a table",
      labels: [.init(path.range, "not there")])
  }

  static func dataFileNotFound(_ path: Located<String>) -> Diagnostic {
    Diagnostic(
      "data-file-not-found", "there is no file `\(path.value)`",
      labels: [.init(path.range, "not there")])
  }

  static func tableUnreadable(_ range: SourceRange, _ path: String, _ reason: String)
    -> Diagnostic
  {
    Diagnostic(
      "table-unreadable", "the table in `\(path)` cannot be read: \(reason)",
      labels: [.init(range)])
  }

  static func dataFileUnreadable(_ range: SourceRange, _ path: String, _ reason: String)
    -> Diagnostic
  {
    Diagnostic(
      "data-file-unreadable", "the value in `\(path)` cannot be read: \(reason)",
      labels: [.init(range)])
  }
}
