import Diagnostics
import Traces
import Values
import Verdicts

/// The version of the messages of `serve --json`; it grows when a reader would have to change.
package let serveMessagesVersion = 1

/// A message that a served scenario writes for the program that has started it: a JSON object on a
/// line of its own.
package enum ServeMessage {
  /// Clients can connect.
  case ready(ServedScenario)
  /// Something happened.
  case event(TraceLine, scenario: String)
  /// A command was carried out, or not for this reason. `id` is that of the command.
  case answer(id: Value?, Diagnostic?)
  /// Serving has ended.
  case verdict(ScenarioReport, FileReport, text: String)
  /// Nothing is served.
  case refusal(FileReport)

  /// Returns the line, with the line break.
  package var line: String {
    switch self {
    case .event(let line, let scenario): eventLine(line, scenario)
    case .ready, .answer, .verdict, .refusal: JSONWriter.object { addMembers(to: &$0) } + "\n"
    }
  }

  private func addMembers(to writer: inout JSONWriter) {
    switch self {
    case .ready(let scenario):
      writer.member("type", "ready")
      writer.member("version", serveMessagesVersion)
      writer.member("scenario", scenario.id)
      writer.member("title", scenario.title)
      writer.member("endpoints") { $0.raw(Value.map(scenario.endpoints).json()) }
    case .event: break
    case .answer(let id, let refusal):
      writer.member("type", "answer")
      if let id { writer.member("to") { $0.raw(id.json()) } }
      if let refusal {
        writer.member("failure") {
          $0.diagnostic(
            refusal, in: SourceMap(), text: render(refusal, in: SourceMap()).trimmingLines)
        }
      }
    case .verdict(let scenario, let file, let text):
      writer.member("type", "verdict")
      writer.member("scenario", scenario.id(in: file))
      writer.addMembers(of: scenario, in: file, withTimes: true)
      writer.member("text", text)
    case .refusal(let file):
      writer.member("type", "verdict")
      writer.member("path", file.path)
      writer.member("outcome", word(for: .couldNotRun))
      writer.member("failures", listOf: file.diagnostics) { $0.diagnostic($1, in: file, file.mask) }
      writer.member("text", page(of: file.diagnostics, in: file, file.mask).trimmingLines)
    }
  }
}

/// A scenario that clients can reach.
package struct ServedScenario {
  package var id: String
  package var title: String
  /// By name: where the endpoints are, and what kinds of streams they have.
  package var endpoints: ValueMap

  package init(id: String, title: String, endpoints: ValueMap) {
    self.id = id
    self.title = title
    self.endpoints = endpoints
  }
}

/// Returns the line of a trace as a message.
private func eventLine(_ line: TraceLine, _ scenario: String) -> String {
  var writer = TraceWriter()
  let bytes = writer.write(line, splits: false).bytes
  let head = "{\"type\":\"event\",\"scenario\":\(Value.string(scenario).json())"
  let members = String(decoding: bytes.dropFirst(), as: UTF8.self)
  return head + (members.hasPrefix("}") ? "" : ",") + members
}

private let text: Value = ["type": "string"]
private let anyID: Value = ["description": "Any value; the answer has it as `to`."]
private let scenarioID: Value = [
  "description": "The id of the scenario, as `list` has it; needed if several are served.",
  "type": "string",
]

/// The members of a message besides its type: those that it needs, and others.
private struct MessageSchema {
  var type: String
  var purpose: String
  var required: Value = [:]
  var optional: Value = [:]
  /// Members of which a message has exactly one.
  var alternatives: [String] = []

  var schema: Value {
    guard case .map(let required) = required, case .map(let optional) = optional else {
      return .null
    }
    var properties = ValueMap()
    properties["type"] = ["const": .string(type)]
    for (name, schema) in required { properties[name] = schema }
    for (name, schema) in optional { properties[name] = schema }
    var map = ValueMap()
    map["description"] = .string(purpose)
    map["type"] = "object"
    map["required"] = .list(["type"] + required.map { $0.key })
    map["properties"] = .map(properties)
    if !alternatives.isEmpty {
      map["oneOf"] = .list(alternatives.map { ["required": [.string($0)]] })
    }
    return .map(map)
  }
}

