import Diagnostics
import Traces
import Values
import Verdicts

/// The version of the lines of a report while a run goes on; it grows when a reader would have to
/// change.
package let reportEventsVersion = 1

/// The lines of a report that is written while a run goes on: a JSON object each.
package enum ReportEvent {
  /// The run begins. It may be a part of a suite.
  case began(shard: ReportShard? = nil)
  /// The files that are read, with their diagnostics; before their scenarios.
  case file(FileReport)
  case scenario(ScenarioReport, FileReport)
  case ended(RunReport)

  /// The values of the member `event`.
  package static let names = ["began", "file", "scenario", "ended"]

  /// Returns the line, with the line break. It has all that is needed to make any report of it.
  package func line(withTimes: Bool = true, withTimelines: Bool = true) -> String {
    let text = JSONWriter.object(.oneLine) { writer in
      switch self {
      case .began(let shard):
        writer.member("event", "began")
        writer.member("version", reportEventsVersion)
        if let shard { writer.add(shard) }
      case .file(let file):
        writer.member("event", "file")
        writer.member("path", file.path)
        writer.addDiagnostics(of: file)
        writer.addLines(file.quotedLines(of: file.diagnostics, file.mask))
      case .scenario(let scenario, let file):
        writer.member("event", "scenario")
        writer.addMembers(of: scenario, in: file, withTimes: withTimes)
        let diagnostics = scenario.verdict.allDiagnostics
        writer.addLines(file.quotedLines(of: diagnostics, scenario.mask))
        if withTimelines, let timeline = scenario.timeline { writer.add(timeline) }
      case .ended(let run):
        writer.member("event", "ended")
        writer.addTally(of: run)
        writer.addSweep(run.sweep)
        if run.wall != nil { run.began.map { writer.member("beganMilliseconds", $0) } }
        writer.addSnapshots(of: run)
        writer.addCoveredParts(run.coverage)
      }
    }
    return text + "\n"
  }
}

/// Returns all lines for a run that is over.
package func reportEvents(_ run: RunReport) -> String {
  var events = [ReportEvent.began(shard: run.shard)]
  for file in run.files {
    events.append(.file(file))
    events += file.scenarios.map { .scenario($0, file) }
  }
  events.append(.ended(run))
  return events.map { $0.line(withTimes: run.wall != nil) }.joined()
}

extension Verdict {
  /// All diagnostics of the verdict.
  fileprivate var allDiagnostics: [Diagnostic] {
    failures + tries.flatMap(\.self) + warnings
  }
}

extension JSONWriter {
  fileprivate mutating func add(_ shard: ReportShard) {
    member("shard") { writer in
      writer.object {
        $0.member("index", shard.index)
        $0.member("of", shard.count)
      }
    }
  }

  fileprivate mutating func add(_ timeline: RunTimeline) {
    member("timeline") { writer in
      writer.object {
        $0.member("facts") { $0.raw(timeline.facts) }
        $0.member("pieces", listOf: timeline.writtenPieces) { $0.text($1) }
      }
    }
  }
}

private let quotedLines: Value = ["type": "array", "items": ["$ref": "#/$defs/line"]]

private let timelineSchema: Value = [
  "description": "The lines of the run's trace: raw deflate in Base64, in pieces.",
  "type": "object", "required": ["facts", "pieces"],
  "properties": [
    "facts": ["type": "object"],
    "pieces": ["type": "array", "items": ["type": "string"]],
  ],
]

private let shardSchema: Value = [
  "description": "The part of the suite that the run is.",
  "type": "object", "required": ["index", "of"],
  "properties": [
    "index": ["type": "integer", "minimum": 1], "of": ["type": "integer", "minimum": 1],
  ],
]

private let lineSchema: Value = [
  "description": "A line that a diagnostic quotes; secrets in it are hidden.",
  "type": "object", "required": ["path", "line", "text"],
  "properties": [
    "path": ["type": "string"], "line": ["type": "integer", "minimum": 1],
    "text": ["type": "string"],
  ],
]

private let notRunSchema: Value = [
  "description": "True if the run stopped at a failure before it.", "const": true,
]

private let leftOutSchema: Value = [
  "description": "The numbers of scenarios and rows that a choice has left out, by what did so.",
  "type": "object",
  "properties": .map(
    ValueMap(
      LeftOut.Reason.allCases.map {
        (.string($0.rawValue), ["type": "integer", "minimum": 1])
      })),
]

private let coveredSchema: Value = [
  "description": "A part of a stage, with `--coverage`, and whether a scenario has reached it.",
  "type": "object", "required": ["kind", "part", "path", "line", "column", "reached"],
  "properties": [
    "kind": ["enum": .list(CoveredPart.Kind.allCases.map { .string($0.rawValue) })],
    "part": ["type": "string"], "path": ["type": "string"], "line": ["type": "integer"],
    "column": ["type": "integer"], "reached": ["type": "boolean"],
  ],
]

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
      line(
        "began", "The first line.", ["version": ["const": .int(reportEventsVersion)]],
        optional: ["shard": shardSchema]),
      line(
        "file", "A file was read. Its scenarios follow.",
        ["path": text, "diagnostics": diagnostics], optional: ["lines": quotedLines]),
      line(
        "scenario", "A scenario, or a row of its table, is done.",
        [
          "path": text, "line": ["type": "integer", "minimum": 1], "title": text,
          "outcome": ["enum": ["passed", "failed", "flaky", "skipped", "could-not-run"]],
          "failures": diagnostics,
        ],
        optional: [
          "lines": quotedLines, "timeline": timelineSchema, "notRun": notRunSchema,
          "sweep": sweepSchema,
        ]),
      line(
        "ended", "The last line: the run is over, and this is its sum.",
        [
          "passed": count, "failed": count, "flaky": count, "skipped": count,
          "couldNotRun": count,
        ],
        optional: [
          "coveredParts": ["type": "array", "items": ["$ref": "#/$defs/covered"]],
          "leftOut": leftOutSchema, "sweep": sweepSchema,
        ]),
    ],
    "$defs": [
      "line": lineSchema, "covered": coveredSchema,
      "diagnostic": [
        "type": "object", "required": ["id", "severity", "message"],
        "properties": [
          "id": text, "severity": ["enum": ["error", "warning", "note"]], "message": text,
        ],
      ],
    ],
  ]
  return schema.json(pretty: true) + "\n"
}

/// The schema of the courses of a sweep.
private let sweepSchema: Value = [
  "description": "The number of courses of a sweep, by their outcome.", "type": "object",
  "additionalProperties": ["type": "integer", "minimum": 0],
]

/// Returns the schema of one kind of line, which needs all of the members.
private func line(
  _ event: String, _ description: String, _ members: Value, optional: Value = [:]
) -> Value {
  guard case .map(var properties) = members, case .map(let more) = optional else { return .null }
  properties["event"] = ["const": .string(event)]
  let required = properties.map { $0.key }
  for (name, schema) in more { properties[name] = schema }
  return [
    "description": .string(description), "required": .list(required),
    "properties": .map(properties),
  ]
}
