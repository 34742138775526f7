import Diagnostics
import Events
import ScenarioPlan
import Secrets
import Traces
import Values
import Verdicts

/// The recorder of one run. It writes the lines of the trace during the run.
package final class RunRecorder {
  // The write of a line ends before the next event comes, so no two accesses overlap.
  @exclusivity(unchecked) private var translator: TraceTranslator
  @exclusivity(unchecked) private var mask: TraceMask
  private let lines: EventLines
  private let write: (TraceLine) -> Void
  /// The search for values that steps capture as secrets; nil if no step captures one.
  @exclusivity(unchecked) private var secretPlaces: SecretPlaces?
  /// True if no line needs the mask. Asking the mask itself would copy it.
  @exclusivity(unchecked) private var hidesNothing: Bool
  /// The assertions that are not decided yet, by branch.
  @exclusivity(unchecked) private var open: [(branch: BranchID, step: StepReference)] = []
  @exclusivity(unchecked) private var time: Microseconds = 0

  /// - Parameters:
  ///   - settles: False if a line need not wait until it is known whether it is settled.
  ///   - namesEvents: True if lines have the numbers that failures give their events.
  package init(
    _ plan: ScenarioPlan, _ header: TraceHeader, _ mask: TraceMask, settles: Bool = true,
    namesEvents: Bool = false, places: any TracedPlaces = NoPlaces(),
    write: @escaping (TraceLine) -> Void
  ) {
    lines = EventLines(plan: plan, places: places, headers: Set(header.headers))
    translator = TraceTranslator(lines, header, settles: settles)
    translator.namesEvents = namesEvents
    self.mask = mask
    hidesNothing = mask.hidesNothing
    self.write = write
    secretPlaces = plan.secretMatchers.isEmpty ? nil : SecretPlaces(plan, places.text)
  }

  /// The numbers that the lines of events have.
  package var numbers: EventNumbers { translator.numbers }
  /// True if lines have the numbers of the log as well.
  package var namesEvents: Bool { translator.namesEvents }

  /// Writes what was decided since the event before, by time alone.
  fileprivate func prepare(for event: Event, _ judge: any Judge) {
    time = event.time
    if open.isEmpty { return }
    for entry in open where !entry.step.isAroundSteps { decide(entry, judge) }
  }

  /// Writes the lines of an event that the judge has seen, and of assertions that it decided.
  fileprivate func observe(_ event: Event, after judge: any Judge) {
    if event.kind.announcesSecrets { return hideSecrets(of: event) }
    translator.translate(event, put)
    if let step = event.kind.assertedStep {
      if let place = open.lastIndex(where: { $0.step.isSame(as: step) }) {
        return decide(open[place], judge)
      }
      open.append((step.branch, step))
    }
    for entry in open where !entry.step.isAroundSteps { decide(entry, judge) }
  }

  private func hideSecrets(of event: Event) {
    if case .run(.secretsKnown(let values)) = event.kind { hide(values.flatMap(\.secretTexts)) }
    if case .run(.secretsComputed(let texts, let name)) = event.kind { hide(texts, named: name) }
    if case .run(.secretsCaptured(let secrets)) = event.kind { hide(captured: secrets) }
  }

  private func decide(_ entry: (branch: BranchID, step: StepReference), _ judge: any Judge) {
    // The status of what is still open takes long: it says until when.
    if judge.isWaiting(in: entry.branch) { return }
    switch judge.status(in: entry.branch) {
    case .pending: break
    case .met: close(entry.step, held: true)
    case .failed, .retried: close(entry.step, held: false)
    }
  }

  fileprivate func observe(_ traffic: Traffic) {
    time = traffic.time
    if !hidesNothing { learnTokens(of: traffic.kind) }
    translator.translate(traffic, put)
  }

  fileprivate func observe(_ traffic: ProgramTraffic) {
    time = traffic.time
    translator.translate(traffic, put)
  }

  fileprivate func observe(
    conditions: ValueMap, of endpoint: EndpointID?, at time: Microseconds, cause: EventID?
  ) {
    let source = endpoint.map { lines.plan.endpoints[$0].name }
    translator.translate(
      TraceLine(.network, source: source, .map(conditions)), at: time, cause: cause, put)
  }

  fileprivate func observe(now: Timestamp, at time: Microseconds, cause: EventID?) {
    translator.translate(TraceLine(.now, .timestamp(now)), at: time, cause: cause, put)
  }

  fileprivate func changeSettled() { translator.settle(true, put) }

  /// Writes a line that is no event of the log.
  package func note(_ line: TraceLine, at time: Microseconds? = nil) {
    translator.translate(line, at: time ?? self.time, put)
  }

  /// Writes the failures and the verdict, which is the last line.
  package func finish(_ verdict: Verdict, _ failures: [Diagnostic], in sources: SourceMap) {
    for (_, step) in open { close(step, held: verdict.outcome == .passed) }
    for failure in failures { note(failure, in: sources, at: time) }
    note(TraceLine(.verdict, verdict.traceValue), at: max(time, verdict.duration))
  }

  /// Writes the line of a failure.
  package func note(_ failure: Diagnostic, in sources: SourceMap, at time: Microseconds) {
    // A trace has the names of credentials alone.
    let failure = failure.masked(by: withoutLengths)
    guard case .success(let json) = parseJSON(diagnosticJSON(failure, in: sources)) else { return }
    var line = TraceLine(.failure)
    line.value = TraceValue(json: json.naming(sources.files.map(\.path), lines.places.path))
    note(line, at: time)
  }

  private func close(_ step: StepReference, held: Bool) {
    guard let index = open.lastIndex(where: { $0.step.isSame(as: step) }) else { return }
    open.remove(at: index)
    note(lines.line(.assertion, step, held: held))
  }

  private func put(_ line: TraceLine) {
    if secretPlaces != nil { learnSecrets(of: line) }
    if hidesNothing { write(line) } else { write(mask.masked(line)) }
  }

  private func learnTokens(of kind: Traffic.Kind) {
    switch kind {
    case .request(let request): mask.learn(of: request.headers)
    case .response(let head), .stream(let head), .upgrade(let head): mask.learn(of: head.headers)
    case .event, .comment, .retry, .id, .cutEvent, .line, .message, .ping, .pong, .bytes, .goodbye,
      .left, .drop, .reset, .unreachable:
      break
    }
  }

  /// Adds the values of a line that a step captures as secrets to the mask, from this line on.
  private func learnSecrets(of line: TraceLine) {
    for occurrence in secretPlaces?.occurrences(in: line) ?? [] {
      hide(captured: lines.plan.capturedSecrets(in: occurrence))
    }
  }

  private func hide(captured secrets: [NamedSecret]) {
    mask.hide(captured: secrets)
    hidesNothing = mask.hidesNothing
  }

  private func hide(_ secrets: [String], named name: String? = nil) {
    mask.hide(secrets, named: name)
    hidesNothing = mask.hidesNothing
  }
}

