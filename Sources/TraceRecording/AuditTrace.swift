import Secrets
import Traces
import Values

/// A secret or a token that a trace contains.
package struct TraceFinding: Sendable, Equatable {
  package var line: Int
  /// The placeholder that should stand there.
  package var name: String
  /// Where in the line it stands, as a JSON pointer such as `/value/body/key`; nil if it is in the
  /// text of the line, and in none of its values.
  package var pointer: String?
}

/// Searches a trace for given secrets, plain and encoded, and for texts that look like secrets. A
/// large value is searched in its file. What the mocks of a scenario issue is no secret.
///
/// - Parameter isPublic: Returns whether the files of a scenario that a trace names have a text.
package func auditTrace(
  _ bytes: [UInt8], secrets: [String], names: [String: String],
  isPublic: @escaping @Sendable (String, ValueMap) -> Bool = { _, _ in false },
  body: (String) -> TraceBodyFile? = { _ in nil }
) -> [TraceFinding] {
  let secrets = NamedSecrets(secrets, names: names)
  let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    .map { readLine(Array($0), body) }
  var found: [TraceFinding] = []
  for run in runs(of: lines.map(\.json)) {
    let parties = lines[run.lowerBound].json.map(RecordedParties.init) ?? RecordedParties()
    let files = parties.files
    let usesFiles = !parties.hasRealEndpoints && !files.isEmpty
    var audit = SecretAudit(for: secrets) { usesFiles && isPublic($0, files) }
    for index in run {
      if let json = lines[index].json, parties.isIssued(json) { audit.allow(in: json.recorded) }
    }
    for index in run {
      let json = lines[index].json
      found += audit.findings(in: lines[index].bytes, json?.recorded)
        .filter { $0.text.isEmpty || parties.mayHaveSent($0.text) }
        .map { TraceFinding(line: index + 1, name: $0.name, pointer: $0.pointer) }
    }
  }
  return found
}

/// Searches an HTTP Archive in the same way.
package func auditArchive(
  _ bytes: [UInt8], _ json: Value, secrets: [String], names: [String: String]
) -> [TraceFinding] {
  let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  return SecretAudit(for: NamedSecrets(secrets, names: names)).findings(in: bytes, json).map {
    finding in
    let line = lines.firstIndex { $0.contains(finding.text) } ?? 0
    return TraceFinding(line: line + 1, name: finding.name, pointer: finding.pointer)
  }
}

extension ArraySlice<UInt8> {
  fileprivate func contains(_ text: String) -> Bool {
    !text.isEmpty && String(decoding: self, as: UTF8.self).contains(text)
  }
}

/// Who took part in a recorded run, as its header says.
private struct RecordedParties {
  private var scenario: Value?
  private var worlds = ValueMap()
  private var sides = ValueMap()
  private var programs: [Value] = []
  private var hasObjects = false
  /// The texts of the variables that came from outside.
  private var given: [String] = []
  private(set) var files = ValueMap()

  init() {}

  init(_ header: Value) {
    guard header["trace"] != nil else { return }
    scenario = header["scenario"]
    if case .map(let map)? = header["worlds"] { worlds = map }
    if case .map(let map)? = header["sides"] { sides = map }
    if case .map(let map)? = header["files"] { files = map }
    if case .list(let names)? = header["programs"] { programs = names }
    if case .map(let vars)? = header["vars"] { given = vars.values.flatMap(\.secretTexts) }
    hasObjects = header["by"]?.plainText.hasPrefix("ScenarioTesting") == true
  }

  var hasRealEndpoints: Bool { worlds.values.contains("real") }

  /// True if all that happened came from the scenario and its variables.
  private var isAlone: Bool {
    scenario != nil && programs.isEmpty && !hasObjects
      && worlds.values.allSatisfy { $0 == "mock" || $0 == "sockets" }
      && sides.values.allSatisfy { $0 == "client" }
  }

  func mayHaveSent(_ text: String) -> Bool { !isAlone || given.contains { $0.contains(text) } }

  /// Returns whether a mock of the scenario has sent a line.
  func isIssued(_ line: Value) -> Bool {
    guard scenario != nil, line["from"] == "server", let source = line["source"] else {
      return false
    }
    return sides[source] == "server" || worlds[source] == "mock"
      || worlds[source] == "sockets" && programs.isEmpty
  }
}

/// Returns the lines of each run: those from its header to the next one.
private func runs(of lines: [Value?]) -> [Range<Int>] {
  let headers = lines.indices.filter { lines[$0]?["trace"] != nil || $0 == 0 }
  let ends = headers.dropFirst() + [lines.count]
  return zip(headers, ends).map { $0..<$1 }
}

extension Value {
  /// The members of a line that hold what passed. The others are names of its own.
  fileprivate var recorded: Value {
    guard case .map(var map) = self else { return self }
    for key in ["hash", "files", "scenario", "at", "step", "clock", "began"] { map[key] = nil }
    return .map(map)
  }
}

/// Returns a line with the large values that lie in files of their own.
private func readLine(
  _ line: [UInt8], _ body: (String) -> TraceBodyFile?
) -> (bytes: [UInt8], json: Value?) {
  guard case .success(let json) = parseJSON(line) else { return (line, nil) }
  let value = TraceValue(json: json)
  guard value.hasBody, case .success(let whole) = value.withBodies(body) else {
    return (line, json)
  }
  var bytes: [UInt8] = []
  whole.json.appendJSON(to: &bytes, sortedKeys: true)
  return (bytes, whole.json)
}
