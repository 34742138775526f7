import CEL
import Patterns
import Protocols
import ScenarioEngine
import ScenarioRuns
import ScenarioSpec
import Traces
import Values
import YAMLSyntax

/// A bound that the program keeps. The value is that of the constant in the code.
struct LimitEntry {
  /// The unit of a value, which decides how it is written.
  enum Unit { case count, bytes, microseconds }

  var subject: String
  var value: Int
  var unit: Unit

  init(_ subject: String, _ value: Int, _ unit: Unit = .count) {
    self.subject = subject
    self.value = value
    self.unit = unit
  }

  /// The value for readers: `1,000,000`, `64 MiB`, `30 s`.
  var text: String {
    switch unit {
    case .count: return grouped(value)
    case .microseconds: return "\(value / 1_000_000) s"
    case .bytes:
      let units = [(1_000_000, "MB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]
      let unit = units.first { value >= $0.0 && value % $0.0 == 0 }
      return unit.map { "\(grouped(value / $0.0)) \($0.1)" } ?? "\(grouped(value)) bytes"
    }
  }

  private func grouped(_ value: Int) -> String {
    let digits = Array(String(value))
    return digits.enumerated().map { place, digit in
      place > 0 && (digits.count - place) % 3 == 0 ? ",\(digit)" : "\(digit)"
    }.joined()
  }
}

/// All limits that a user can reach, by what they bound.
let limitGroups: [(title: String, limits: [LimitEntry])] = [
  (
    "A run",
    [
      LimitEntry("events of a run", Limits.eventsPerRun),
      LimitEntry("steps of a run, in all its scripts", Limits.stepsPerRun),
      LimitEntry("jobs of a run, such as timers that fire", Limits.jobsPerRun),
      LimitEntry("bytes of a log; `--log-limit` sets another", Limits.bytesInLog, .bytes),
      LimitEntry("events that cause one another at one instant", Limits.eventsInOneChain),
      LimitEntry("values that streams emit at one instant", Limits.streamWorkAtOneInstant),
      LimitEntry("actions under way at the same time", Limits.actionsAtOnce),
      LimitEntry("groups that `groupBy` keeps at the same time", Limits.groupsAtOnce),
      LimitEntry("connections that are open at the same time", Limits.connectionsAtOnce),
      LimitEntry("bytes of a line of a program", Limits.bytesInLine, .bytes),
    ]
  ),
  (
    "Files",
    [
      LimitEntry("bytes of a file in YAML", YAMLLimit.fileSize, .bytes),
      LimitEntry("nodes that are written in a file", YAMLLimit.nodesInFile),
      LimitEntry("nodes of a document, with what aliases stand for", YAMLLimit.nodes),
      LimitEntry("nesting of lists and maps", YAMLLimit.depth),
      LimitEntry("bytes of a table in a file", TableLimit.fileSize, .bytes),
      LimitEntry("rows of a table", TableLimit.rows),
      LimitEntry("columns of a table", TableLimit.columns),
      LimitEntry("components of a scenario", ComponentLimit.count),
      LimitEntry("included files of steps", ComponentLimit.includes),
      LimitEntry("nesting of components and included files", ComponentLimit.depth),
      LimitEntry("folders that are searched for a component", ComponentLimit.folders),
    ]
  ),
  (
    "Expressions and values",
    [
      LimitEntry("bytes of an expression", CELLimits.textLength, .bytes),
      LimitEntry("nesting of an expression", CELLimits.nesting),
      LimitEntry("steps of an evaluation", CELLimits.steps),
      LimitEntry("bytes of a text that an expression makes", CELLimits.textSize, .bytes),
      LimitEntry("elements of a list or map that an expression makes", CELLimits.elements),
      LimitEntry("nesting of a value", ValueLimit.depth),
      LimitEntry("parts of a value", ValueLimit.parts),
      LimitEntry("bytes of all texts in a value", ValueLimit.text, .bytes),
      LimitEntry("nesting of JSON", JSONLimit.depth),
      LimitEntry("bytes of a pattern", PatternLimits.length, .bytes),
      LimitEntry("steps of a match of a pattern", Int(PatternLimits.steps)),
    ]
  ),
  (
    "Messages",
    [
      LimitEntry("bytes of a head of HTTP", HTTPLimits.headBytes, .bytes),
      LimitEntry("header fields of a head", HTTPLimits.headers),
      LimitEntry("time for a head to arrive", Int(HTTPLimits.headTime), .microseconds),
      LimitEntry("bytes of a body, also expanded", HTTPLimits.bodyBytes, .bytes),
      LimitEntry("expanded bytes of a compressed stream", HTTPLimits.streamedBytes, .bytes),
      LimitEntry("requests of a connection that wait", HTTPLimits.waitingRequests),
      LimitEntry("bytes of a message of a WebSocket", WebSocketLimits.messageBytes, .bytes),
      LimitEntry("bytes of an event of a stream", SSELimits.eventBytes, .bytes),
      LimitEntry("bytes of a line of NDJSON", NDJSONLimits.lineBytes, .bytes),
      LimitEntry("bytes of a value within a line of a trace", TraceLimit.valueBytes, .bytes),
      LimitEntry("bytes of a line of a trace", TraceLimit.lineBytes, .bytes),
    ]
  ),
]

/// Returns the reference of the limits.
func limitsPage() -> String {
  let sections = limitGroups.map { group in
    let rows = group.limits.map { row($0.subject, $0.text) }
    return "\n## \(group.title)\n\n| limit | value |\n|---|---|\n\(rows.joined())"
  }
  return """
    # Limits

    A [limit](../glossary.md#limit) keeps a mistake from using up the machine. Each is far above
    honest use. If a run reaches one, a diagnostic names it. The values come from the program's
    constants. Some places have limits of their own: [functions](../functions.md#limits),
    [invariants](../language/expectations.md#invariants),
    [serving](../serving.md#clients-that-break-the-rules) and
    [databases](../language/stage.md#databases-and-lists).

    """ + sections.joined()
}