/// A judge of a run that is recorded.
package final class RecordingJudge: Judge, RunObserver {
  private let judge: any Judge
  private let recorders: [RunRecorder]

  package init(_ judge: any Judge, _ recorders: [RunRecorder]) {
    self.judge = judge
    self.recorders = recorders
  }

  package func observe(_ event: Event) {
    for recorder in recorders { recorder.prepare(for: event, judge) }
    judge.observe(event)
    for recorder in recorders { recorder.observe(event, after: judge) }
  }

  package func observe(_ traffic: Traffic) {
    for recorder in recorders { recorder.observe(traffic) }
  }

  package func observe(_ traffic: ProgramTraffic) {
    for recorder in recorders { recorder.observe(traffic) }
  }

  package func observe(
    conditions: ValueMap, of endpoint: EndpointID?, at time: Microseconds, cause: EventID?
  ) {
    for recorder in recorders {
      recorder.observe(conditions: conditions, of: endpoint, at: time, cause: cause)
    }
  }

  package func observe(now: Timestamp, at time: Microseconds, cause: EventID?) {
    for recorder in recorders { recorder.observe(now: now, at: time, cause: cause) }
  }

  package func changeSettled() {
    for recorder in recorders { recorder.changeSettled() }
  }

  package func isWaiting(in branch: BranchID) -> Bool { judge.isWaiting(in: branch) }
  package func status(in branch: BranchID) -> AssertionStatus { judge.status(in: branch) }
  package var hasBrokenInvariant: Bool { judge.hasBrokenInvariant }
  package var secretMask: SecretMask? { judge.secretMask }

  package func difference(
    of value: Value, from matcher: MatcherPlan, reads: [SlotID], values: [Value]
  ) -> String? {
    judge.difference(of: value, from: matcher, reads: reads, values: values)
  }

  package func capture(_ capture: CaptureID, in branch: BranchID) -> Value? {
    judge.capture(capture, in: branch)
  }
}

