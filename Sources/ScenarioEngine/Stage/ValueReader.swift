import Events
import ScenarioPlan
import Secrets
import Values

/// A reader of the stage and of a set of locals, for expressions outside of scripts.
final class ValueReader: PlanSlots {
  private unowned let stage: LiveStage
  private let locals: [Value]
  /// The checker of a mock's script that is only followed. The values that the script has set are
  /// read in place of the stage.
  private let shadow: DriftChecker?

  init(_ stage: LiveStage, _ locals: [Value] = [], shadow: DriftChecker? = nil) {
    self.stage = stage
    self.locals = locals
    self.shadow = shadow
  }

  func value(of slot: SlotID) -> Value {
    if let shadow { return shadow.value(of: slot, locals: locals, branch: .main) }
    return stage.value(of: slot, locals: locals, branch: .main)
  }

  var secretMask: SecretMask? { stage.secretMask }

  func note(computedSecrets: [String], named name: String) {
    stage.note(computedSecrets: computedSecrets, named: name)
  }

  func isCaptured(_ slot: SlotID) -> Bool {
    shadow != nil || stage.isCaptured(slot, in: .main)
  }
}

extension ScriptSupervisor {
  /// Returns the value of data. If it has none, the run fails.
  ///
  /// A reader is an object, which is only made for data that reads something.
  func value(of data: DataPlan, in reader: @autoclosure () -> ValueReader) -> Value? {
    if case .constant(let value) = data.content { return value }
    switch evaluate(data, in: reader()) {
    case .success(let value): return value
    case .failure(let failure):
      fail(failure)
      return nil
    }
  }

  /// Returns how long something takes; an expression that gives no duration fails the run.
  func length(
    of duration: DurationPlan?, in reader: @autoclosure () -> ValueReader
  ) -> Microseconds {
    guard let duration else { return 0 }
    if case .constant(let length) = duration { return length }
    switch evaluate(duration, in: reader()) {
    case .success(let length): return length
    case .failure(let failure):
      fail(failure)
      return 0
    }
  }

  /// Fails the run because an expression outside of its scripts has no value.
  func fail(_ failure: EvaluationFailure) {
    fail(.evaluation(failure, step: nil))
  }
}

extension Timestamp {
  /// This point in time plus microseconds, held inside what can be represented.
  func advanced(by microseconds: Microseconds) -> Timestamp {
    let nanoseconds = Int64(nanoseconds) + (microseconds % 1_000_000) * 1_000
    let carry = nanoseconds / 1_000_000_000
    let whole = Int(microseconds / 1_000_000 + carry)
    let (sum, overflow) = seconds.addingReportingOverflow(whole)
    return Timestamp(
      seconds: overflow ? Int.max : sum, nanoseconds: Int32(nanoseconds % 1_000_000_000))
  }
}
