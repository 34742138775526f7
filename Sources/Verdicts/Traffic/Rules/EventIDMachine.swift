import Diagnostics
import Values

/// Finds ids of events that go back on one connection.
///
/// A client that loses its connection asks for what comes after the last id. If ids go back, it
/// gets events twice, or misses some. Several events in a row may share an id: then it stands for
/// all of them. A new connection may begin anywhere, since its server may not resume.
struct EventIDMachine: TrafficMachine {
  static let id: DiagnosticID = "event-id-goes-back"

  fileprivate struct EventIDs {
    var last: (id: String, witness: RuleWitness)?
    /// The ids that are no numbers, with their first event.
    var seen: [Value: RuleWitness] = [:]
  }

  private(set) var exercised = ExercisedCount()
  private var streams: [Int: EventIDs] = [:]

  mutating func observe(_ line: ExchangeLine, _ end: RecordingEnd) -> [RuleFinding] {
    if line.kind.ending != nil { streams[line.exchange] = nil }
    guard case .event(let event) = line.kind, let id = event.id else { return [] }
    guard !id.isEmpty else {
      // An empty id says that there is none to resume after.
      streams[line.exchange] = nil
      return []
    }
    exercised.add(.server)
    return streams[line.exchange, default: EventIDs()].take(
      id, RuleWitness(line, "id \(quoted(id))"))
  }
}

extension EventIDMachine.EventIDs {
  fileprivate mutating func take(_ id: String, _ witness: RuleWitness) -> [RuleFinding] {
    let before = last
    guard before?.id != id else { return [] }
    last = (id, witness)
    guard let number = number(id) else {
      defer { seen[.string(id)] = witness }
      guard let first = seen[.string(id)] else { return [] }
      return [
        RuleFinding(
          .server, "the id \(quoted(id)) came before, with others behind it", first,
          before?.witness, witness
        )
      ]
    }
    guard let before, let earlier = self.number(before.id), number < earlier else { return [] }
    return [
      RuleFinding(
        .server, "the id \(id) comes after the id \(before.id)", before.witness, witness)
    ]
  }

  private func number(_ id: String) -> UInt64? {
    id.utf8.allSatisfy { (48...57).contains($0) } ? UInt64(id) : nil
  }
}
