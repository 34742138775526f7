import Events
import ScenarioPlan
import Values
import World

/// A program of a run: performs what its machine decides, and emits what it writes.
final class LiveProgram {
  unowned let programs: LivePrograms
  private var run: RunParts { programs.run }
  let id: ProgramID
  let plan: ProgramPlan
  private var machine: ProgramMachine
  private var process: (any RunningProgram)?
  private var timers: [ProgramMachine.Timer: Scheduler.TimerID] = [:]
  private var probe: ReadinessProbe?
  /// The event of the last line of each pipe, which is the cause of the next one.
  private var lastOutput: EventID?
  private var lastErrors: EventID?
  private var tailOfOutput = LineTail()
  private var tailOfErrors = LineTail()
  private(set) var end: ProgramEnd?
  /// True if its end was reported as a failure.
  private var isReported = false
  /// True if what it does is no event any more.
  private var isSilent = false
  /// Called once at its end.
  private var onEnd: [() -> Void] = []

  init(_ programs: LivePrograms, _ id: ProgramID, _ plan: ProgramPlan) {
    self.programs = programs
    self.id = id
    self.plan = plan
    machine = ProgramMachine(awaitsSign: plan.ready != nil || programs.areReplayed)
  }

  var isOver: Bool { process == nil }
  var isStarting: Bool { process != nil && machine.isStarting }

  /// Starts the program, or fails the scenario.
  func start(from origin: ProgramOrigin) {
    switch (command, origin) {
    case (.failure(let failure), _): run.supervisor.fail(.evaluation(failure, step: nil))
    case (.success, .trace(let director, let recorded)):
      play(recorded.all[id.index], by: director)
    case (.success(let command), .launcher(let launcher)):
      switch launcher.start(command) {
      case .failure(let failure): fail(failure.problem(of: command))
      case .success(let process):
        self.process = process
        process.onEvent = { [unowned self] event in receive(event) }
        awaitReadiness(with: launcher)
      }
    }
  }

  private func awaitReadiness(with launcher: any ProgramLauncher) {
    guard let ready = plan.ready else { return noteReady() }
    perform([.set(.ready)])
    switch ReadinessProbe.target(of: ready.sign, in: ValueReader(run.stage)) {
    case .failure(let failure): run.supervisor.fail(.evaluation(failure, step: nil))
    case .success(nil): break
    case .success(let target?):
      probe = ReadinessProbe(target, launcher, run.loop) { [unowned self] in
        becomeReady()
      }
    }
  }

  private func receive(_ event: ProgramEvent) {
    switch event {
    case .received(let pipe, let bytes): perform(machine.on(.received(pipe, bytes)))
    case .ended(let pipe): perform(machine.on(.ended(pipe)))
    case .exited(let exit): perform(machine.on(.exited(ProgramEnd(exit))))
    }
  }

  private func perform(_ actions: [ProgramMachine.Action]) {
    for action in actions {
      switch action {
      case .take(let pipe, let line): take(line, from: pipe)
      case .set(let timer): set(timer)
      case .cancel(let timer): cancel(timer)
      case .askToStop: askToStop()
      case .closeInput: process?.closeInput()
      case .killAll: process?.killAll()
      case .finish(let end): finish(end)
      case .fail(let problem): report(problem)
      }
    }
  }

  private func askToStop() {
    process?.send(signal: plan.stop.signal.number)
    if !isSilent { run.taps?.observe(.signalled(plan.stop.signal.name, id)) }
  }

  private func becomeReady() {
    guard machine.isStarting else { return }
    noteReady()
    perform(machine.on(.isReady))
  }

  private func noteReady() { run.taps?.observe(.ready(id)) }

  private func set(_ timer: ProgramMachine.Timer) {
    cancel(timer)
    let length =
      switch timer {
      case .ready: plan.ready?.timeout ?? 0
      case .input: plan.stop.timeout / 2
      case .stop: plan.stop.timeout
      case .output: LiveProgram.outputGracePeriod
      }
    timers[timer] = run.loop.scheduler.schedule(after: length, phase: .source) { [weak self] in
      guard let self else { return }
      timers[timer] = nil
      self.run.recorder.runJob(causedBy: nil) { self.perform(self.machine.on(.timedOut(timer))) }
    }
  }

