import Values

extension ReplayComparison {
  /// Returns the lines whose noise a compared line has; nil if it can have none.
  func noiseScope(of line: TraceLine, in part: LanePart) -> NoiseScope? {
    switch part {
    case .exchange(let exchange): return noiseScope(of: line, in: exchange)
    case .turn: return nil
    case .all(let lane):
      switch lanes.names[lane] {
      case .source, .connection, .program: return noiseScope(of: line, in: nil)
      case .step, .assertion, .verdict: return nil
      }
    }
  }

  private func noiseScope(of line: TraceLine, in exchange: Int?) -> NoiseScope? {
    guard let source = line.source, let kind = line.knownKind else { return nil }
    guard let exchange else { return NoiseScope(source, kind) }
    let request = run.entries[exchanges.request(of: exchange)].line.value?.json
    return NoiseScope(
      source, kind, method: request?["method"]?.plainText, path: request?["path"]?.plainText)
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
    let exchanges = exchanges.ofEntries
    for index in run.entries.indices where !missing.isEmpty && awaited.contains(index) {
      let line = run.entries[index].line
      guard let scope = noiseScope(of: line, in: exchanges[index]), rules.noise.contains(scope)
      else {
        continue
      }
      let value = content.value(of: line, like: line)
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

extension RecordedExchanges {
  /// By entry of an exchange: its exchange.
  var ofEntries: [Int: Int] {
    var places: [Int: Int] = [:]
    for exchange in 0..<count {
      places[request(of: exchange)] = exchange
      for line in lines(of: exchange) { places[line] = exchange }
    }
    return places
  }
}
