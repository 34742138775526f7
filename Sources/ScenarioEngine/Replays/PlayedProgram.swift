import Values
import World

/// A program of a trace. It does what the recorded program did, when that is due.
final class PlayedProgram: RunningProgram {
  var onEvent: ((ProgramEvent) -> Void)?
  private let recorded: RecordedPrograms.Program
  private unowned let director: ReplayDirector
  private unowned let loop: RunLoop
  private let perform: (RecordedPrograms.Act) -> Void
  /// The times at which the scenario wrote to it, or sent a signal.
  private var sent = RisingTimes()
  private var nextInput = 0
  private var isScheduled = false
  private var isReleased = false
  private var previous: InputSchedule.Before?

  init(
    _ recorded: RecordedPrograms.Program, _ director: ReplayDirector, _ loop: RunLoop,
    _ perform: @escaping (RecordedPrograms.Act) -> Void
  ) {
    self.recorded = recorded
    self.director = director
    self.loop = loop
    self.perform = perform
  }

  /// Sets a timer for the next input, unless the scenario has not yet written what came before it.
  func schedule() {
    guard !isScheduled, !isReleased, nextInput < recorded.inputs.count else { return }
    let input = recorded.inputs[nextInput]
    guard
      let due = InputSchedule.due(
        input.due, recorded: recorded.sent, sent: sent, after: previous)
    else { return }
    isScheduled = true
    director.perform(at: due, position: input.due.position) { [self] in play(input) }
  }

  private func play(_ input: RecordedPrograms.Input) {
    guard !isReleased else { return }
    isScheduled = false
    nextInput += 1
    previous = InputSchedule.Before(recorded: input.due.time, now: loop.now)
    perform(input.act)
    schedule()
  }

  func write(_ bytes: [UInt8]) -> ProgramInput {
    if let end = recorded.closesInputAfter, sent.count >= end { return .closed }
    count()
    return .accepted
  }

  func send(signal: Int) { count() }

  private func count() {
    sent.append(loop.now)
    schedule()
  }

  /// Does nothing: its end comes when it was recorded.
  func closeInput() {}

  /// Does nothing, for the same reason.
  func killAll() {}

  func release() { isReleased = true }

  /// True if the trace has its end, and that has not come yet.
  var willExit: Bool {
    recorded.inputs.dropFirst(nextInput).contains { input in
      if case .exits = input.act { true } else { false }
    }
  }
}
