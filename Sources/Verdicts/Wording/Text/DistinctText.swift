import ScenarioPlan
import Values

/// The steps of a path that are shown, if it is long.
private let shownPathSteps = 2

extension EventNames {
  /// Returns events in few words. If several of one source would read the same, each names the
  /// first part in which they differ instead: `.choices[0].delta.content: Once`.
  func briefs(_ events: [(source: SourceID, value: Value)]) -> [String] {
    let texts = events.map { brief($0.value, of: $0.source) }
    return events.indices.map { place in
      let alike = events.indices.filter {
        events[$0].source == events[place].source && texts[$0] == texts[place]
      }
      let values = alike.map { mask.masked(told(events[$0])) }
      guard alike.count > 1, let path = firstDifference(among: values) else { return texts[place] }
      return text(of: mask.masked(told(events[place])), at: path)
    }
  }

  /// The part of an event's value that is shown in few words.
  private func told(_ event: (source: SourceID, value: Value)) -> Value {
    isConnection(event.source) ? event.value["data"] ?? event.value : event.value
  }

  private func text(of value: Value, at path: [Mismatch.PathStep]) -> String {
    var part: Value? = value
    for step in path {
      switch step {
      case .key(let key): part = part?.entry(key)
      case .index(let index): part = part?.elements?[index]
      }
    }
    let shown = Mismatch.text(ofPath: path)
    let isLong = shown.count > timelineValueLength && path.count > shownPathSteps
    let end = isLong ? "…" + Mismatch.text(ofPath: path.suffix(shownPathSteps)) : shown
    return "\(end): " + (part?.display(maxLength: timelineValueLength) ?? "none")
  }
}

/// Returns the path to the first part in which these values differ; nil if they are equal.
private func firstDifference(among values: [Value]) -> [Mismatch.PathStep]? {
  guard let first = values.first, values.contains(where: { $0 != first }) else { return nil }
  if case .map(let map) = first {
    // Where bodies differ, so does the field with their length, which explains nothing.
    for key in map.keys.filter({ $0 != "headers" }) + map.keys.filter({ $0 == "headers" }) {
      let parts = values.map { $0.entry(key) }
      let present = parts.compactMap(\.self)
      guard present.count == parts.count else { return [.key(key)] }
      if let rest = firstDifference(among: present) { return [.key(key)] + rest }
    }
  }
  if case .list(let elements) = first {
    for index in elements.indices {
      let parts = values.compactMap { value in
        value.elements.flatMap { $0.indices.contains(index) ? $0[index] : nil }
      }
      guard parts.count == values.count else { return [] }
      if let rest = firstDifference(among: parts) { return [.index(index)] + rest }
    }
  }
  return []
}

extension Value {
  fileprivate func entry(_ key: Value) -> Value? {
    if case .map(let map) = self { map[key] } else { nil }
  }

  fileprivate var elements: [Value]? {
    if case .list(let elements) = self { elements } else { nil }
  }
}
