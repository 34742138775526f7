import Diagnostics
import Events
import ScenarioEngine
import ScenarioPlan
import Synchronization
import TraceRecording
import Values
import Verdicts
import World

/// The runs of a scenario that a sweep begins with, in which nothing goes wrong.
final class SweepRehearsal: Sendable {
  let shared: SharedPlan
  private let runs: SweptRuns
  /// True if no value that could differ in a disturbed run is demanded.
  let demandsNothing: Bool
  var relaxed: SharedPlan { runs.relaxed }
  var awaited: LastAwaited { runs.awaited }
  var rules: WatchedRules { runs.rules }
  let inputs: RunInputs
  let sources: SourceMap
  private let subjects: (any CourseSubjects)?
  /// True if Swift objects play, which share their thread.
  var hasSubjects: Bool { subjects != nil }
  let world: SweepWorld
  /// The time that a run takes which recovers, by the machine's clock.
  let lengthOfRun: Microseconds
  /// The log of the run, with the places at which something could go wrong.
  let log: EventLog
  private let good: Verdict
  /// The end of the run by the rules of disturbed runs.
  let end: SweepEnd
  /// False if what the scenario checks does not hold for long.
  let settles: Bool
  /// The trace of the run by the rules of disturbed runs; nil in memory, where a run can be done
  /// again.
  let recording: [UInt8]?
  /// The warnings about what the run cannot promise, if programs are in virtual time, and about a
  /// second run that was another one.
  let doubts: [Diagnostic]

  init(
    _ shared: SharedPlan, _ inputs: RunInputs, _ sources: SourceMap,
    _ subjects: (any CourseSubjects)?, in kind: WorldKind
  ) {
    let world = SweepWorld(shared.plan, in: kind)
    let shared = world.adapted(shared)
    self.world = world
    self.shared = shared
    demandsNothing = shared.plan.demandsNothing
    self.subjects = subjects
    let runs = SweptRuns(of: shared.plan, sources, subjects, in: world)
    self.runs = runs
    var inputs = inputs
    inputs.complete(for: shared.plan)
    self.inputs = inputs
    self.sources = sources
    var noting = inputs
    noting.notesPlaces = true
    let judge = ScenarioJudge(shared)
    let rehearsal = Rehearsal(
      of: shared, inputs: noting, judge: judge,
      hiding: OutsideParties(of: shared.plan, noting.row, in: kind, sources))
    let played = world.run(rehearsal, subjects: subjects)
    let log = (try? played.get())?.log ?? EventLog()
    let doubts = (try? played.get())?.doubts ?? []
    self.log = log
    let verdict = played.verdict { judge.verdict(on: log, sources: sources) }
    good = verdict
    guard verdict.outcome == .passed || !world.isInRealTime else {
      (end, settles, lengthOfRun, recording) = (SweepEnd(shared.plan, log), true, 0, nil)
      self.doubts = doubts
      return
    }
    let began = wallClock()
    let (patient, trace) = runs.patientRun(self.inputs, in: world)
    recording = trace
    lengthOfRun = Microseconds(wallClock() - began)
    settles = patient.failures.isEmpty
    end =
      settles
      ? patient
      : runs.run(self.inputs, settles: false, .undisturbed(runs.relaxed.plan)).1
    let isAgain = world.hasPrograms && !world.isInRealTime
    let second = isAgain ? runs.patientRun(self.inputs, in: world).trace : trace
    self.doubts = doubts + (second == trace ? [] : [.notRepeatable(shared.plan, trace, second)])
  }

  /// The verdict on the run, in which nothing goes wrong. It also has to meet the rules of
  /// disturbed runs, or each of them would fail.
  var verdict: Verdict {
    guard good.outcome == .passed, !end.failures.isEmpty else { return good }
    var verdict = good
    verdict.outcome = .failed
    verdict.failures = end.failures
    verdict.failures[0].notes.append(
      .init("disturbed", "nothing: this fails by the rules of sweeps alone"))
    return verdict
  }

  /// Returns whether a disturbed run has come to the first of its places. In memory each run does;
  /// programs may act in another order.
  func hasReached(_ disturbances: [Disturbance], _ log: EventLog) -> Bool {
    guard world.hasPrograms, let first = disturbances.first else { return true }
    return log.reachedPlaces(of: shared.plan).hasPlace(of: first)
  }

