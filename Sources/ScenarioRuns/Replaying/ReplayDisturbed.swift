import Diagnostics
import Events
import ScenarioEngine
import ScenarioPlan
import TraceRecording
import Traces
import Values
import Verdicts
import World

/// The replay of a run in which something went wrong on purpose. It is judged as such a run is: by
/// its end, compared with that of a run in which nothing goes wrong.
///
/// What went wrong with a piece is in the trace, since inputs are recorded as our side received
/// them. A moment without a network happens again.
struct DisturbedReplay {
  private let rehearsal: SweepRehearsal
  private let disturbances: [Disturbance]
  private let sources: SourceMap
  private let run: Rehearsal<SweepJudge>

  /// Nil if nothing went wrong on purpose, or the run was in real time.
  ///
  /// - Parameter recorders: What writes the lines of the replay.
  init?(
    _ plan: ScenarioPlan, _ header: TraceHeader, _ inputs: RunInputs, _ sources: SourceMap,
    recorders: [RunRecorder]
  ) {
    let recorded = header.disturbances
    disturbances = recorded.isEmpty ? plan.disturbances : recorded
    // A run in real time would be repeated with its programs or servers, which a replay never asks.
    if disturbances.isEmpty || header.isVirtual != true { return nil }
    var undisturbed = inputs
    undisturbed.options.disturbances = []
    self.sources = sources
    rehearsal = SweepRehearsal(SharedPlan(plan), undisturbed, sources, nil, in: .mock)
    let plan = rehearsal.relaxed.plan
    var inputs = inputs
    inputs.options.disturbances = disturbances.filter {
      if case .offline = $0 { true } else { false }
    }
    run = Rehearsal(
      of: rehearsal.relaxed, inputs: inputs,
      judge: SweepJudge(
        rehearsal.relaxed, rehearsal.awaited, settles: rehearsal.settles,
        .disturbed(plan, good: rehearsal.end)),
      hiding: OutsideParties(), recorders: recorders, watching: rehearsal.rules)
  }

  /// Plays a trace again, or its events, and returns everything that happened.
  func log(as role: RunRole) -> EventLog { run.run(as: role) }

  func verdict(on log: EventLog) -> Verdict {
    rehearsal.obstacle(to: disturbances)
      ?? rehearsal.verdict(on: log, run.end(of: log, in: sources), with: disturbances)
  }
}

extension TraceHeader {
  /// The intended disturbances.
  fileprivate var disturbances: [Disturbance] {
    guard case .list(let names)? = options[.string(RunFacts.disturbances)] else { return [] }
    return names.compactMap { Disturbance(name: $0.plainText) }
  }
}
