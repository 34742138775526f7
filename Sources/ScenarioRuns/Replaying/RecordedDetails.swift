import Traces
import Values

/// The values of a recorded run, to keep the details that a replay cannot know.
///
/// A trace has names in place of secrets, and bodies as they are behind their coding. So a replay
/// sends and receives bodies of other lengths, and a name in a URL has percent codes. What is the
/// same apart from that keeps what was recorded.
struct RecordedDetails {
  /// By what a line is apart from the details: the recorded values, the last one first.
  private var values: [String: [TraceValue]] = [:]

  /// - Parameter body: Returns the file of a large value, by its hash.
  init(_ run: TraceRun, body: (String) -> TraceBodyFile?) {
    for entry in run.entries.reversed() {
      guard let value = entry.line.value, case .success(let whole) = entry.line.withBodies(body),
        let key = RecordedDetails.key(of: whole)
      else { continue }
      values[key, default: []].append(value)
    }
  }

  /// Returns a line with the recorded details. The length of a body that is new and has the name of
  /// a secret in it is left out.
  mutating func restored(in line: TraceLine) -> TraceLine {
    guard let key = RecordedDetails.key(of: line) else { return line }
    var line = line
    if let value = values[key]?.popLast() {
      line.value = value
    } else {
      line.value = line.value.map { value in
        TraceValue(json: value.json.withoutLengths { hasName($0["body"]) })
      }
    }
    return line
  }

  /// Returns the line as text without the details; nil if it can have none.
  private static func key(of line: TraceLine) -> String? {
    guard let json = line.value?.json, json.hasMessage else { return nil }
    let short = json.withoutLengths { _ in true }.withoutNamedTargets
    let text = line.text.map { $0.json.json(sortedKeys: true) } ?? ""
    return "\(line.kind.name) \(line.source ?? "") \(line.from?.rawValue ?? "") "
      + short.json(sortedKeys: true) + " " + text
  }
}

/// Returns whether a part of a line has the name of a secret in place of the secret.
private func hasName(_ json: Value?) -> Bool {
  json.map { TraceValue(json: $0).hasPlaceholder } ?? false
}

extension Value {
  /// True if the value is a request or an answer, or has one in it.
  fileprivate var hasMessage: Bool {
    switch self {
    case .list(let elements): elements.contains(where: \.hasMessage)
    case .map(let map): map["headers"] != nil || map.values.contains(where: \.hasMessage)
    case .null, .bool, .int, .uint, .double, .digits, .string, .bytes, .timestamp, .duration, .type,
      .optional:
      false
    }
  }

  /// Returns the value without the `content-length` of those messages in it that are meant.
  fileprivate func withoutLengths(_ isMeant: (ValueMap) -> Bool) -> Value {
    changed { map in
      guard case .map(var headers)? = map["headers"], isMeant(map) else { return map }
      headers["content-length"] = nil
      var map = map
      map["headers"] = .map(headers)
      return map
    }
  }

  /// Returns the value without those targets that have the name of a secret.
  fileprivate var withoutNamedTargets: Value {
    changed { map in
      var map = map
      if hasName(map["target"]) { map["target"] = nil }
      return map
    }
  }

  /// Returns the value with each map in it changed, the inner ones first.
  private func changed(_ change: (ValueMap) -> ValueMap) -> Value {
    switch self {
    case .list(let elements): .list(elements.map { $0.changed(change) })
    case .map(let map): .map(change(ValueMap(map.map { ($0.key, $0.value.changed(change)) })))
    case .null, .bool, .int, .uint, .double, .digits, .string, .bytes, .timestamp, .duration, .type,
      .optional:
      self
    }
  }
}
