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

/// The pages of `rehearse explain` about merged reports. Their examples are command lines.
package let mergePages = [
  DiagnosticPage(
    id: "bad-report-part", title: "A file that is no part of a report",
    text: """
      `rehearse report merge` joins reports in the format `ndjson`, because they hold all of a
      run. The other formats leave something out. Each line is one JSON object with an `event`, and
      the first one is `began`. Lines behind one that cannot be read are not merged.
      """,
    wrong: "rehearse report merge junit.xml --format html=all.html",
    right: "rehearse report merge part.ndjson --format html=all.html"),
  DiagnosticPage(
    id: "incomplete-report-part", title: "A part of a report that was cut off",
    text: """
      The last line of a part says that its run has ended. If it is missing, scenarios may not have
      run. The merged report has the scenarios that the part holds, and the exit code is 3.
      """,
    wrong: "rehearse report merge killed.ndjson", right: "rehearse report merge part.ndjson"),
  DiagnosticPage(
    id: "missing-report-part", title: "Not all parts of a suite are there",
    text: """
      A part that was run with `--shard 2/5` says so. If not all five are merged, scenarios are
      missing from the report. The exit code is 3.
      """,
    wrong: "rehearse report merge part-1.ndjson",
    right: "rehearse report merge part-1.ndjson part-2.ndjson"),
  DiagnosticPage(
    id: "no-report-parts", title: "A folder without parts of a report",
    text: "Of a folder, `rehearse report merge` reads the files whose names end with `.ndjson`.",
    wrong: "rehearse report merge empty-folder", right: "rehearse report merge parts"),
  DiagnosticPage(
    id: "scenario-in-two-parts", title: "A scenario is in two parts of a report",
    text: "It would be counted twice. Often a file was given twice, or belongs to another run.",
    wrong: "rehearse report merge part-1.ndjson part-1.ndjson",
    right: "rehearse report merge part-1.ndjson part-2.ndjson"),
]
