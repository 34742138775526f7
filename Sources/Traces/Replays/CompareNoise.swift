import Values

extension ReplayComparison {
  /// Returns the lines whose noise a compared line has; nil if it can have none.
  func noiseScope(of line: TraceLine, in lane: Lane) -> NoiseScope? {
    guard let source = line.source, let kind = line.knownKind else { return nil }
    switch lane {
    case .source, .connection, .program: return NoiseScope(source, kind)
    case .exchange(let exchange):
      guard exchanges.indices.contains(exchange) else { return nil }
      let request = run.entries[exchanges[exchange].request].line.value?.json
      return NoiseScope(
        source, kind, method: request?["method"]?.plainText, path: request?["path"]?.plainText)
    case .step, .assertion, .verdict: return nil
    }
  }

  /// Compares two recordings: takes the lines of the other one, as if they came now.
  package mutating func learn(from other: TraceRun) {
    for entry in other.entries {
      var line = entry.line
      line.time = entry.time
      take(line)
    }
    let outcome = other.entries.last?.line.value?.json["outcome"]?.plainText
    finish(outcome: outcome ?? "", at: other.duration)
  }

  /// Returns those of these places at which the trace has no value of their type.
  package func placesNotInTrace(_ places: [NoisePlace]) -> [NoisePlace] {
    var missing = Set(places)
    for index in run.entries.indices where !missing.isEmpty {
      guard let lane = lane(of: index) else { continue }
      let line = run.entries[index].line
      guard let scope = noiseScope(of: line, in: lane), rules.noise.contains(scope) else {
        continue
      }
      let value = comparedValue(line, of: line)
      missing = missing.filter { place in
        guard place.scope == scope, let part = part(of: value, at: place.pointer) else {
          return true
        }
        return NoiseType(of: part) != place.type
      }
    }
    return places.filter { missing.contains($0) }
  }
}