extension Value {
  /// Returns the JSON of a failure with other paths in place of those of files: alone, or in the
  /// command that repeats a run.
  fileprivate func naming(_ paths: [String], _ other: (String) -> String) -> Value {
    switch self {
    case .string(let text):
      guard let path = paths.first(where: { text == $0 || text.contains(" \($0):") }) else {
        return self
      }
      return .string(
        text == path ? other(path) : text.replacing(" \(path):", with: " \(other(path)):"))
    case .list(let elements): return .list(elements.map { $0.naming(paths, other) })
    case .map(let map):
      return .map(ValueMap(map.map { ($0.key, $0.value.naming(paths, other)) }))
    default: return self
    }
  }
}

extension StepReference {
  /// True for steps that hold other steps, whose assertions are decided meanwhile.
  fileprivate var isAroundSteps: Bool { verb == "fails" || verb == "retry" }

  fileprivate func isSame(as other: StepReference) -> Bool {
    branch == other.branch && range == other.range && turns == other.turns
      && includes == other.includes
  }
}

// Matching the whole event would copy it, twice for each line.
extension Event.Kind {
  /// True if the event has no line, and says what lines hide from now on.
  fileprivate var announcesSecrets: Bool {
    guard case .run(let event) = self else { return false }
    switch event {
    case .secretsKnown, .secretsCaptured, .secretsComputed: return true
    case .inRealTime, .ended, .tracePlayed, .traceEnded, .lagged, .idle, .failed, .pendingAtEnd,
      .actionsAtEnd, .stepsEnded, .finallyBegan:
      return false
    }
  }

  /// The step whose assertion an event is of; nil if it is of none.
  fileprivate var assertedStep: StepReference? {
    if case .assertion(let event) = self { event.step } else { nil }
  }
}

extension AssertionEvent {
  /// The step of the assertion; nil if there is none.
  fileprivate var step: StepReference? {
    switch self {
    case .opened(_, let step, _), .checked(_, let step, _), .attempted(_, let step, _),
      .snapshotTaken(_, let step, _, _), .received(_, let step, _, _),
      .exchanged(_, let step, _, _):
      step
    case .invariantsSampled, .ignored: nil
    }
  }
}

extension Verdict {
  /// The value of the line `verdict`.
  fileprivate var traceValue: Value {
    var map = ValueMap()
    switch outcome {
    case .passed, .flaky: map["outcome"] = "passed"
    case .failed, .couldNotRun: map["outcome"] = "failed"
    case .skipped: map["outcome"] = "skipped"
    }
    map["assertions"] = .int(assertionsReached)
    map["assertionsMet"] = .int(assertionsMet)
    map["failures"] = .int(failures.count)
    map["events"] = .int(eventCount)
    return .map(map)
  }
}
