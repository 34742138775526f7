import Diagnostics

extension Diagnostic {
  static func badPart(_ path: String, _ reason: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "bad-report-part", "`\(path)` is no report of a run: \(reason)", labels: [.init(range)],
      help: "write the parts with `rehearse run --format ndjson=FILE`")
  }

  static func cutPart(_ path: String) -> Diagnostic {
    Diagnostic(
      "incomplete-report-part", "`\(path)` has no end, so its run was cut off",
      help: "run this part again; the report has what the part holds")
  }

  static func missingParts(_ parts: [Int], of count: Int) -> Diagnostic {
    let shown = parts.prefix(10).map { "\($0)/\(count)" }.joined(separator: ", ")
    let more = parts.count > 10 ? " and \(parts.count - 10) more" : ""
    return Diagnostic(
      "missing-report-part", "these parts of the suite are missing: \(shown)\(more)",
      help: "merge the reports of all machines")
  }

  static func repeatedScenario(_ place: String, in one: String, and other: String) -> Diagnostic {
    Diagnostic(
      "scenario-in-two-parts", "the scenario `\(place)` is in `\(one)` and in `\(other)`",
      help: "merge each part once, and parts of one suite only")
  }
}
