import Diagnostics
import Values
import Verdicts

/// The version of the lines of a report while a run goes on; it grows when a reader would have to
/// change.
package let reportEventsVersion = 1

/// The lines of a report that is written while a run goes on: a JSON object each.
package enum ReportEvent {
  case began
  /// The files that are read, with their diagnostics; before their scenarios.
  case file(FileReport)
  case scenario(ScenarioReport, FileReport)
  case ended(RunReport)

  /// The values of the member `event`.
  package static let names = ["began", "file", "scenario", "ended"]

  /// Returns the line, with the line break.
  package func line(withTimes: Bool = true) -> String {
    let text = JSONWriter.object(.oneLine) { writer in
      switch self {
      case .began:
        writer.member("event", "began")
        writer.member("version", reportEventsVersion)
      case .file(let file):
        writer.member("event", "file")
        writer.member("path", file.path)
        writer.member("diagnostics", listOf: file.diagnostics) {
          $0.diagnostic($1, in: file.sources)
        }
      case .scenario(let scenario, let file):
        writer.member("event", "scenario")
        writer.addMembers(of: scenario, in: file, withTimes: withTimes)
      case .ended(let run):
        writer.member("event", "ended")
        writer.addTally(of: run)
      }
    }
    return text + "\n"
  }
}

/// Returns all lines for a run that is over.
package func reportEvents(_ run: RunReport) -> String {
  var events = [ReportEvent.began]
  for file in run.files {
    events.append(.file(file))
    events += file.scenarios.map { .scenario($0, file) }
  }
  events.append(.ended(run))
  return events.map { $0.line(withTimes: run.wall != nil) }.joined()
}

/// Returns the JSON Schema of a line.
package func reportEventsSchema() -> String {
  let text: Value = ["type": "string"]
  let count: Value = ["type": "integer", "minimum": 0]
  let diagnostics: Value = ["type": "array", "items": ["$ref": "#/$defs/diagnostic"]]
  let schema: Value = [
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A line of a Rehearsal report that is written while a run goes on",
    "type": "object", "required": ["event"],
    "properties": ["event": ["enum": .list(ReportEvent.names.map { .string($0) })]],
    "oneOf": [
      line("began", "The first line.", ["version": ["const": .int(reportEventsVersion)]]),
      line(
        "file", "A file was read. Its scenarios follow.",
        ["path": text, "diagnostics": diagnostics]),
      line(
        "scenario", "A scenario, or a row of its table, is done.",
        [
          "path": text, "line": ["type": "integer", "minimum": 1], "title": text,
          "outcome": ["enum": ["passed", "failed", "flaky", "skipped", "could-not-run"]],
          "failures": diagnostics,
        ]),
      line(
        "ended", "The last line: the run is over, and this is its sum.",
        [
          "passed": count, "failed": count, "flaky": count, "skipped": count,
          "couldNotRun": count,
        ]),
    ],
    "$defs": [
      "diagnostic": [
        "type": "object", "required": ["id", "severity", "message"],
        "properties": ["id": text, "severity": ["enum": ["error", "warning"]], "message": text],
      ]
    ],
  ]
  return schema.json(pretty: true) + "\n"
}

/// Returns the schema of one kind of line, which needs all of the members.
private func line(_ event: String, _ description: String, _ members: Value) -> Value {
  guard case .map(var properties) = members else { return .null }
  properties["event"] = ["const": .string(event)]
  return [
    "description": .string(description), "required": .list(properties.map { $0.key }),
    "properties": .map(properties),
  ]
}
