import TextSearch
import Values

/// Returns whether a value that came is the recorded one.
///
/// A recorded placeholder of a secret matches any text, and `{"$secret":…}` any value.
func isMatch(_ recorded: Value, _ now: Value) -> Bool {
  if recorded == now { return true }
  switch (recorded, now) {
  case (.string(let pattern), .string(let text)): return isMatch(pattern, text)
  case (.list(let a), .list(let b)):
    return a.count == b.count && zip(a, b).allSatisfy { isMatch($0, $1) }
  case (.map(let a), _) where a.count == 1 && a[TraceEncoding.secret.rawValue] != nil: return true
  case (.map(let a), .map(let b)): return isMatch(a, b)
  default: return false
  }
}

private func isMatch(_ recorded: ValueMap, _ now: ValueMap) -> Bool {
  guard recorded.count == now.count else { return false }
  return recorded.allSatisfy { key, value in now[key].map { isMatch(value, $0) } ?? false }
}

/// Returns whether a text fits a pattern in which `‹name›` stands for one character or more.
private func isMatch(_ pattern: String, _ text: String) -> Bool {
  guard pattern.contains("‹") else { return false }
  let parts = literalParts(of: pattern)
  guard parts.count > 1, text.hasPrefix(parts[0]) else { return false }
  var rest = text.dropFirst(parts[0].count)
  for part in parts.dropFirst().dropLast() {
    guard let found = rest.dropFirst().firstRange(of: part) else { return false }
    rest = rest[found.upperBound...]
  }
  let last = parts[parts.count - 1]
  return rest.count > last.count && rest.hasSuffix(last)
}

/// Returns the text around the placeholders; one part if there are none.
private func literalParts(of pattern: String) -> [String] {
  var parts = [""]
  var rest = pattern[...]
  while let start = rest.firstIndex(of: "‹"), let end = rest[start...].firstIndex(of: "›") {
    parts[parts.count - 1] += rest[..<start]
    parts.append("")
    rest = rest[rest.index(after: end)...]
  }
  parts[parts.count - 1] += rest
  return parts
}

extension TraceLine {
  /// True if the value has headers.
  var hasHead: Bool {
    [.request, .response, .stream, .upgrade].contains(knownKind)
  }

  /// True if a part of the value lies in a file of its own.
  var hasFiles: Bool { value.map { hasBody($0.json) } ?? false }
}

private func hasBody(_ json: Value) -> Bool {
  switch json {
  case .list(let elements): elements.contains(where: hasBody)
  case .map(let map):
    map[TraceEncoding.body.rawValue] != nil || map.values.contains(where: hasBody)
  default: false
  }
}
