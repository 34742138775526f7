import Events
import ScenarioPlan
import Values
import World

/// An assertion that evaluates its condition again after each event.
struct PolledCondition {
  var assertion: AssertionID
  var seen: [Value]
}

/// A step that is expected to fail, and how it did.
final class ExpectedFailure {
  var error: Value?
}

/// Assertions: logged with what they read, and left to the judge.
extension ScriptRun {
  func assert(_ assertion: AssertionID) -> Flow {
    let reads = recordedReadings(of: assertion) ?? readings(of: assertion)
    run.recorder.record(.assertion(.opened(assertion, lastReference, reads: reads)))
    switch run.shared.plan.assertions[assertion].evaluation {
    case .once: run.recorder.record(.assertion(.checked(assertion, lastReference, reads: reads)))
    case .repeated:
      run.recorder.record(.assertion(.checked(assertion, lastReference, reads: reads)))
      polled = PolledCondition(assertion: assertion, seen: reads)
    case .snapshot(let snapshot): return take(snapshot, assertion)
    case .nothing: break
    }
    return askJudge()
  }

  private func take(_ snapshot: SnapshotPlan, _ assertion: AssertionID) -> Flow {
    switch content(of: snapshot) {
    case .failure(let failure): return .fails(scriptFailure(failure))
    case .success(let value):
      let file = snapshotFile(snapshot.word, row: run.inputs.rowName, turns: turns)
      run.recorder.record(
        .assertion(.snapshotTaken(assertion, lastReference, file: file, value: value)))
      return askJudge()
    }
  }

  private func content(of snapshot: SnapshotPlan) -> Result<Value, EvaluationFailure> {
    switch snapshot.content {
    case .value(let expression): return evaluate(expression, in: self)
    case .stage(let parts):
      var stage = ValueMap()
      for part in parts { stage.set(value(of: part.slot), at: part.address.split(separator: ".")) }
      return .success(.map(stage))
    }
  }

  private func askJudge() -> Flow {
    switch run.judge.status(in: branch) {
    case .met:
      polled = nil
      return .next
    case .pending:
      run.supervisor.awaitJudge(self)
      return .waits
    case .failed:
      run.supervisor.stop()
      return .waits
    case .retried:
      leaveTry()
      return .next
    }
  }

  /// Returns the current values of the slots that an assertion reads.
  func readings(of assertion: AssertionID) -> [Value] {
    let reads = run.shared.plan.assertions[assertion].reads
    return reads.isEmpty ? [] : reads.map { value(of: $0) }
  }

  /// Logs the values that a waiting `eventually` reads, if they have changed.
  func reevaluate() {
    guard let condition = polled else { return }
    let reads = readings(of: condition.assertion)
    guard reads != condition.seen else { return }
    polled?.seen = reads
    run.recorder.record(.assertion(.checked(condition.assertion, lastReference, reads: reads)))
  }

  /// Runs a step that must fail; what fails until its instant is drained counts as its failure.
  func expectFailure(_ assertion: AssertionID, _ script: ScriptID) -> Flow {
    let expectation = ExpectedFailure()
    let reference = lastReference
    run.recorder.record(.assertion(.opened(assertion, reference, reads: readings(of: assertion))))
    run.supervisor.expectedFailures.append(expectation)
    let inner = ScriptRun(
      run, frame: FramePlan(script: script, localCount: 0), role: .steps(branch: branch),
      locals: locals, turns: turns, includes: includes)
    inner.onEnd = { [self] outcome in
      if case .failed(let failure) = outcome { expectation.error = failure.error }
      run.supervisor.expectedFailures.removeAll { $0 === expectation }
      run.loop.after(0, phase: .assertion) {
        self.run.recorder.record(
          .assertion(.attempted(assertion, reference, error: expectation.error)))
        if case .next = self.askJudge() { self.resume() }
      }
    }
    run.loop.after(0, phase: .assertion) { inner.resume() }
    return .waits
  }
}

extension ValueMap {
  /// Puts a value under an address, in maps of its parts.
  fileprivate mutating func set(_ value: Value, at address: [Substring]) {
    guard let first = address.first else { return }
    let key = Value.string(String(first))
    if address.count == 1 {
      self[key] = value
    } else {
      var inner = if case .map(let map)? = self[key] { map } else { ValueMap() }
      inner.set(value, at: Array(address.dropFirst()))
      self[key] = .map(inner)
    }
  }
}
