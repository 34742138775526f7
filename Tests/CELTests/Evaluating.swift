import CEL
import Testing
import Values

/// Returns the value of an expression over these bindings. Records an issue and returns null if it
/// has none.
func value(
  _ text: String, _ bindings: KeyValuePairs<String, Value> = [:],
  at location: SourceLocation = #_sourceLocation
) -> Value {
  switch evaluate(text, bindings) {
  case .success(let value): return value
  case .failure(let message):
    Issue.record("\(text): \(message)", sourceLocation: location)
    return .null
  }
}

/// Returns the message with which an expression fails, at compile time or later; nil if it has a
/// value.
func complaint(_ text: String, _ bindings: KeyValuePairs<String, Value> = [:]) -> String? {
  if case .failure(let message) = evaluate(text, bindings) { message.text } else { nil }
}

struct Complaint: Error, CustomStringConvertible {
  var text: String
  var description: String { text }
}

func evaluate(
  _ text: String, _ bindings: KeyValuePairs<String, Value>
) -> Result<Value, Complaint> {
  var scope = CELScope()
  let slots = FixedSlots([7])
  scope.randomSlot = 0
  for (name, value) in bindings {
    scope.declare(name, slot: slots.values.count)
    slots.values.append(value)
  }
  switch compileCEL(text, scope: scope) {
  case .failure(let problems):
    return .failure(Complaint(text: problems.all.map(\.message).joined(separator: "; ")))
  case .success(let program):
    return program.evaluate(slots).mapError { Complaint(text: $0.message) }
  }
}

/// Returns the first problem of compiling an expression.
func problem(_ text: String, _ scope: CELScope = CELScope()) -> CELProblem? {
  if case .failure(let problems) = compileCEL(text, scope: scope) {
    problems.all.first
  } else {
    nil
  }
}

/// Returns the program of an expression that must compile.
func program(_ text: String, _ scope: CELScope) throws -> CELProgram {
  try compileCEL(text, scope: scope).get()
}
