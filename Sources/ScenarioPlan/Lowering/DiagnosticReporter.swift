import Diagnostics

/// Collects the complaints of one compilation.
struct DiagnosticReporter {
  private(set) var diagnostics: [Diagnostic] = []
  /// The places that include the file being compiled, innermost first.
  private var includes: [Diagnostic.Label] = []
  /// True if a file is missing or could not be read. The search for the file has reported that.
  var lacksFiles = false

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

  func hasErrors(since count: Int) -> Bool { diagnostics[count...].hasErrors }

  mutating func enterInclude(at range: SourceRange) {
    includes.insert(Diagnostic.Label(range, "included here"), at: 0)
  }

  mutating func leaveInclude() { includes.removeFirst() }
}
