import Diagnostics

/// The diagnostics of databases and their statements.
extension Diagnostic {
  static func splicedStatement(_ range: SourceRange) -> Diagnostic {
    Diagnostic(
      "spliced-statement", "values are bound to a statement, never written into it",
      labels: [.init(range, "holds `${`")],
      help: "write `?` or `:name` there, and the value under `with` (or in a provider's `params`)")
  }
}
