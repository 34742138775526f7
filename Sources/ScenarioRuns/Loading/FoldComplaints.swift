import Diagnostics
import YAMLSyntax

/// The diagnostics of syntax that YAML reads otherwise than its author meant it. What was read from
/// such a place is wrong as well.
private let misreadings: [DiagnosticID] = [
  .unknownTag, .missingSpaceAfterColon, .splitByComma, .commentCut,
]

/// Returns one diagnostic for one mistake: an error about a place that YAML misread is dropped, and
/// the misreading becomes an error instead of a warning.
///
/// A warning of how YAML reads a scalar is dropped in a place where it is taken as it is written.
func foldComplaints(
  _ syntax: [Diagnostic], _ later: [Diagnostic], textPlaces: Set<SourceRange>
) -> [Diagnostic] {
  var syntax = syntax.filter { complaint in
    guard complaint.id == .yaml11Reading, let place = complaint.labels.first?.range else {
      return true
    }
    return !textPlaces.contains(place)
  }
  let suspects = syntax.indices.filter { misreadings.contains(syntax[$0].id) }
  if suspects.isEmpty { return syntax + later }
  let remaining = later.filter { complaint in
    guard complaint.severity == .error, let place = complaint.labels.first?.range,
      let origin = suspects.first(where: { syntax[$0].isMisreading(of: place) })
    else { return true }
    syntax[origin].severity = .error
    return false
  }
  return syntax + remaining
}

extension Diagnostic {
  fileprivate func isMisreading(of place: SourceRange) -> Bool {
    labels.contains { label in
      label.range.file == place.file && label.range.start <= place.start
        && place.start <= label.range.end
    }
  }
}

/// The key by which two diagnostics are one, for any use of a component.
private struct DiagnosticIdentity: Hashable {
  var id: DiagnosticID
  var message: String
  var place: SourceRange
}

extension [Diagnostic] {
  /// Returns each mistake in another file once, also if several scenarios use that file. The file
  /// that is loaded is the first of its map.
  func onceInOtherFiles() -> [Diagnostic] {
    var seen: Set<DiagnosticIdentity> = []
    return filter { complaint in
      guard let place = complaint.labels.first?.range, place.file > 0 else { return true }
      let identity = DiagnosticIdentity(
        id: complaint.id, message: complaint.message, place: place)
      return seen.insert(identity).inserted
    }
  }
}
