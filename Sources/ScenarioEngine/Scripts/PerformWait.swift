import Events
import ScenarioPlan
import Values
import World

extension ScriptRun {
  /// Performs a `wait`. In the scenario it ends after all jobs that are due by then.
  func wait(_ duration: DurationPlan?) -> Flow {
    guard let duration else {
      if case .conversation(let conversation) = role { conversation.giveUpResuming() }
      return .waits
    }
    switch evaluate(duration, in: self) {
    case .failure(let failure): return .fails(scriptFailure(failure))
    case .success(let length): return wait(length)
    }
  }

  func wait(_ duration: Microseconds) -> Flow {
    let phase: Scheduler.Phase = isMainScript ? .assertion : .source
    let side: Scheduler.Side = action == nil ? .world : .client
    let timer = run.loop.after(duration, phase: phase, of: side) {
      self.onCancel = nil
      if phase == .assertion { self.run.loop.whenSettled { self.resume() } } else { self.resume() }
    }
    onCancel = { [run] in run.loop.cancel(timer) }
    return .waits
  }

  /// Lets the client's machine sleep, and goes on when it has woken and all that waited has come.
  func suspend(_ duration: DurationPlan, _ timersAreDue: Bool) -> Flow {
    switch evaluate(duration, in: self) {
    case .failure(let failure): return .fails(scriptFailure(failure))
    case .success(let length):
      run.suspend(for: length, timersAreDue: timersAreDue)
      return wait(length)
    }
  }
}

extension RunParts {
  /// Lets reactors, streams, connections, providers and programs stand still. Mocks go on.
  func suspend(for length: Microseconds, timersAreDue: Bool) {
    programs?.stopWork()
    loop.scheduler.sleep(for: length, timersAreDue: timersAreDue) { [unowned self] in
      world.wall?.wakePrograms(after: length, timersAreDue: timersAreDue)
      programs?.goOn()
    }
  }
}

extension RunParts {
  /// Lets the client's machine sleep as a disturbance, unless it sleeps already. A process that is
  /// stopped in real time cannot keep its timers.
  func sleep(for length: Microseconds) {
    guard loop.scheduler.wakesAt == nil else { return }
    suspend(for: length, timersAreDue: !plan.programs.isEmpty && loop.isInRealTime)
  }
}

extension LivePrograms {
  /// Stops processes in real time. In virtual time, nothing reaches them and their clock stands.
  func stopWork() {
    if run.loop.wall?.isVirtual == false { signal(19) }
  }

  func goOn() {
    if run.loop.wall?.isVirtual == false { signal(18) }
  }
}
