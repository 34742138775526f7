import Diagnostics

/// The names that steps give: to captures, to marks, and to the files of snapshots.
struct ScriptNames {
  var captures: [String: CaptureID] = [:]
  private var marks: [String: MarkID] = [:]
  /// By the name of the file: the place where a snapshot was first named.
  private var snapshots: [String: SourceRange] = [:]

  /// The marks set so far, in their order.
  var markNames: [String] { marks.sorted { $0.value < $1.value }.map(\.key) }

  func mark(_ name: String) -> MarkID? { marks[name] }

  /// The mark of this name; the same one at each call.
  mutating func addMark(_ name: String) -> MarkID {
    if let known = marks[name] { return known }
    let added = MarkID(marks.count)
    marks[name] = added
    return added
  }

  /// Adds a snapshot's file, or returns where a snapshot before it has taken that file.
  mutating func addSnapshot(_ file: String, at range: SourceRange) -> SourceRange? {
    if let first = snapshots[file] { return first }
    snapshots[file] = range
    return nil
  }
}