private let fromProgram = [
  MessageSchema(
    type: "ready", purpose: "Clients can connect.",
    required: [
      "version": ["const": .int(serveMessagesVersion)], "scenario": text, "title": text,
      "endpoints": [
        "description": "By name: where clients connect.", "type": "object",
        "additionalProperties": [
          "type": "object", "required": ["url", "port", "streams"],
          "properties": [
            "url": text, "port": ["type": "integer"], "webSocket": text,
            "streams": [
              "description": "The kinds of streams that the endpoint has.", "type": "array",
              "items": ["enum": ["sse", "ndjson", "websocket"]],
            ],
          ],
        ],
      ],
    ]),
  MessageSchema(
    type: "event",
    purpose: "Something happened. The other members are those of a line of a trace.",
    required: ["scenario": text, "kind": text],
    optional: [
      "source": text, "connection": ["type": "integer"], "from": ["enum": ["client", "server"]],
      "us": ["description": "Microseconds since the start.", "type": "integer"], "value": [:],
    ]),
  MessageSchema(
    type: "answer", purpose: "A command was carried out, or was not for the reason in `failure`.",
    optional: [
      "to": ["description": "The `id` of the command, if it has one."],
      "failure": ["$ref": "#/$defs/failure"],
    ]),
  MessageSchema(
    type: "verdict",
    purpose: "The last message of a scenario. Its members are those of a scenario in JSON reports.",
    required: [
      "outcome": ["enum": ["passed", "failed", "could-not-run"]],
      "failures": ["type": "array", "items": ["$ref": "#/$defs/failure"]],
      "text": ["description": "All of it, as the terminal shows it.", "type": "string"],
    ], optional: ["scenario": text, "path": text]),
]

private let toProgram = [
  MessageSchema(
    type: "send",
    purpose: "Makes an endpoint act on its open connections, as a `serve` step does. Values are"
      + " taken as they are: nothing in them is an expression.",
    required: ["endpoint": text],
    optional: [
      "id": anyID, "scenario": scenarioID,
      "to": [
        "description": "`last`, or the number of a connection. Without it, all connections.",
        "anyOf": [["enum": ["all", "last"]], ["type": "integer", "minimum": 1]],
      ],
      "event": [
        "description": .string(
          "An event: `data`, and `id`, `event`, `retry`, `comment` if it has them. Any other value"
            + " is its data. Of a stream of lines, `data` is the line.")
      ],
      "message": ["description": "A message of a WebSocket: a text as it is, else JSON."],
      "bytes": [
        "description": "Raw bytes: a text, or `hex` with two digits for each byte.",
        "anyOf": [
          text, ["type": "object", "required": ["hex"], "properties": ["hex": text]],
        ],
      ],
      "close": [
        "description": "Closes in good order: true, or the `code` and the `reason` of a WebSocket.",
        "type": ["boolean", "object"],
        "properties": [
          "code": ["type": "integer", "minimum": 0, "maximum": 65_535], "reason": text,
        ],
      ],
      "pings": ["enum": ["answer", "ignore"]],
      "act": ["enum": ["drop", "reset", "stall", "halfClose", "stop", "start", "restart"]],
    ], alternatives: ["event", "message", "bytes", "close", "pings", "act"]),
  MessageSchema(
    type: "disturb", purpose: "Lets something go wrong, as `rehearse sweep` names it.",
    required: ["name": text], optional: ["id": anyID, "scenario": scenarioID]),
  MessageSchema(
    type: "stop",
    purpose: "No client does anything any more: serving ends, and the scenario is judged. The end"
      + " of standard input means the same.",
    optional: [
      "id": anyID, "scenario": scenarioID,
      "within": [
        "description": "How long steps may still wait for events, such as `3s`; the default is 1s.",
        "type": "string",
      ],
    ]),
]

private let failureSchema: Value = [
  "description": "A diagnostic, as JSON reports have it.", "type": "object",
  "required": ["id", "severity", "message", "text"],
  "properties": [
    "id": text, "severity": ["enum": ["error", "warning", "note"]], "message": text,
    "text": text,
  ],
]

/// The types of the messages to a served scenario.
package let serveCommandTypes = toProgram.map(\.type).sorted()

/// The members of a message to a served scenario.
package struct ServeCommandMembers: Sendable {
  package var all: [String]
  /// Those of which a message has exactly one.
  package var alternatives: [String]

  /// Returns nil for a type that no message has.
  package init?(of type: String) {
    guard let message = toProgram.first(where: { $0.type == type }) else { return nil }
    all = [message.required, message.optional].flatMap { members -> [String] in
      if case .map(let map) = members { map.map { $0.key.plainText } } else { [] }
    }
    alternatives = message.alternatives
  }
}

/// Returns the JSON Schema of a line in either direction.
package func serveMessagesSchema() -> String {
  let all = fromProgram + toProgram
  var definitions = ValueMap()
  for message in all { definitions[.string(message.type)] = message.schema }
  definitions["failure"] = failureSchema
  let schema: Value = [
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A message of `rehearse serve --json`",
    "oneOf": .list(all.map { ["$ref": .string("#/$defs/\($0.type)")] }),
    "$defs": .map(definitions),
  ]
  return schema.json(pretty: true) + "\n"
}
