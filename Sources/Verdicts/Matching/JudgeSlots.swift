import CEL
import Diagnostics
import ScenarioPlan
import Secrets
import Values

/// The values for expressions of assertions: from the log at the assertion's opening, from earlier
/// captures, and from the value under match.
///
/// A live object would give the same values during the run, but not when a log is judged again.
final class JudgeSlots: PlanSlots, Evaluating {
  private let slots: Table<SlotPlan>
  private let capturePlans: Table<CapturePlan>
  /// The ids and the values of what the open assertion reads, side by side.
  var reads: [SlotID] = []
  var values: [Value] = []
  /// The branch's captured values; nil if not captured.
  var captures: PerID<CapturePlan, Value?> = []
  /// Captured by the matcher at work, not yet accounted for.
  var pendingCaptures: [(capture: CaptureID, value: Value)] = []
  var matched: Value = .null
  /// The number of `$not` around the matcher at work.
  var negations = 0
  /// Where `$not` held because its operator is not for values of a kind.
  var incomparable: [Incomparable] = []
  /// The first part without a value inside a `$not` of an invariant, until it is reported.
  private(set) var openNegation: (invariant: InvariantID, failure: EvaluationFailure)?
  /// A capture that was read without ever having been set.
  private(set) var unsetCapture: CaptureID?
  /// The filter for all secrets that are known by now.
  var secretMask: SecretMask?
  /// The values that expressions of assertions have computed from secrets.
  private var computedSecrets: [String] = []
  /// While not nil, every read is noted here.
  private var recording: [(slot: SlotID, value: Value)]?

  /// An operator and the kind of a value that it cannot be compared with.
  struct Incomparable {
    var name: String
    var range: SourceRange
    var kind: String
  }

  /// More places than these are not noted.
  private static let mostIncomparable = 20

  /// Notes a value that an operator inside `$not` is not for. Each operator is noted once.
  func noteIncomparable(_ value: Value, _ plan: OperatorPlan) {
    guard negations > 0, incomparable.count < JudgeSlots.mostIncomparable,
      !incomparable.contains(where: { $0.range == plan.range })
    else { return }
    incomparable.append(Incomparable(name: plan.name, range: plan.range, kind: value.kindName))
  }

  func noteOpenNegation(_ failure: EvaluationFailure, of invariant: InvariantID) {
    if openNegation == nil { openNegation = (invariant, failure) }
  }

  func takeOpenNegation() -> (invariant: InvariantID, failure: EvaluationFailure)? {
    defer { openNegation = nil }
    return openNegation
  }

  init(_ plan: ScenarioPlan) {
    slots = plan.slots
    capturePlans = plan.captures
    secretMask = plan.secretMask
  }

  func note(computedSecrets: [String], named name: String) {
    self.computedSecrets += computedSecrets
  }

  /// Returns what was computed from secrets since the last call.
  func takeComputedSecrets() -> [String] {
    if computedSecrets.isEmpty { return [] }
    defer { computedSecrets = [] }
    return computedSecrets
  }

  func value(of slot: SlotID) -> Value {
    let value = lookUp(slot)
    if recording != nil { record(slot, value) }
    return value
  }

  private func lookUp(_ slot: SlotID) -> Value {
    guard slot < slots.endIndex else { return .null }
    switch slots[slot] {
    case .matched: return matched
    case .capture(let capture): return captured(capture)
    case .node, .variable, .column, .local, .now, .eventCount, .events, .lastEvent, .recomputes,
      .address, .port, .temp, .drawn:
      guard let place = reads.firstIndex(of: slot), place < values.count else { return .null }
      return values[place]
    }
  }

  func captured(_ capture: CaptureID) -> Value {
    if let entry = pendingCaptures.last(where: { $0.capture == capture }) { return entry.value }
    if capture < captures.endIndex, let value = captures[capture] { return value }
    unsetCapture = capture
    return .null
  }

  private func record(_ slot: SlotID, _ value: Value) {
    if case .capture(let capture) = slots[slot], capture == unsetCapture { return }
    guard slots[slot] != .matched, recording?.contains(where: { $0.slot == slot }) == false else {
      return
    }
    recording?.append((slot, value))
  }

  /// Evaluates an expression to its value, or to the reason why it has none.
  func evaluate(_ expression: ExpressionPlan) -> Result<Value, EvaluationFailure> {
    unsetCapture = nil
    let result = SlotEvaluator(self).evaluate(expression)
    guard let unsetCapture else { return result }
    let capture = capturePlans[ifPresent: unsetCapture]
    return .failure(
      .neverCaptured(
        capture?.name ?? "?", at: capture?.range ?? .none, readAt: expression.origin.range))
  }

  /// Evaluates an expression again and returns every value that it read, in the order of reading.
  func valuesRead(by expression: ExpressionPlan) -> [ReadValue] {
    recording = []
    unsetCapture = nil
    _ = expression.program.evaluate(self)
    defer { recording = nil }
    let addresses = expression.program.addresses
    return (recording ?? []).map { read in
      let address = addresses.first { SlotID($0.slot) == read.slot }?.name
      return ReadValue(slot: read.slot, value: read.value, address: address)
    }
  }
}
