import Diagnostics
import Events
import ScenarioPlan
import Secrets
import TextSearch
import Values
import World

/// The end of a run, as far as a sweep compares it with that of the good run.
package struct SweepEnd: Sendable {
  /// The broken rules of the scenario.
  package var failures: [Diagnostic] = []
  /// The assertions that they belong to, in their order.
  package var failedAssertions: [AssertionID?] = []
  /// The values that conditions read last.
  private(set) var reads: [AssertionID: [Value]] = [:]
  /// The ends of the programs that ended before the run did.
  package var ends: [ProgramID: ProgramEnd] = [:]
  /// The error lines of programs that show an exception which nothing caught.
  private var crashed: Set<SourceID> = []
  /// The actions that had ended, and those that ran, when the run did.
  private(set) var actions: (ended: [ActionID], running: [ActionID]) = ([], [])
  /// True if a mock had no answer to a request, or a step of the scenario could not act.
  package var isStuck = false
  /// True if the system had no room for the run.
  package var isWithoutWorld = false
  package var pending: [PendingAtEnd] = []
  package var invariantsSampled = 0
  /// The rules of protocols that clients broke.
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
    for program in plan.programs where log.showsCrash(of: program) {
      crashed.insert(program.errors)
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
    case .assertion(.checked(let assertion, _, let values)): reads[assertion] = values
    case .run(.actionsAtEnd(let ended, let running)): actions = (ended, running)
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

extension SweepEnd {
  /// Returns what the end lacks, compared with that of the good run.
  ///
  /// - Parameter demand: The demand on the end. If it may be another one, only harm is a finding.
  package func findings(
    comparedWith good: SweepEnd, _ plan: ScenarioPlan,
    _ demand: DisturbanceKind.Demand = .sameEnd
  ) -> [SweepFinding] {
    let mayDiffer = demand != .sameEnd
    var findings: [SweepFinding] = []
    for (place, failure) in failures.enumerated() {
      let assertion = failedAssertions.indices.contains(place) ? failedAssertions[place] : nil
      let finding = SweepFinding(failure, amount(of: assertion, comparedWith: good))
      if mayDiffer, !doesHarm(finding, assertion, plan) { continue }
      findings.append(finding)
    }
    for (place, source) in plan.sweep.same.enumerated() where same[place] != good.same[place] {
      let amount = SweepFinding.Amount(
        [same[place] ?? .null], insteadOf: [good.same[place] ?? .null])
      if mayDiffer, amount != .more || !plan.isStateOfServer(plan.sources[source].name) {
        continue
      }
      findings.append(
        SweepFinding(
          .otherEnd(plan.sources[source], same[place], good.same[place], mask), amount))
    }
    for (now, before) in zip(received, good.received) {
      let twice = now.order.first { now.counts[$0, default: 0] > max(1, before.counts[$0] ?? 0) }
      if let twice {
        findings.append(
          SweepFinding(.eventTwice(twice.plainText, of: now.name, plan, mask), .more))
      }
    }
    // What a client does without a disturbance as well may be what the scenario is about.
    let usual = Set(good.brokenRules.map(\.id))
    for broken in brokenRules where !usual.contains(broken.id) {
      findings.append(SweepFinding(broken))
    }
    findings += findingsOfPrograms(comparedWith: good, plan, mayDiffer: mayDiffer)
    // One that is sent again and again may run at the end of any run.
    let ending = good.actions.ended.filter { !good.actions.running.contains($0) }
    for action in actions.running where ending.contains(action) {
      findings.append(SweepFinding(.leftRunning(plan.actions[action], plan)))
    }
    let known = Set(good.pending.map(\.text))
    for operation in pending where !known.contains(operation.text) {
      // An open connection hangs in no end that may be another one.
      if mayDiffer, operation.state == "connected" { continue }
      findings.append(SweepFinding(.leftPending(operation, plan, mask)))
    }
    return findings
  }

  /// A program that ends by itself must end in each run, and in the same way unless a condition is
  /// about its end.
  private func findingsOfPrograms(
    comparedWith good: SweepEnd, _ plan: ScenarioPlan, mayDiffer: Bool
  ) -> [SweepFinding] {
    plan.programs.withIDs.compactMap { id, program in
      let isReported = failures.contains { $0.labels.last?.range == program.range }
      if plan.isStopped(id) || isReported && !mayDiffer
        || plan.judgesEnd(of: program) && ends[id] != nil
      {
        return nil
      }
      guard let expected = good.ends[id] else {
        // A program that serves may give up, but not die of what it is answered.
        guard mayDiffer, let end = ends[id], end.isSignal || crashed.contains(program.errors)
        else { return nil }
        return SweepFinding(.otherEnd(of: program, end, insteadOf: nil), .other)
      }
      guard let end = ends[id] else { return SweepFinding(.leftRunning(program, plan), .other) }
      // One that ends by itself may end with an error if the end may differ: it says so.
      guard end != expected, end.isSignal || !mayDiffer && !end.isSuccess else { return nil }
      return SweepFinding(.otherEnd(of: program, end, insteadOf: expected), .other)
    }
  }

  /// Returns whether a broken rule is more than another end: an invariant, or something that a
  /// server did twice. The ends of programs are looked at by themselves.
  private func doesHarm(
    _ finding: SweepFinding, _ assertion: AssertionID?, _ plan: ScenarioPlan
  ) -> Bool {
    switch finding.harm {
    case .invariantBroken: true
    case .doneTwice:
      assertion.map { plan.assertions[$0].reads.allSatisfy(plan.isStateOfServer) } ?? false
    case .crashed, .wrong, .missing, .leftRunning, .leftPending, .ruleBroken: false
    }
  }

  private func amount(
    of assertion: AssertionID?, comparedWith good: SweepEnd
  ) -> SweepFinding.Amount {
    guard let assertion, let now = reads[assertion], let before = good.reads[assertion] else {
      return .other
    }
    return SweepFinding.Amount(now, insteadOf: before)
  }
}

extension ProgramEnd {
  fileprivate var isSignal: Bool { if case .signal = self { true } else { false } }
}

extension EventLog {
  /// Returns whether the error lines of a program show an exception that nothing caught.
  fileprivate func showsCrash(of program: ProgramPlan) -> Bool {
    events.contains { event in
      guard case .source(.emitted(program.errors, .string(let line))) = event.kind else {
        return false
      }
      return linesOfCrashes.contains { line.contains($0) }
    }
  }
}

/// The words of runtimes of languages for an exception that nothing catches.
private let linesOfCrashes = [
  "Traceback (most recent call last)", "Node.js v", "panic: ", "panicked at",
  "Exception in thread", "Unhandled exception", "Uncaught", "Fatal error: ",
]

extension ScenarioPlan {
  fileprivate func isStateOfServer(_ slot: SlotID) -> Bool {
    if case .node(let node) = slots[slot] { isStateOfServer(nodes[node].name) } else { false }
  }

  /// Returns whether a node is a state of a mock.
  fileprivate func isStateOfServer(_ name: String) -> Bool {
    endpoints.contains { name.hasPrefix("\($0.name).") }
  }

  /// Returns whether a step ends the program.
  fileprivate func isStopped(_ program: ProgramID) -> Bool {
    scripts.contains { script in
      script.steps.contains { step in
        guard case .acting(.terminate(let targets)) = step.kind else { return false }
        return targets.contains { if case .program(program) = $0 { true } else { false } }
      }
    }
  }

  /// Returns whether a condition of the end is about the end of the program.
  fileprivate func judgesEnd(of program: ProgramPlan) -> Bool {
    assertions.contains { assertion in
      switch assertion.kind {
      case .check, .eventually:
        assertion.reads.contains { slot in
          if case .lastEvent(program.exit) = slots[slot] { true } else { false }
        }
      case .expectMap, .expectList, .never, .retry, .fails, .snapshot, .receive, .answer: false
      }
    }
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
    ] + exercisedByPrograms(plan) + exercisedByEnds(plan) + exercisedByExpectations(plan)
      + exercisedRules
  }
}

extension SweepEnd {
  /// How the programs ended, as a text that runs with the same ends share.
  package var textOfEnds: String {
    ends.sorted { $0.key < $1.key }.map { "\($0.key.index) \($0.value.value.json())" }
      .joined(separator: ", ")
  }

  private func exercisedByPrograms(_ plan: ScenarioPlan) -> [Exercised] {
    guard !plan.programs.isEmpty else { return [] }
    return [Exercised(rule: Diagnostic.programFailedID, times: plan.programs.count)]
  }

  /// The programs and the actions that may hang.
  private func exercisedByEnds(_ plan: ScenarioPlan) -> [Exercised] {
    let count = plan.programs.count + Set(actions.ended + actions.running).count
    return count == 0 ? [] : [Exercised(rule: Diagnostic.leftRunningID, times: count)]
  }

  /// The steps that await something, if they must be met.
  private func exercisedByExpectations(_ plan: ScenarioPlan) -> [Exercised] {
    let awaiting = plan.assertions.count { assertion in
      switch assertion.kind {
      case .expectMap, .expectList: true
      case .never, .check, .eventually, .retry, .fails, .snapshot, .receive, .answer: false
      }
    }
    guard plan.sweep.demandsExpect, awaiting > 0 else { return [] }
    return [Exercised(rule: "not-in-time", times: awaiting)]
  }
}

extension PendingAtEnd {
  /// True for a connection of the scenario. A request may be one of a program, which its mock has
  /// not answered.
  var isOfClient: Bool { kind != "request" }

  fileprivate var text: String { "\(kind) \(name) \(endpoint) \(state)" }
}
