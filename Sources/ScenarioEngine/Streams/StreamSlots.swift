import Cancellables
import Events
import Publishers
import ScenarioPlan
import Secrets
import Values
import World

/// The values that the expressions of streams read: the passing value, and the stage.
final class StreamSlots: PlanSlots {
  let run: RunParts
  var matched: Value
  /// The current value of a `scan`, or the error.
  var local: Value
  /// The values of the stream's parameters: its first locals.
  private let arguments: [Value]

  init(
    _ run: RunParts, _ matched: Value = .null, local: Value = .null,
    arguments: [Value] = []
  ) {
    self.run = run
    self.arguments = arguments
    self.matched = matched
    self.local = local
  }

  var secretMask: SecretMask? { run.stage.secretMask }

  func note(computedSecrets: [String], named name: String) {
    run.stage.note(computedSecrets: computedSecrets, named: name)
  }

  func value(of slot: SlotID) -> Value {
    switch run.plan.slots[slot] {
    case .matched: matched
    case .local(let id): id.index < arguments.count ? arguments[id.index] : local
    case .node, .variable, .column, .capture, .now, .eventCount, .events, .lastEvent, .recomputes,
      .address, .port, .temp, .drawn:
      run.stage.value(of: slot, locals: [], branch: .main)
    }
  }
}

/// An expression of a stream, asked for one value after the other.
final class StreamRule {
  private let slots: StreamSlots
  private let expression: ExpressionPlan

  init(_ run: RunParts, _ expression: ExpressionPlan, _ arguments: [Value]) {
    slots = StreamSlots(run, arguments: arguments)
    self.expression = expression
  }

  func callAsFunction(
    _ value: Value, _ local: Value = .null
  ) throws(StreamFailure) -> Value {
    slots.matched = value
    slots.local = local
    return try evaluate(expression, in: slots).mapError(StreamFailure.init).get()
  }

  /// Evaluates it as a condition, which must be true or false.
  func holds(_ value: Value, _ local: Value = .null) throws(StreamFailure) -> Bool {
    slots.matched = value
    slots.local = local
    return try evaluateCondition(expression, in: slots).mapError(StreamFailure.init).get()
  }
}

extension StreamFailure {
  init(_ failure: EvaluationFailure) { self.init(value: ["message": .string(failure.message)]) }
}

/// The world's clock and queue, as publishers see them.
struct RunScheduler: PublisherScheduler {
  let run: RunParts

  /// True: the run keeps the jobs that wait.
  static var keepsJobs: Bool { true }

  init(_ run: RunParts) { self.run = run }

  var now: Int64 { run.loop.scheduler.now }

  @discardableResult
  func schedule(after delay: Int64, _ job: @escaping () -> Void) -> any Cancellable {
    // A stream that starts again without time passing may do so without end.
    if delay <= 0 { _ = run.mayWork(Limits.workOfABeginning) }
    // What a timer sets off is one change. The emitter lives as long as the loop, which runs no job
    // after its end; a reference that is counted would keep both.
    let timer = run.loop.after(delay, phase: .source, of: .client) {
      [unowned(unsafe) emitter = run.emitter] in
      emitter.change(job)
    }
    return RunTimer(run.loop.scheduler, timer)
  }
}

private final class RunTimer: Cancellable {
  private let scheduler: Scheduler
  private let timer: Scheduler.TimerID

  init(_ scheduler: Scheduler, _ timer: Scheduler.TimerID) {
    self.scheduler = scheduler
    self.timer = timer
  }

  func cancel() { scheduler.cancel(timer) }
}
