import ScenarioPlan
import Secrets
import Traces
import Values

/// The secrets of a scenario that are known now, for the names that stand for them in a trace.
struct KnownSecrets {
  private let secrets: [NamedSecret]

  init(_ plan: ScenarioPlan) {
    // A secret that only its placeholder stands for has no value now, whatever the file says.
    let names = plan.secretNames
    secrets = names.filter { names[secretPlaceholder($0.value)] == nil }
      .sorted { $0.key < $1.key }.map { NamedSecret(name: $0.value, text: $0.key) }
  }

  /// Returns a line with the values that secrets have now in place of their names.
  func restored(in line: TraceLine) -> TraceLine {
    if secrets.isEmpty { return line }
    var line = line
    line.value = line.value.map { TraceValue(json: $0.json.restoring(secrets)) }
    line.text = line.text.map { TraceValue(json: $0.json.restoring(secrets)) }
    return line
  }
}
