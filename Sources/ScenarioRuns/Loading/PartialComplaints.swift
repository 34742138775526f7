import Diagnostics
import ScenarioPlan
import ScenarioSpec

/// What is wrong with the names and expressions of a document that could not be read whole, so that
/// all mistakes are told at once.
///
/// Only complaints that cannot come from what was left out: a name that stands anywhere in the text
/// may have been declared there, and types may have been known.
func diagnose(
  _ partial: PartialDocument, _ inputs: PlanInputs, in sources: SourceMap
) -> [Diagnostic] {
  compileScenario(partial.document, inputs: inputs).diagnostics.filter { complaint in
    // What was left out here is not missed in a component.
    let place = complaint.labels.first?.range ?? partial.document.range
    if place.file != partial.document.range.file { return true }
    return switch complaint.id {
    case "expression-syntax", "invalid-literal", "unknown-function", "reserved-word",
      "invalid-pattern":
      true
    case "unknown-name": !partial.lacksTable && !partial.mayDeclare(complaint, in: sources)
    default: false
    }
  }
}

extension PartialDocument {
  /// Whether the name that is not known stands elsewhere in the text; of an address, whether both
  /// its first and its last part do.
  fileprivate func mayDeclare(_ complaint: Diagnostic, in sources: SourceMap) -> Bool {
    guard let range = complaint.labels.first?.range, let file = sources.file(of: range),
      range.start >= 0, range.end <= file.bytes.count, range.start < range.end
    else { return true }
    let name = String(decoding: file.bytes[Int(range.start)..<Int(range.end)], as: UTF8.self)
    let parts = name.split(separator: ".").map(String.init)
    return [parts.first, parts.last].allSatisfy { part in
      part.map { stands($0, besides: range.start) } ?? true
    }
  }

  private func stands(_ word: String, besides place: Int32) -> Bool {
    words[word]?.contains { $0 != place } ?? false
  }
}
