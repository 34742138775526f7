import Events
import Values
import World

/// The life of a program: what its bytes, its end and the passing of time lead to.
struct ProgramMachine {
  enum Input {
    case received(ProgramPipe, [UInt8])
    case ended(ProgramPipe)
    case exited(ProgramEnd)
    case timedOut(Timer)
    /// The sign of readiness was seen.
    case isReady
    /// The scenario wants the program to end.
    case stopRequested
  }

  enum Action: Equatable {
    case take(ProgramPipe, [UInt8])
    case set(Timer)
    case cancel(Timer)
    case askToStop
    case closeInput
    case killAll
    /// The program is over, and everything that it wrote was taken.
    case finish(ProgramEnd)
    case fail(Problem)
  }

  enum Timer: Int, CaseIterable {
    /// The limit of becoming ready.
    case ready
    /// The time after which a program that was asked to end gets no more input. One that waits for
    /// input may have missed the signal: it came just before the program began to wait.
    case input
    /// The time that a program has to end.
    case stop
    /// The time in which the last output arrives after the end.
    case output
  }

  enum Problem: Equatable {
    case exitedBeforeReady(ProgramEnd)
    case notReady
    case lineTooLong
  }

  private enum Phase: Equatable {
    case starting
    case running
    case stopping
    /// The program has ended, and a process that it left may still write.
    case exited(ProgramEnd, killed: Bool)
    case over
  }

  private var phase: Phase
  private var openPipes = 2
  private var output = LineSplitter(atMost: Limits.bytesInLine)
  private var errors = LineSplitter(atMost: Limits.bytesInLine)
  /// True if the scenario wanted the end.
  private(set) var isStopRequested = false

  init(awaitsSign: Bool) { phase = awaitsSign ? .starting : .running }

  var isStarting: Bool { phase == .starting }
  var isOver: Bool { phase == .over }

  /// True if the program has ended, and a process that it left holds its output.
  var hasExited: Bool { if case .exited = phase { true } else { false } }

  /// True if it has closed its output or the errors.
  var hasClosedPipe: Bool { openPipes < 2 }

  mutating func on(_ input: Input) -> [Action] {
    switch input {
    case .received(.output, let bytes): lines(output.take(bytes), .output)
    case .received(.errors, let bytes): lines(errors.take(bytes), .errors)
    case .ended(let pipe): ended(pipe)
    case .exited(let end): exited(end)
    case .timedOut(let timer): timedOut(timer)
    case .isReady: becameReady()
    case .stopRequested: stop()
    }
  }

  private func lines(_ pieces: [LineSplitter.Piece], _ pipe: ProgramPipe) -> [Action] {
    pieces.map { piece in
      switch piece {
      case .line(let bytes): .take(pipe, bytes)
      case .tooLong: .fail(.lineTooLong)
      }
    }
  }

  private mutating func becameReady() -> [Action] {
    guard phase == .starting else { return [] }
    phase = .running
    return [.cancel(.ready)]
  }

  private mutating func stop() -> [Action] {
    isStopRequested = true
    switch phase {
    case .starting, .running:
      phase = .stopping
      return [.cancel(.ready), .askToStop, .set(.input), .set(.stop)]
    case .stopping, .exited, .over: return []
    }
  }

  private mutating func ended(_ pipe: ProgramPipe) -> [Action] {
    openPipes -= 1
    let rest =
      switch pipe {
      case .output: output.finish()
      case .errors: errors.finish()
      }
    let last = lines(rest, pipe)
    guard openPipes == 0, case .exited(let end, _) = phase else { return last }
    return last + finish(end)
  }

  private mutating func exited(_ end: ProgramEnd) -> [Action] {
    let early: [Action] = phase == .starting ? [.fail(.exitedBeforeReady(end))] : []
    phase = .exited(end, killed: false)
    let actions: [Action] = [.cancel(.ready), .cancel(.input), .cancel(.stop)]
    if openPipes == 0 { return actions + finish(end) + early }
    return actions + [.set(.output)] + early
  }

  private mutating func timedOut(_ timer: Timer) -> [Action] {
    switch (timer, phase) {
    case (.ready, .starting): return [.fail(.notReady)]
    case (.input, .stopping): return [.closeInput]
    case (.stop, .stopping): return [.killAll]
    case (.output, .exited(let end, killed: false)):
      // A process that the program left holds the pipe open.
      phase = .exited(end, killed: true)
      return [.killAll, .set(.output)]
    case (.output, .exited(let end, killed: true)): return finish(end)
    case (.ready, _), (.input, _), (.stop, _), (.output, _): return []
    }
  }

  private mutating func finish(_ end: ProgramEnd) -> [Action] {
    phase = .over
    return [.cancel(.output), .finish(end)]
  }
}
