import Diagnostics
import LiveWorld
import ScenarioPlan
import Values
import VirtualPrograms
import World

extension ScenarioPlan {
  /// Returns a server of a run that has the time of a machine: one that is real, and no program of
  /// the scenario.
  func serverInRealTime(in chosen: WorldOfRun) -> EndpointPlan? {
    guard case .real = chosen.kind else { return nil }
    return endpoints.first { endpoint in
      chosen.realEndpoints?.contains(endpoint.name) != false && endpoint.address?.readsPort == false
    }
  }
}

extension RunWorld {
  private var virtualPrograms: GuardedPrograms? {
    (wall as? EventLoop)?.programClock as? GuardedPrograms
  }

  /// How late the machine was; nil in virtual time.
  var lagOfMachine: Int64? { wall?.isVirtual == false ? wall?.longestLag : nil }

  /// The warnings about what a run of programs in virtual time cannot promise.
  var doubts: [Diagnostic] { virtualPrograms?.doubts.diagnostics ?? [] }

  /// Makes the run begin at the machine's calendar time, as its programs do.
  mutating func readMachineTime() {
    machineTime = virtualPrograms.map { $0.calendar / 1_000 } ?? (calendarClock() - scheduler.now)
  }
}

/// Returns the clock of the programs if they are in virtual time.
func makeVirtualPrograms(
  of plan: ScenarioPlan, seed: Int
) throws(WardenObstacle) -> GuardedPrograms? {
  guard plan.hasVirtualPrograms else { return nil }
  let machine = Timestamp(seconds: Int(calendarClock() / 1_000_000))
  let begin = plan.clock.beginning(
    machine: plan.clock.isMachines(usually: false) ? machine : nil)
  return try GuardedPrograms(
    calendar: Int64(begin.seconds) * 1_000_000_000 + Int64(begin.nanoseconds),
    seed: UInt64(bitPattern: Int64(seed)))
}

extension Diagnostic {
  static func virtualTimeBesideServer(_ endpoint: EndpointPlan) -> Diagnostic {
    Diagnostic(
      "virtual-time-beside-server",
      "the programs have virtual time, and the real `\(endpoint.name)` has not",
      labels: [.init(endpoint.range)],
      help: "use its mock, start it as one of `programs`, or say `--real-time`")
  }
}
