import Events
import World

extension RunInputs {
  /// Makes what disturbs the lines of a run; nil if nothing does, and nobody asks for the places.
  func makeDisturber(_ recorder: EventRecorder, _ world: RunWorld) -> LineDisturber? {
    guard notesPlaces || !options.disturbances.isEmpty else { return nil }
    let disturber = LineDisturber(options.disturbances)
    disturber.onUnread = { [unowned recorder] place in
      recorder.record(.network(.pieceUnread(place)))
    }
    if notesPlaces {
      disturber.onUnreachable = { [unowned recorder] endpoint, connection in
        recorder.record(.network(.unreachable(endpoint: endpoint, connection: connection)))
      }
      disturber.onPiece = {
        [unowned recorder, unowned scheduler = world.scheduler, weak wall = world.wall]
        place, likeness in
        let all = scheduler.dueTimes + (wall?.dueTimesOfPrograms ?? [])
        let timers = all.filter { $0 > scheduler.now }.sorted()
        recorder.record(.network(.pieceSent(place, timers: timers, likeness: likeness)))
      }
    }
    return disturber
  }
}

extension RunParts {
  /// Plans the moments without a network, before anything else is planned, so that they begin
  /// before all that happens at the same time.
  func planOutages() {
    for disturbance in inputs.options.disturbances { planOutage(disturbance) }
  }

  func planOutage(_ disturbance: Disturbance) {
    guard case .offline(let start, let length) = disturbance else { return }
    let end = start.addingReportingOverflow(length)
    setNetwork(isOnline: false, at: start)
    setNetwork(isOnline: true, at: end.overflow ? .max : end.partialValue)
  }

  private func setNetwork(isOnline: Bool, at time: Int64) {
    loop.scheduler.schedule(at: time, phase: .source) { [unowned self] in
      recorder.runJob(causedBy: nil) {
        suppliers.conditions.apply(NetworkSetting(isOnline: isOnline))
      }
    }
  }
}