  private func cancel(_ timer: ProgramMachine.Timer) {
    if timer == .ready { probe = nil }
    if let running = timers.removeValue(forKey: timer) { run.loop.cancel(running) }
  }

  /// The time in which the last output arrives after the end of a program. A process that it left
  /// may hold the pipe open for ever.
  private static let outputGracePeriod: Microseconds = 500_000

  func invalidate() {
    for timer in ProgramMachine.Timer.allCases { cancel(timer) }
    process?.release()
    process = nil
    onEnd = []
  }
}

// What it writes.
extension LiveProgram {
  private func take(_ line: [UInt8], from pipe: ProgramPipe) {
    let value = ProgramLine.value(of: line)
    let isOfOutput = pipe == .output && source(of: value).source == plan.lines
    if isOfOutput, isReadyLine(value) {
      tailOfOutput.append(value)
      return becomeReady()
    }
    take(value, from: pipe)
  }

  private func take(_ value: Value, from pipe: ProgramPipe) {
    switch pipe {
    case .output:
      tailOfOutput.append(value)
      let source = self.source(of: value)
      emit(source.source, source.value, after: &lastOutput)
    case .errors:
      tailOfErrors.append(value)
      emit(plan.errors, value, after: &lastErrors)
    }
  }

  private func emit(_ source: SourceID, _ value: Value, after last: inout EventID?) {
    guard !isSilent else { return }
    let recorder = run.recorder
    recorder.runJob(causedBy: last) {
      last = run.emitter.emit(source, value) ?? last
    }
  }

  /// Returns the source that a line feeds, and the value that it emits.
  private func source(of value: Value) -> (source: SourceID, value: Value) {
    guard case .map(let map) = value, case .string(let name)? = map["source"],
      let declared = plan.sources.first(where: { $0.name == name })
    else { return (plan.lines, value) }
    return (declared.source, map["value"] ?? .null)
  }

  private func isReadyLine(_ value: Value) -> Bool {
    guard machine.isStarting, case .line(let matcher, let reads)? = plan.ready?.sign else {
      return false
    }
    let values = reads.map { run.stage.value(of: $0, locals: [], branch: .main) }
    return run.judge.difference(of: value, from: matcher, reads: reads, values: values) == nil
  }
}

// What it did in a trace.
extension LiveProgram {
  private func play(_ recorded: RecordedPrograms.Program, by director: ReplayDirector) {
    guard recorded.isStarted else {
      return fail(
        .notStarted(
          message: "the trace says that `\(plan.name)` could not be started",
          help: "correct the reason, and record the scenario again"))
    }
    let played = PlayedProgram(recorded, director, run.loop) { [unowned self] act in
      perform(act)
    }
    process = played
    if plan.ready != nil { perform([.set(.ready)]) }
    played.schedule()
  }

  private func perform(_ act: RecordedPrograms.Act) {
    switch act {
    case .becomesReady: becomeReady()
    case .writes(let value, let pipe): take(value, from: pipe)
    case .writesTooLong: report(.lineTooLong)
    case .exitsBeforeReady(let end): perform(machine.on(.exited(end)))
    case .exits(let end):
      for input in [ProgramMachine.Input.ended(.output), .ended(.errors), .exited(end)] {
        perform(machine.on(input))
      }
    }
  }
}

// What the scenario does with it.
extension LiveProgram {
  /// Writes a line to its standard input. Returns the problem if that is impossible.
  func write(_ value: Value) -> ProgramProblem.Kind? {
    if let end { return .usedAfterExit(end) }
    let text = if case .string(let text) = value { text } else { value.json() }
    switch process?.write(Array(text.utf8) + [UInt8(ascii: "\n")]) {
    case .accepted:
      run.taps?.observe(.wrote(text, to: id))
      return nil
    case .closed, nil: return .inputClosed
    case .full: return .inputFull(most: maximumProgramInput)
    }
  }

