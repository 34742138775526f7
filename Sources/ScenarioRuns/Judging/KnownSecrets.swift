import ScenarioPlan
import TextSearch
import Traces
import Values

/// The secrets of a scenario that are known now, for the names that stand for them in a trace.
struct KnownSecrets {
  private let secrets: [(text: String, name: String)]

  init(_ plan: ScenarioPlan) {
    // A secret that only its placeholder stands for has no value now, whatever the file says.
    let names = plan.secretNames
    secrets = names.filter { names[secretPlaceholder($0.value)] == nil }
      .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Returns a line with the values that secrets have now in place of their names.
  func restored(in line: TraceLine) -> TraceLine {
    if secrets.isEmpty { return line }
    var line = line
    line.value = line.value.map { TraceValue(json: restored($0.json)) }
    line.text = line.text.map { TraceValue(json: restored($0.json)) }
    return line
  }

  private func restored(_ json: Value) -> Value {
    switch json {
    case .string(let text):
      guard text.contains("‹") else { return json }
      return .string(
        secrets.reduce(text) { $0.replacing("‹\($1.name)›", with: $1.text) })
    case .list(let elements): return .list(elements.map(restored))
    case .map(let map): return .map(ValueMap(map.map { ($0.key, restored($0.value)) }))
    case .null, .bool, .int, .uint, .double, .bytes, .timestamp, .duration, .type, .optional:
      return json
    }
  }
}
