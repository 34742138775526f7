import CEL
import Diagnostics
import ScenarioPlan
import ScenarioSpec

/// The diagnostics that cannot be caused by a missing part of a document.
private let certain: [DiagnosticID] = [
  .expressionSyntax, .invalidLiteral, .unknownFunction, .reservedWord, .invalidPattern,
  "unknown-disturbance", "number-too-large",
]

/// Returns what is wrong with the names and expressions of a document with errors. One run of the
/// command then reports all mistakes.
///
/// A diagnostic that a missing part may have caused is left out. The missing part may declare a
/// name that stands anywhere else in the text, and it may give a value its type.
func diagnose(
  _ partial: PartialDocument, _ inputs: PlanInputs, in sources: SourceMap
) -> [Diagnostic] {
  compileScenario(partial.document, inputs: inputs).diagnostics.filter { complaint in
    // A component does not see the names of this document. Included steps do.
    let place = complaint.labels.first?.range ?? partial.document.range
    if place.file != partial.document.range.file, !complaint.isOfStepsIncluded(by: partial) {
      return true
    }
    if complaint.id == .unknownName {
      return !partial.lacksTable && !partial.mayDeclare(complaint, in: sources)
    }
    return certain.contains(complaint.id)
  }
}

extension PartialDocument {
  /// Returns whether the unknown name occurs elsewhere in the text. For an address, both its first
  /// and its last part must occur.
  fileprivate func mayDeclare(_ complaint: Diagnostic, in sources: SourceMap) -> Bool {
    guard let range = complaint.labels.first?.range, let file = sources.file(of: range),
      range.start >= 0, range.end <= file.bytes.count, range.start < range.end
    else { return true }
    // In another file, no place of the document is that of the complaint.
    let own = range.file == document.range.file ? range.start : nil
    let name = String(decoding: file.bytes[Int(range.start)..<Int(range.end)], as: UTF8.self)
    let parts = name.split(separator: ".").map(String.init)
    return [parts.first, parts.last].allSatisfy { part in
      part.map { stands($0, besides: own) } ?? true
    }
  }

  private func stands(_ word: String, besides place: Int32?) -> Bool {
    words[word]?.contains { $0 != place } ?? false
  }
}

extension Diagnostic {
  /// Returns whether the place is in a file of steps that the document includes. Such steps see the
  /// document's stage.
  fileprivate func isOfStepsIncluded(by partial: PartialDocument) -> Bool {
    labels.dropFirst().contains {
      $0.isInclude && $0.range.file == partial.document.range.file
    }
  }
}
