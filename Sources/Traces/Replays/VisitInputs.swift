import TextSearch

/// The inputs of clients of served endpoints, by connection.
package struct VisitInputs: Sendable {
  /// The connections, in the order in which clients first sent on them.
  private(set) var keys: [ConnectionKey] = []
  /// By connection: the indices of the lines.
  private(set) var inputs: [ConnectionKey: [Int]] = [:]
  /// By connection: the index of the line that says that its client broke the rules, if the trace
  /// does not have what it sent. Then nothing is compared from there on.
  package private(set) var brokenAt: [ConnectionKey: Int] = [:]

  init() {}

  package init(_ run: TraceRun) {
    /// The connections whose clients broke the rules by bytes that the trace has.
    var haveBytes: Set<ConnectionKey> = []
    for index in run.entries.indices {
      let kind = run.entries.kind(of: index)
      guard kind == .problem || kind?.comparison == .bySender else { continue }
      guard run.isServed(index) else { continue }
      let line = run.entries[index].line
      guard let key = ConnectionKey(line) else { continue }
      if kind == .problem {
        if line.isOfBrokenRules, brokenAt[key] == nil, !haveBytes.contains(key) {
          brokenAt[key] = index
        }
      } else if line.isInput(in: run.header) {
        if kind == .bytes { haveBytes.insert(key) }
        if inputs[key] == nil { keys.append(key) }
        inputs[key, default: []].append(index)
      }
    }
  }

  /// Returns whether it is unknown what led to an entry.
  func isUnknown(_ index: Int, in lane: ReplayComparison.Lane) -> Bool {
    guard !brokenAt.isEmpty, case .connection(let key) = lane, let broken = brokenAt[key] else {
      return false
    }
    return index > broken
  }
}

extension ReplayComparison {
  /// Takes something that a client sent to an endpoint that is served.
  mutating func takeVisit(_ key: ConnectionKey, _ line: TraceLine) {
    let count = visited[key, default: 0]
    visited[key] = count + 1
    if let inputs = visits.inputs[key], count < inputs.count {
      note(inputs[count], at: line.time ?? 0)
    }
  }

  /// Notes what clients could not send any more.
  mutating func noteVisits() {
    for key in visits.keys {
      let inputs = visits.inputs[key] ?? []
      let count = visited[key, default: 0]
      guard count < inputs.count, visits.brokenAt[key] == nil,
        !isAtEnd(run.entries.time(of: inputs[count]))
      else { continue }
      divergences.append(
        Divergence(.leftOver, recorded: inputs[count], at: run.entries[inputs[count]].time))
    }
  }
}

extension TraceRun {
  /// False for a trace of an older version, which has the pongs alone.
  package var recordsPings: Bool { entries.indices.contains { entries.kind(of: $0) == .ping } }

  /// True if the scenario's endpoints were served, to clients that are no part of the scenario.
  package var isOfServer: Bool {
    header.sides.values.contains { $0.plainText == TraceSide.server.rawValue }
  }

  /// Returns whether a line is of an endpoint that was served.
  package func isServed(_ line: TraceLine) -> Bool { isServed(line.source) }

  /// Returns whether an entry is of an endpoint that was served, without reading it.
  package func isServed(_ index: Int) -> Bool { isServed(entries.source(of: index)) }

  private func isServed(_ source: String?) -> Bool {
    source.flatMap { header.side(of: $0) } == .server
  }
}

extension TraceLine {
  /// True if the line says that a client broke the rules of its protocol.
  package var isOfBrokenRules: Bool {
    knownKind == .problem && from == .client && connection != nil
  }
}

/// An option of `serve` that changes what happens, as the header of a trace has it.
package enum ServingOption: String, Sendable {
  /// True if the steps are left out.
  case forever
  /// The timeout in place of the scenario's own, in microseconds.
  case timeout
}
