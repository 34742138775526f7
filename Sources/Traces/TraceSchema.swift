import Values

/// Returns the JSON Schema of one line of a trace.
package func traceSchema() -> String {
  let schema: Value = [
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A line of a Rehearsal trace",
    "oneOf": [["$ref": "#/$defs/header"], ["$ref": "#/$defs/event"]],
    "$defs": ["header": headerSchema, "event": eventSchema, "value": valueSchema],
  ]
  return schema.json(pretty: true) + "\n"
}

private var headerSchema: Value {
  let members = TraceHeaderMember.allCases.map { member in
    (Value.string(member.rawValue), member.schema)
  }
  return [
    "description": "The first line: how the run was made.", "type": "object",
    "required": ["trace"], "properties": .map(ValueMap(members)),
  ]
}

private var eventSchema: Value {
  let members = TraceMember.allCases.map { member in
    (Value.string(member.rawValue), member.schema)
  }
  return [
    "description": "Every other line: what happened.", "type": "object",
    "not": ["required": ["trace"]], "properties": .map(ValueMap(members)),
  ]
}

private let sideNames = Value.list(TraceSide.allCases.map { .string($0.rawValue) })

private var valueSchema: Value {
  let names = TraceEncoding.allCases.map { "\($0.rawValue): \($0.purpose)" }
  return ["description": .string("A JSON value. " + names.joined(separator: "; ") + ".")]
}

extension TraceHeaderMember {
  fileprivate var schema: Value {
    var map = ValueMap([("description", .string(purpose))])
    switch form {
    case .integer: map["type"] = "integer"
    case .text: map["type"] = "string"
    case .timestamp: (map["type"], map["format"]) = ("string", "date-time")
    case .time: map["enum"] = ["virtual", "real"]
    case .scenario, .map: map["type"] = "object"
    case .sides:
      (map["type"], map["additionalProperties"]) = ("object", ["enum": sideNames])
    case .texts: (map["type"], map["items"]) = ("array", ["type": "string"])
    }
    if self == .trace { map["const"] = .int(TraceHeader.currentVersion) }
    return .map(map)
  }
}

extension TraceMember {
  fileprivate var schema: Value {
    var map = ValueMap([("description", .string(purpose))])
    switch form {
    case .integer: map["type"] = "integer"
    case .microseconds: (map["type"], map["minimum"]) = ("integer", 0)
    case .text: map["type"] = "string"
    case .side: map["enum"] = sideNames
    case .flag: map["const"] = true
    case .timestamp: (map["type"], map["format"]) = ("string", "date-time")
    case .anyValue: map["$ref"] = "#/$defs/value"
    }
    if self == .kind { map["examples"] = .list(TraceKind.allCases.map { .string($0.rawValue) }) }
    return .map(map)
  }
}