  func send(signal number: Int) { process?.send(signal: number) }

  /// Asks the program to end, and calls back at its end.
  func stop(_ completion: @escaping () -> Void) {
    onEnd.append(completion)
    perform(machine.on(.stopRequested))
  }

  func stopSilently() {
    isSilent = true
    guard process != nil else { return }
    if programs.areReplayed { return invalidate() }
    perform(machine.on(.stopRequested))
  }

  private func finish(_ end: ProgramEnd) {
    self.end = end
    process?.release()
    process = nil
    if !isSilent {
      run.recorder.runJob(causedBy: lastOutput ?? lastErrors) {
        _ = run.emitter.emit(plan.exit, end.value)
      }
    }
    let waiting = onEnd
    onEnd = []
    for completion in waiting { completion() }
  }

  /// Fails the scenario if the program ended with an error, and neither a step asked for its end
  /// nor an assertion is about it.
  func reportUnexpectedExit() {
    guard let end, !end.isSuccess, !machine.isStopRequested, !isReported,
      !run.plan.asksForExit(of: plan)
    else { return }
    isReported = true
    run.supervisor.fail(.program(problem(.exited(end))))
  }

  /// True if the program may be about to end by itself. Only a server that is still at its pipes is
  /// not.
  var mayBeEnding: Bool {
    guard !isOver else { return false }
    if let played = process as? PlayedProgram { return played.willExit }
    return plan.ready == nil || machine.hasClosedPipe
  }

  /// True if it has ended, and the last of its output is under way.
  var isEnding: Bool { !isOver && machine.hasExited }

  func problem(_ kind: ProgramProblem.Kind, step: StepReference? = nil) -> ProgramProblem {
    ProgramProblem(
      kind, of: id, step: step, lines: tailOfOutput.lines, errors: tailOfErrors.lines)
  }

  /// True if the program ended by itself, and no assertion is about its end.
  var endedUnasked: Bool {
    end != nil && !machine.isStopRequested && !run.plan.asksForExit(of: plan)
  }

  private func fail(_ kind: ProgramProblem.Kind) {
    isReported = true
    guard !isSilent else { return }
    run.supervisor.fail(.program(problem(kind)))
  }

  private func report(_ problem: ProgramMachine.Problem) {
    switch problem {
    case .exitedBeforeReady(let end): fail(.exitedBeforeReady(end))
    case .notReady: fail(.notReady(within: plan.ready?.timeout ?? 0))
    case .lineTooLong: fail(.lineTooLong(most: Limits.bytesInLine))
    }
  }

  private var command: Result<ProgramCommand, EvaluationFailure> {
    do {
      let reader = ValueReader(run.stage)
      let text = { (data: DataPlan) in try evaluate(data, in: reader).get().programText }
      let folder = try plan.folder.map(text) ?? "."
      let place = resolve(folder, in: plan.folderOfFile)
      return .success(
        ProgramCommand(
          arguments: try plan.run.map(text),
          environment: try plan.environment.map { ($0.name, try text($0.value)) }, folder: place))
    } catch let failure as EvaluationFailure {
      return .failure(failure)
    } catch {
      return .failure(EvaluationFailure(range: plan.range, message: "\(error)"))
    }
  }
}

extension Value {
  /// The value as an argument or a variable of the environment.
  fileprivate var programText: String { if case .string(let text) = self { text } else { json() } }
}

extension ScenarioPlan {
  /// Returns whether an assertion is about the end of a program.
  fileprivate func asksForExit(of program: ProgramPlan) -> Bool {
    if isUnasked.isEmpty || !isUnasked[program.exit] { return true }
    return assertions.contains { assertion in
      assertion.reads.contains { slot in
        if case .lastEvent(program.exit) = slots[slot] { true } else { false }
      }
    }
  }
}
