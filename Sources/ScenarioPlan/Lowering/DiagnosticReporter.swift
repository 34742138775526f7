import Diagnostics

/// Collects the complaints of one compilation.
struct DiagnosticReporter {
  private(set) var diagnostics: [Diagnostic] = []
  /// Where the files that compilation is in are included, innermost first.
  private var includes: [Diagnostic.Label] = []
  /// Whether a file is missing, or could not be read; that was reported when it was looked for.
  var lacksFiles = false

  /// How many complaints there are; what came after this can be asked for.
  var count: Int { diagnostics.count }

  /// Whether what has been compiled can run.
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
