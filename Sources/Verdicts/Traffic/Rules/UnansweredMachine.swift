import Diagnostics

/// Finds requests that were neither answered nor cancelled at the end of a whole recording.
struct UnansweredMachine: TrafficMachine {
  static let id: DiagnosticID = "request-left-behind"

  private(set) var exercised = ExercisedCount()
  private var open: [Int: RuleWitness] = [:]

  mutating func observe(_ line: ExchangeLine, _ end: RecordingEnd) -> [RuleFinding] {
    if case .request(let request) = line.kind {
      exercised.add(.server)
      open[line.exchange] = RuleWitness(line, "\(line.server) \(request.shownTarget)")
    } else if line.kind.isHead || line.kind.ending != nil || isGarbage(line) {
      open[line.exchange] = nil
    }
    return []
  }

  /// True for bytes that answer a request against the rules of HTTP.
  private func isGarbage(_ line: ExchangeLine) -> Bool {
    guard case .bytes = line.kind else { return false }
    return line.from == .server
  }

  mutating func finish(_ end: RecordingEnd) -> [RuleFinding] {
    guard end.isWhole else { return [] }
    return open.sorted { $0.key < $1.key }.map { _, request in
      RuleFinding(.server, "a request was neither answered nor cancelled", request)
    }
  }
}
