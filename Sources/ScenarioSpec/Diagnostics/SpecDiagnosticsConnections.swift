import Diagnostics

/// The diagnostics of connections and of what mocks do with them.
extension Diagnostic {
  static func badHexadecimal(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "bad-hexadecimal", "bytes are pairs of hexadecimal digits",
      labels: [.init(range, "no pairs of digits")], help: "write two digits for each byte: `0a ff`")
  }
}
