import Diagnostics

/// Syntax that YAML took otherwise than its author meant it, so that what was read from it makes no
/// sense either.
private let misreadings = [
  "unknown-tag", "missing-space-after-colon", "split-by-comma", "comment-cut",
]

/// One message for one mistake: complaints about what was read from a place that YAML misread are
/// dropped, and the misreading is then an error, as it has spoiled something.
func foldComplaints(_ syntax: [Diagnostic], _ later: [Diagnostic]) -> [Diagnostic] {
  var syntax = syntax
  let remaining = later.filter { complaint in
    guard complaint.severity == .error, let place = complaint.labels.first?.range,
      let origin = syntax.firstIndex(where: { $0.isMisreading(of: place) })
    else { return true }
    syntax[origin].severity = .error
    return false
  }
  return syntax + remaining
}

extension Diagnostic {
  fileprivate func isMisreading(of place: SourceRange) -> Bool {
    misreadings.contains(id)
      && labels.contains { label in
        label.range.file == place.file && label.range.start <= place.start
          && place.start <= label.range.end
      }
  }
}
