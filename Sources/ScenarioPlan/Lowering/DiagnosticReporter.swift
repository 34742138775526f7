import Diagnostics

/// Collects the complaints of one compilation.
struct DiagnosticReporter {
  private(set) var diagnostics: [Diagnostic] = []
  /// The scalars that are taken as they are written.
  var textPlaces: [SourceRange] = []
  /// The places that include the file being compiled, innermost first.
  private var includes: [Diagnostic.Label] = []
  /// True if a file is missing or could not be read. The search for the file has reported that.
  var lacksFiles = false

  /// The names that expressions do not know, by the numbers of their diagnostics.
  private var unknownNames: [(index: Int, name: String)] = []

  /// The number of diagnostics so far. A caller compares it to find out whether one was added.
  var count: Int { diagnostics.count }

  /// True if the compiled scenario can run.
  var allowsPlan: Bool { !lacksFiles && !diagnostics.hasErrors }

  /// Adds a complaint. It also says where the component it is about is used, innermost first, and
  /// where its file is included.
  mutating func report(_ diagnostic: Diagnostic, usedAt uses: [Diagnostic.Label]) {
    var diagnostic = diagnostic
    diagnostic.labels += uses + includes
    diagnostics.append(diagnostic)
  }

  /// Notes that the next diagnostic is about a name that nothing has.
  mutating func noteUnknownName(_ name: String) { unknownNames.append((diagnostics.count, name)) }

  /// Explains the unknown names that are those of captures, once all captures are known.
  mutating func explainCaptures(_ captures: @autoclosure () -> [String]) {
    if unknownNames.isEmpty { return }
    let captures = captures()
    for (index, name) in unknownNames where captures.contains(name) {
      diagnostics[index].help =
        "only steps after the one that captures `\(name)` know it; let one of them keep it in a "
        + "node, `- set: { kept: \"${\(name)}\" }`, and read that"
    }
  }

  func hasErrors(since count: Int) -> Bool { diagnostics[count...].hasErrors }

  mutating func enterInclude(at range: SourceRange) {
    includes.insert(.include(at: range), at: 0)
  }

  mutating func leaveInclude() { includes.removeFirst() }
}

extension Diagnostic.Label {
  private static let includeText = "included here"

  /// Makes the label of a place that includes a file of steps.
  package static func include(at range: SourceRange) -> Diagnostic.Label {
    Diagnostic.Label(range, includeText)
  }

  package var isInclude: Bool { text == Self.includeText }
}
