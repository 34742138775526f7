import Diagnostics

/// The diagnostics of programs.
extension Diagnostic {
  package static func programsInVirtualTime(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "programs-in-virtual-time", "a scenario with programs runs in real time",
      labels: [.init(range, "this asks for virtual time")], help: "remove `time: virtual`")
  }
}