  /// Returns the verdict on a disturbed run that cannot be judged; nil if it can.
  func obstacle(to disturbances: [Disturbance]) -> Verdict? {
    let verdict = verdict
    return verdict.outcome == .passed ? missedPlace(of: disturbances, log) : verdict
  }

  /// Returns the verdict on a disturbed run that did not come to its place; nil if it did.
  func obstacle(of disturbances: [Disturbance], _ log: EventLog, _ end: SweepEnd) -> Verdict? {
    if end.isWithoutWorld {
      return Verdict(couldNotRunBecauseOf: .scenario, failures: end.failures)
    }
    return world.hasPrograms ? missedPlace(of: disturbances, log) : nil
  }

  /// Returns the verdict on a run that did not come to the first of these places; nil if it did.
  private func missedPlace(of disturbances: [Disturbance], _ log: EventLog) -> Verdict? {
    log.reachedPlaces(of: shared.plan).failure(of: disturbances, shared.plan, by: .run)
      .map { Verdict(couldNotRunBecauseOf: .scenario, failures: [$0]) }
  }

  /// Returns the verdict on a disturbed run: its end is compared with that of the good run.
  func verdict(
    on log: EventLog, _ end: SweepEnd, with disturbances: [Disturbance]
  ) -> Verdict {
    let findings = findings(of: end, log, with: disturbances)
    return Verdict(
      findings.isEmpty ? .passed : .failed, failures: findings.map(\.diagnostic),
      assertionsReached: 1, assertionsMet: findings.isEmpty ? 1 : 0,
      duration: log.events.last?.time ?? 0, eventCount: log.count)
  }

  /// Returns what is wrong with the end of a disturbed run. A client that comes again too soon is
  /// wrong as well where the scenario chooses disturbances, and a program with what it sends once.
  func findings(
    of end: SweepEnd, _ log: EventLog, with disturbances: [Disturbance]
  ) -> [SweepFinding] {
    let isDemanded = shared.plan.sweep.disturbed != nil || repeatsOnce(in: log, disturbances)
    let early = isDemanded ? earlyRepetition(in: log, disturbances) : nil
    return (early.map { [SweepFinding($0)] } ?? [])
      + end.findings(comparedWith: self.end, relaxed.plan, demand(of: disturbances, end, log))
  }

  /// Returns the demand on the end of a run: it may be another one if a client is refused, does not
  /// try again what it may, or says that it failed.
  private func demand(
    of disturbances: [Disturbance], _ end: SweepEnd, _ log: EventLog
  ) -> DisturbanceKind.Demand {
    let demand = disturbances.map(\.demand).min() ?? .sameEnd
    switch demand {
    case .noHarm, .sameEnd: return demand
    case .sameEndOrError:
      // The client has all that comes.
      if disturbances.contains(where: self.log.isBehindEnd) { return .sameEnd }
      let saysSo = end.ends.contains { program, end in
        self.end.ends[program]?.isSuccess == true && !end.isSuccess
      }
      return saysSo ? .noHarm : .sameEnd
    case .sameEndIfRetried:
      let isRetried = shared.plan.endpoints.allSatisfy { endpoint in
        !disturbances.contains { $0.line == endpoint.name && $0.demand == demand }
          || log.requests(to: endpoint.source) >= self.log.requests(to: endpoint.source)
      }
      return isRetried ? .sameEnd : .noHarm
    }
  }

  /// Returns whether a program repeats a request that it sends once without a disturbance. A GET
  /// may be one that a client sends again and again, and what a scenario sends is its author's.
  private func repeatsOnce(in log: EventLog, _ disturbances: [Disturbance]) -> Bool {
    !relaxed.plan.programs.isEmpty
      && disturbances.contains { disturbance in
        guard disturbance.pause != nil, case .piece(let place, _) = disturbance else {
          return false
        }
        return self.log.requests(like: place) == 1 && log.requests(like: place) > 1
          && !log.isGet(behind: place, relaxed.plan)
      }
  }

  /// Returns the failure of a client that sent a request again sooner than `Retry-After` said.
  func earlyRepetition(in log: EventLog, _ disturbances: [Disturbance]) -> Diagnostic? {
    for disturbance in disturbances {
      guard let pause = disturbance.pause, case .piece(let place, _) = disturbance,
        let waited = log.pause(behindRequestAt: place, comparingHeads: world.hasPrograms),
        waited < pause - tolerance
      else { continue }
      return .earlyRepetition(of: place, after: waited, insteadOf: pause, relaxed.plan)
    }
    return nil
  }

