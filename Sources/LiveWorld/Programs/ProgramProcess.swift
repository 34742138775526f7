import CLinux
import Glibc
import World

/// The processes of a program, and the pipes to them.
final class ProgramProcess: RunningProgram {
  var onEvent: ((ProgramEvent) -> Void)?

  private let loop: EventLoop
  /// The process that ends the program with this one; 0 if the starter does that itself.
  private let guardProcess: pid_t
  /// The descriptors; -1 once they are closed.
  private var control: Int32
  private var input: Int32
  private var output: Int32
  private var errors: Int32
  /// Bytes for the standard input that the pipe has no room for.
  private var waiting: ArraySlice<UInt8> = []
  private var hasExited = false
  private var isAwake = Set<Int32>()

  init(_ started: clinux_program, on loop: EventLoop) {
    self.loop = loop
    guardProcess = started.guard
    control = started.control
    input = started.input
    output = started.output
    errors = started.errors
  }

  deinit { release() }

  /// Starts to watch the pipes; false if the system has no room for it.
  func watch() -> Bool {
    if guardProcess > 0 { loop.watch(programOf: guardProcess) }
    return loop.watch(output) { [weak self] _ in self?.wake(.output) }
      && loop.watch(errors) { [weak self] _ in self?.wake(.errors) }
      && loop.watch(control) { [weak self] _ in self?.wakeControl() }
      && loop.watch(input) { [weak self] _ in self?.wakeInput() }
  }

  func release() {
    onEvent = nil
    close(&input)
    close(&output)
    close(&errors)
    loop.stopWatching(programOf: guardProcess)
    guard control >= 0 else { return }
    // The guard ends everything before it ends itself.
    close(&control)
    guard guardProcess > 0 else { return }
    var status: Int32 = 0
    while waitpid(guardProcess, &status, 0) < 0, errno == EINTR {}
  }

  private func close(_ descriptor: inout Int32) {
    guard descriptor >= 0 else { return }
    loop.stopWatching(descriptor)
    _ = Glibc.close(descriptor)
    descriptor = -1
  }

  /// Does something after a while. Time passes between two reads, so that a program that never
  /// stops writing stops no clock.
  private func later(after delay: Int64 = 1, _ job: @escaping (ProgramProcess) -> Void) {
    loop.scheduler.schedule(after: loop.isVirtual ? 0 : delay, phase: .source) { [weak self] in
      if let self { job(self) }
    }
  }
}

// What the program writes.
extension ProgramProcess {
  private func descriptor(of pipe: ProgramPipe) -> Int32 {
    switch pipe {
    case .output: output
    case .errors: errors
    }
  }

  /// The bytes of one read after which the scenario's script has its turn before the next read.
  private static let bytesOfBurst = 4_096

  private func wake(_ pipe: ProgramPipe, after delay: Int64 = 1) {
    let descriptor = descriptor(of: pipe)
    guard descriptor >= 0, isAwake.insert(descriptor).inserted else { return }
    later(after: delay) { process in
      process.isAwake.remove(descriptor)
      process.read(pipe)
    }
  }

  private func read(_ pipe: ProgramPipe) {
    let descriptor = descriptor(of: pipe)
    guard descriptor >= 0 else { return }
    let (count, problem, bytes) = loop.received.readPipe(descriptor)
    if count > 0 {
      onEvent?(.received(pipe, bytes))
      wake(pipe, after: count < ProgramProcess.bytesOfBurst ? 1 : loop.pauseAfterBurst)
    } else if count == 0 || (problem != EAGAIN && problem != EINTR) {
      end(pipe)
    } else if problem == EINTR {
      wake(pipe)
    }
  }

  private func end(_ pipe: ProgramPipe) {
    switch pipe {
    case .output: close(&output)
    case .errors: close(&errors)
    }
    onEvent?(.ended(pipe))
  }
}

// What the guard reports, and what it is asked for.
extension ProgramProcess {
  private func wakeControl() {
    let descriptor = control
    guard descriptor >= 0, isAwake.insert(descriptor).inserted else { return }
    later { process in
      process.isAwake.remove(descriptor)
      process.readReports()
    }
  }

  private func readReports() {
    while control >= 0 {
      var report = clinux_program_report()
      let count = recv(control, &report, MemoryLayout<clinux_program_report>.size, 0)
      if count < 0, errno == EINTR { continue }
      if count < 0 { return }
      // A guard that is gone without a report was killed, and the program with it.
      guard count > 0 else { return exit(.signal(Int(SIGKILL))) }
      switch Int(report.kind) {
      case clinux_program_exited: exit(.code(Int(report.value)))
      case clinux_program_signalled: exit(.signal(Int(report.value)))
      default: break
      }
      if hasExited { return }
    }
  }

  private func exit(_ exit: ProgramExit) {
    guard !hasExited else { return }
    hasExited = true
    onEvent?(.exited(exit))
  }

  func send(signal: Int) { command(UInt8(truncatingIfNeeded: signal)) }

  func killAll() { command(UInt8(clinux_program_kill_all)) }

  private func command(_ command: UInt8) {
    guard control >= 0 else { return }
    var command = command
    _ = Glibc.send(control, &command, 1, Int32(MSG_NOSIGNAL))
  }
}

// What the program reads.
extension ProgramProcess {
  func write(_ bytes: [UInt8]) -> ProgramInput {
    guard input >= 0 else { return .closed }
    guard waiting.count + bytes.count <= maximumProgramInput else { return .full }
    waiting += bytes
    writeWaiting()
    return input >= 0 ? .accepted : .closed
  }

  private func writeWaiting() {
    while !waiting.isEmpty, input >= 0 {
      loop.willAct()
      let count = waiting.withUnsafeBytes {
        clinux_write_quietly(input, $0.baseAddress, UInt($0.count))
      }
      if count > 0 {
        waiting.removeFirst(count)
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        closeInput()
      }
    }
  }

  func closeInput() {
    waiting = []
    close(&input)
  }

  private func wakeInput() {
    guard input >= 0, !waiting.isEmpty else { return }
    later { $0.writeWaiting() }
  }
}
