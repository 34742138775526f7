import Events
import TextSearch
import World

/// The purpose of a run, which decides what drives it and when it ends.
package enum RunRole {
  /// The steps run. They use the endpoints of the world, and Swift objects may play parts.
  case test
  /// Clients that are not ours use the endpoints.
  case served(Service)
  /// The other side of conversations does what a trace has.
  case replayed(Replay)
  /// Nothing runs. Sources emit what a recording has, and what is derived from them is derived
  /// again.
  ///
  /// - Parameter nextPiece: Reads or awaits the next events; nil at the end.
  case judged(Recording, nextPiece: () -> Recording.Piece?)
}

/// The length of serving.
package enum Serving: Sendable {
  case untilStepsEnd
  /// Runs the steps, then serves until somebody stops it. What comes behind them is not judged.
  case untilStopped
  /// Serves until an interruption or a limit. A failure is noted and does not end it.
  case untilInterrupted
}

/// The way that endpoints are served to clients that are not ours.
package struct Service {
  package var length: Serving
  /// Returns what was asked for since it was called last.
  package var takeCommands: () -> [ServingRequest]
  /// Called once clients may connect; its result says whether to go on.
  package var whenReady: () -> Bool

  package init(
    _ length: Serving, takeCommands: @escaping () -> [ServingRequest] = { [] },
    whenReady: @escaping () -> Bool
  ) {
    self.length = length
    self.takeCommands = takeCommands
    self.whenReady = whenReady
  }
}

extension EventLog {
  /// Creates an empty log. A run without an end keeps only the last events.
  package init(of serving: Serving?) {
    self = serving == .untilInterrupted ? EventLog(keeping: Limits.eventsKept) : EventLog()
  }
}

extension RunRole {
  /// A new log of a run in a world. That of a long recording may keep only the last events, too.
  func emptyLog(in world: RunWorld) -> EventLog {
    if case .judged(let recording, _) = self { return EventLog(keeping: recording.eventsKept) }
    return EventLog(of: serving(in: world))
  }
}

extension RunRole {
  /// The trace that is replayed.
  var replay: Replay? {
    if case .replayed(let replay) = self { replay } else { nil }
  }

  var isJudged: Bool {
    if case .judged = self { true } else { false }
  }

  /// True if clients from outside decide what happens, now or in the trace. The clients that the
  /// scenario's own programs are do not.
  var hasClientsOutside: Bool {
    switch self {
    case .served: true
    case .replayed(let replay): replay.trace.visits != nil && replay.trace.programs == nil
    case .test, .judged: false
    }
  }

  /// The length of serving; nil if only the scenario's own clients may connect.
  func serving(in world: RunWorld) -> Serving? {
    switch self {
    case .served(let service): return service.length
    case .replayed(let replay):
      if let visits = replay.trace.visits { return visits.serving }
    case .test, .judged: break
    }
    return world.servesOthers ? .untilStepsEnd : nil
  }
}
