import Diagnostics
import Events
import ScenarioPlan
import Secrets
import Values

/// The end of a run, as far as a sweep compares it with that of the good run.
package struct SweepEnd: Sendable {
  /// The broken rules of the scenario.
  package var failures: [Diagnostic] = []
  /// True if a mock had no answer to a request, or a step of the scenario could not act.
  package var isStuck = false
  /// True if the system had no room for the run.
  package var isWithoutWorld = false
  package var pending: [PendingAtEnd] = []
  package var invariantsSampled = 0
  /// What clients did against the rules of protocols.
  package var brokenRules: [Diagnostic] = []
  /// How often these rules had something to say.
  package var exercisedRules: [Exercised] = []
  /// The endpoints whose mocks began a stream again, which they cannot resume.
  package private(set) var repeatedMocks: [String] = []
  /// The last values of the sources that must end alike; nil before the first.
  private(set) var same: [Value?] = []
  /// The ids of the events that each client received, and how often.
  private(set) var received: [(name: String, counts: [Value: Int], order: [Value])] = []
  package var mask = SecretMask([])

  package init(_ plan: ScenarioPlan, _ log: EventLog) {
    same = plan.sweep.same.map { _ in nil }
    let places = Dictionary(
      zip(plan.sweep.same, 0...), uniquingKeysWith: { first, _ in first })
    var clients = plan.connections.map { (name: $0.name, source: $0.source) }
    clients.sort { $0.source.index < $1.source.index }
    received = clients.map { (name: $0.name, counts: [:], order: []) }
    for index in log.events.indices {
      note(log.events[index].kind, of: plan, places, clients)
    }
  }

  // An event is not copied for a look at it: most of them say nothing about the end.
  private mutating func note(
    _ kind: borrowing Event.Kind, of plan: ScenarioPlan, _ places: [SourceID: Int],
    _ clients: [(name: String, source: SourceID)]
  ) {
    switch kind {
    case .source(.emitted(let source, let value)):
      if let place = places[source] { same[place] = value }
      guard let client = clients.firstIndex(where: { $0.source == source }) else { return }
      note(idOf: value, at: client)
    case .network(.answeredAgain(let source)):
      let name = plan.sources[source].name
      if !repeatedMocks.contains(name) { repeatedMocks.append(name) }
    case .run, .source, .script, .assertion, .network: return
    }
  }

  private mutating func note(idOf event: Value, at client: Int) {
    guard case .map(let map) = event, let id = map["id"], id != .null, map["data"] != nil else {
      return
    }
    let text = Value.string(id.plainText)
    if received[client].counts[text] == nil { received[client].order.append(text) }
    received[client].counts[text, default: 0] += 1
  }
}

/// One difference between the end of a disturbed run and that of the good run.
package struct SweepFinding: Sendable {
  /// The cause, which findings of other places may share.
  package var cause: String
  package var diagnostic: Diagnostic
}

extension SweepEnd {
  /// Returns what the end lacks, compared with that of the good run.
  package func findings(comparedWith good: SweepEnd, _ plan: ScenarioPlan) -> [SweepFinding] {
    var findings = failures.map { SweepFinding(cause: $0.cause, diagnostic: $0) }
    for (place, source) in plan.sweep.same.enumerated() where same[place] != good.same[place] {
      findings.append(
        .init(.otherEnd(plan.sources[source], same[place], good.same[place], mask)))
    }
    for (now, before) in zip(received, good.received) {
      let twice = now.order.first { now.counts[$0, default: 0] > max(1, before.counts[$0] ?? 0) }
      if let twice {
        findings.append(.init(.eventTwice(twice.plainText, of: now.name, plan, mask)))
      }
    }
    // What a client does without a disturbance as well may be what the scenario is about.
    let usual = Set(good.brokenRules.map(\.id))
    for broken in brokenRules where !usual.contains(broken.id) {
      findings.append(SweepFinding(broken))
    }
    let known = Set(good.pending.map(\.text))
    for operation in pending where !known.contains(operation.text) {
      findings.append(.init(.leftPending(operation, plan, mask)))
    }
    return findings
  }
}

extension SweepEnd {
  /// The number of times that a rule had something to say in a run.
  package struct Exercised: Sendable, Equatable {
    package static let checks: DiagnosticID = "check-failed"
    package static let invariants: DiagnosticID = "invariant-broken"

    package var rule: DiagnosticID
    package var times: Int

    package init(rule: DiagnosticID, times: Int) {
      self.rule = rule
      self.times = times
    }
  }

  /// The rules of sweeps, in the order of reports.
  package func exercised(_ plan: ScenarioPlan, _ awaited: LastAwaited) -> [Exercised] {
    let ids = received.reduce(0) { sum, client in client.counts.values.reduce(sum, +) }
    return [
      Exercised(rule: Exercised.checks, times: awaited.checks.count),
      Exercised(rule: Exercised.invariants, times: invariantsSampled),
      Exercised(rule: Diagnostic.otherEndID, times: plan.sweep.same.count),
      Exercised(rule: Diagnostic.eventTwiceID, times: ids),
      Exercised(rule: Diagnostic.leftPendingID, times: 1),
    ] + exercisedRules
  }
}

extension SweepFinding {
  fileprivate init(_ diagnostic: Diagnostic) {
    self.init(cause: diagnostic.cause, diagnostic: diagnostic)
  }
}

extension Diagnostic {
  /// The text that failures with the same cause share: the rule and its place. The values differ
  /// from course to course.
  fileprivate var cause: String {
    let range = labels.first?.range
    return "\(id.rawValue) \(range?.file ?? -1) \(range?.start ?? -1)"
  }
}

extension PendingAtEnd {
  /// True for a connection of the scenario. A request may be one of a program, which its mock has
  /// not answered.
  var isOfClient: Bool { kind != "request" }

  fileprivate var text: String { "\(kind) \(name) \(endpoint) \(state)" }
}
