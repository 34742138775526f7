import Values

/// The facts about a scenario that a comparison needs.
package struct ReplayRules: Sendable {
  /// The endpoints, whose own events follow from what clients sent.
  package var endpoints: Set<String>
  /// By endpoint: the headers that the scenario writes itself, in lower case.
  package var writtenHeaders: [String: Set<String>]
  /// The places at which any value of the same type is equal.
  package var noise = ReplayNoise()
  /// By place of a step, as the trace has it: where the step stands now; nil if it is gone. Empty
  /// if the scenario is what it was.
  package var moved: [String: String?] = [:]
  /// True if the comparison may stop some time after a divergence.
  package var stopsAfterDivergence = true

  package init(endpoints: Set<String>, writtenHeaders: [String: Set<String>] = [:]) {
    self.endpoints = endpoints
    self.writtenHeaders = writtenHeaders
  }

  /// Returns where a step of the trace stands now, or where none does.
  func placeNow(_ at: String) -> String {
    guard let now = moved[at] else { return at }
    // A text without colons is no place.
    return now ?? String(at.map { $0 == ":" ? "," : $0 }) + " gone"
  }

  func isGone(_ at: String) -> Bool { if case .some(nil) = moved[at] { true } else { false } }

  /// The headers that are compared only if the scenario writes them.
  package static let ignoredHeaders: Set<String> = [
    "user-agent", "host", "accept", "accept-encoding", "connection", "content-length",
    "sec-websocket-key",
  ]
  /// The most that times of a real-time trace may differ by.
  package static let tolerance: Microseconds = 50_000
  /// The most that is allowed beyond that because the machine was late.
  package static let mostExcusedLag: Microseconds = 200_000
}

extension ReplayRules {
  /// Returns the sources that the scenario ignores at some time.
  func ignored(in run: TraceRun) -> Set<String> {
    var names: Set<String> = []
    for index in run.entries.indices where run.entries.kind(of: index) == .ignored {
      guard case .list(let sources)? = run.entries[index].line.value?.json else { continue }
      for source in sources { names.insert(source.plainText) }
    }
    return names
  }
}
