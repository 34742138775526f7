import TextSearch
import Values

/// The compared content of two corresponding lines: of a recording and its replay, or of two
/// recordings.
struct ComparedContent: Sendable {
  /// By endpoint: the headers that are compared although they usually are not, in lower case.
  var written: [String: Set<String>] = [:]
  /// The headers that are not compared, in lower case.
  var ignored = ReplayRules.ignoredHeaders
  /// The parts that the scenario excludes from comparisons.
  var noise = ReplayNoise()

  /// Returns what is compared of a line's value. Large parts are files if they are in the recorded
  /// one.
  func value(of line: TraceLine, like recorded: TraceLine) -> Value {
    var value = line.value ?? TraceValue(.null)
    if line.value != recorded.value, recorded.hasFiles {
      var bodies: [TraceBody] = []
      value = value.split(into: &bodies)
    }
    if line.knownKind == .assertion { return value.json["held"] ?? .null }
    let json = noise.compared(value.json, of: line)
    guard line.hasHead else { return json }
    return head(json, written: written[recorded.source ?? ""] ?? [])
  }

  private func head(_ json: Value, written: Set<String>) -> Value {
    guard case .map(var map) = json else { return json }
    if map["body"] != nil { map["body"] = canonicalBody(of: json) }
    // It follows from path and query.
    map["target"] = nil
    guard case .map(var headers)? = map["headers"] else { return .map(map) }
    let names = headers.keys.map(\.plainText)
    for name in names where ignored.contains(name) {
      if !written.contains(name) { headers[name] = nil }
    }
    if let type = headers["content-type"]?.plainText, let boundary = multipartBoundary(in: type) {
      headers["content-type"] = .string(type.replacing(boundary, with: "boundary"))
    }
    map["headers"] = .map(headers)
    return .map(map)
  }

  /// Returns the parts that differ, each as `query: recorded 1, asked 2`; none for values that are
  /// shown whole.
  func differences(_ recorded: Value, _ now: Value, sides: (String, String)) -> [String] {
    guard case .map = recorded, case .map = now else { return [] }
    return valueDifferences("", recorded, now, sides: sides).map { String($0.drop { $0 == "." }) }
  }
}
