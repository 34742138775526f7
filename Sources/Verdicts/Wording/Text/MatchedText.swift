import Values

/// The value that `emit` records: a map of exactly a name and a payload.
struct NamedEvent {
  let name: String
  let payload: Value

  init?(_ value: Value) {
    guard case .map(let map) = value, map.count == 2, case .string(let name)? = map["name"],
      let payload = map["payload"]
    else { return nil }
    self.name = name
    self.payload = payload
  }
}

/// The word for completion in sequences of events.
let completedValue = Value.string("completed")

/// Returns whether a text in a matcher stands for this value: as the text itself, as the name of
/// its kind (`loaded` for `{ loaded: … }`), as the name of a named event, or as a written time.
func isText(_ text: String, _ value: Value) -> Bool {
  switch value {
  case .string(let actual): return actual == text
  case .map(let map):
    if map.count == 1 { return map[text] != nil }
    return NamedEvent(value)?.name == text
  case .duration, .timestamp: return timeValue(text, like: value) == value
  case .null, .bool, .int, .uint, .double, .digits, .bytes, .list, .type, .optional: return false
  }
}

/// Returns the time that a text gives, of the same kind as another value.
func timeValue(_ text: String, like value: Value) -> Value? {
  switch value {
  case .duration: TimeSpan(text: text).map(Value.duration)
  case .timestamp: Timestamp(text: text).map(Value.timestamp)
  case .null, .bool, .int, .uint, .double, .digits, .string, .bytes, .list, .map, .type, .optional:
    nil
  }
}

/// Returns the text that text operators match: a text itself, or the name of a named event.
func operatorText(of value: Value) -> String? {
  if case .string(let text) = value { return text }
  return NamedEvent(value)?.name
}

/// Returns the text of a payload as it was sent, as far as it is still known.
func textAsSent(_ value: Value) -> String {
  if case .map(let map) = value, let text = map.textAsSent { return text }
  return value.plainText
}
