extension Sequence<Diagnostic> {
  /// The number without the notes: these ask for nothing, so they never make a run fail.
  public var countBesidesNotes: Int { count { $0.severity != .note } }

  /// Returns the diagnostics of a file with a line for all notes of an id after the first few.
  ///
  /// A file may have one at each of its lines, which would hide what is wrong.
  public func foldingNotes(of path: String) -> [Diagnostic] {
    var counts: [DiagnosticID: Int] = [:]
    let shown = filter { diagnostic in
      guard diagnostic.severity == .note else { return true }
      counts[diagnostic.id, default: 0] += 1
      return counts[diagnostic.id, default: 0] <= mostNotes
    }
    return shown
      + counts.filter { $0.value > mostNotes }.sorted { $0.key < $1.key }.map { id, count in
        Diagnostic(
          id, severity: .note, "\(path) has \(count - mostNotes) more",
          help: "`rehearse validate` shows them")
      }
  }
}

/// The most notes of one id that a file's part of a report has.
private let mostNotes = 3
