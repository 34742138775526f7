import Values

/// What a comparison must know of the scenario.
package struct ReplayRules: Sendable {
  /// The endpoints, whose own events follow from what clients sent.
  package var endpoints: Set<String>
  /// By endpoint: the headers that the scenario writes itself, in lower case.
  package var writtenHeaders: [String: Set<String>]
  /// The places at which any value of the same type is equal.
  package var noise = ReplayNoise()
  /// True if the comparison may stop some time after a divergence.
  package var stopsAfterDivergence = true

  package init(endpoints: Set<String>, writtenHeaders: [String: Set<String>] = [:]) {
    self.endpoints = endpoints
    self.writtenHeaders = writtenHeaders
  }

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