  func run(
    _ disturbances: [Disturbance], _ recorders: [RunRecorder] = [], notesPlaces: Bool = false
  ) -> (EventLog, SweepEnd) {
    var inputs = inputs
    inputs.options.disturbances = disturbances
    let pauses = disturbances.compactMap(\.pause)
    inputs.notesPlaces = notesPlaces || world.hasPrograms || !pauses.isEmpty
    var patience = patience(with: disturbances)
    let sleeps = disturbances.compactMap(\.sleep)
    patience.extraTime = (pauses + sleeps).reduce(0, later)
    // Behind a sleep no condition is demanded, and only who is awake can hang.
    return runs.run(inputs, settles: settles || !sleeps.isEmpty, patience, recorders)
  }

  private func patience(with disturbances: [Disturbance]) -> SweepPatience {
    let plan = relaxed.plan
    guard world.hasPrograms, let first = disturbances.first else {
      return .disturbed(plan, good: end)
    }
    let reached = Mutex(ReachedPlaces())
    return .disturbed(plan, good: end) { event in
      reached.withLock { reached in
        reached.observe(event, plan)
        return reached.hasPlace(of: first)
      }
    }
  }

  /// Returns what repeats a course: a command, or a line of a test.
  func command(
    repeating course: SweepCourse, _ inputs: RunInputs, in kind: WorldKind, plan: ScenarioPlan,
    _ repeated: RepeatedOptions
  ) -> String? {
    if let subjects { return subjects.line(repeating: course) }
    return rerunCommand(plan, inputs: inputs, sources: sources, in: kind, repeating: repeated)
  }
}

extension Disturbance {
  /// The time for which a client is asked to wait.
  fileprivate var pause: Microseconds? {
    if case .piece(_, .answered(_, let pause)) = self { pause } else { nil }
  }
}

extension EventLog {
  /// The number of requests that came to a mock.
  fileprivate func requests(to endpoint: SourceID) -> Int {
    events.count { event in
      guard case .source(.emitted(endpoint, .map(let request))) = event.kind else { return false }
      return request["method"] != nil
    }
  }

  /// Returns the time until a request like that at a place is sent again; nil if none is.
  ///
  /// - Parameter heads: True if the bodies may have come in pieces, so that heads are compared.
  fileprivate func pause(
    behindRequestAt place: PiecePlace, comparingHeads heads: Bool
  ) -> Microseconds? {
    let sent = requests(to: place.line)
    guard let first = sent.first(where: { $0.place == place }) else { return nil }
    let again = sent.first {
      $0.time > first.time
        && (heads ? $0.likeness.head == first.likeness.head : $0.likeness == first.likeness)
    }
    return again.map { $0.time - first.time }
  }

  /// The number of requests whose heads are like that at a place.
  fileprivate func requests(like place: PiecePlace) -> Int {
    let sent = requests(to: place.line)
    let head = sent.first { $0.place == place }?.likeness.head
    return sent.count { $0.likeness.head == head }
  }

  /// The requests that were sent to an endpoint, whether they arrived or not.
  private func requests(
    to line: String
  ) -> [(place: PiecePlace, time: Microseconds, likeness: PieceLikeness)] {
    events.compactMap { event in
      guard case .network(.pieceSent(let place, _, let likeness)) = event.kind,
        place.kind == .request, place.line == line
      else { return nil }
      return (place, event.time, likeness)
    }
  }

  /// Returns whether the first request that arrived behind a place is a GET.
  fileprivate func isGet(behind place: PiecePlace, _ plan: ScenarioPlan) -> Bool {
    let source = plan.endpoints.first { $0.name == place.line }?.source
    let start = events.firstIndex { event in
      if case .network(.pieceSent(place, _, _)) = event.kind { true } else { false }
    }
    for event in events[(start ?? 0)...] {
      guard case .source(.emitted(source, .map(let request))) = event.kind,
        case .string(let method)? = request["method"]
      else { continue }
      return method == "GET"
    }
    return true
  }

  /// Returns whether a line breaks behind an event that says that nothing follows.
  fileprivate func isBehindEnd(_ disturbance: Disturbance) -> Bool {
    guard case .piece(let place, .broken(_, .after)) = disturbance else { return false }
    return events.contains { event in
      guard case .network(.pieceSent(place, _, let likeness)) = event.kind else { return false }
      return likeness.isDone
    }
  }
}

/// The time by which a client may come too early, since its answer took a moment.
private let tolerance: Microseconds = 20_000
