import Events
import ScenarioPlan
import World

/// Bounds that keep a scenario from running for ever; reaching one is reported by name.
package enum Limits {
  /// Entries of one run's log.
  package static let eventsPerRun = 1_000_000
  /// The fewest events that a run without an end keeps, so that failures can show their causes.
  static let eventsKept = 2_000
  /// Events that may lead to one another, one after the other, without time passing. Events that
  /// arrive side by side are no loop, however many they are.
  package static let eventsInOneChain = 100_000
  /// The length of a chain of causes from which on all its events count as one chain.
  static let deepInChain = 16
  /// Values that streams may set out to play, or ask others for, without time passing.
  package static let streamWorkAtOneInstant = 1_000_000
  /// The cost of one such value in jobs of the run.
  static let jobsOfStreamWork = 10
  /// The cost of a stream's timer that is due at once, in values.
  static let workOfABeginning = 10
  /// The most memory that a log may take, roughly and as if its values shared no parts.
  package static let bytesInLog = 256_000_000
  /// The part of it that each event takes beside its value.
  static let bytesOfEvent = 100
  /// Actions of reactors under way at the same time.
  package static let actionsAtOnce = 100_000
  /// Groups that the `groupBy` of all streams keep at the same time.
  package static let groupsAtOnce = 10_000
  /// The bytes of one line of a program.
  package static let bytesInLine = 16 << 20
  /// Connections between clients and endpoints that are open at the same time.
  package static let connectionsAtOnce = PlanLimit.connections
  /// Entries of the log that `finally` may add after a limit was reached.
  static let eventsOfFinally = 100_000
  /// The memory of values that `finally` may add to a log that is full.
  static let bytesOfFinally = 100_000_000
  /// Jobs of one run, which bounds how many timers can fire while a script waits.
  package static let jobsPerRun = 20_000_000
  /// Steps of one run, in all its scripts.
  package static let stepsPerRun = 10_000_000
  /// The steps, jobs or values of streams after which a run asks again whether it is interrupted.
  static let workBetweenPolls = 256
}

extension RunProblem {
  /// A limit that was reached; `lastSources` are the names of what emitted lately.
  init(_ limit: LimitReached, lastSources: () -> [String]) {
    switch limit {
    case .events: self = .eventsExhausted
    case .eventsInOneChain: self = .eventsWithoutEnd(lastSources())
    case .bytesInLog(let most): self = .logIsFull(most)
    case .jobs: self = .jobsExhausted
    case .steps: self = .stepsExhausted
    case .streamWork: self = .streamsWithoutEnd
    }
  }

  static let eventsExhausted = RunProblem.limit(
    name: "events-per-run", value: Limits.eventsPerRun,
    message: "a run logs at most this many events")
  /// Things set each other off; the names are those of the last events.
  static func eventsWithoutEnd(_ names: [String]) -> RunProblem {
    let known = names.map { "`\($0)`" }.joined(separator: ", ")
    return .limit(
      name: "events-in-one-chain", value: Limits.eventsInOneChain,
      message: "what happens at one instant keeps causing more; the last events were of \(known)")
  }

  static let streamsWithoutEnd = RunProblem.limit(
    name: "stream-values-at-one-instant", value: Limits.streamWorkAtOneInstant,
    message: "streams make more and more values at one instant")
  /// The log has reached its size, which is that of the run's inputs.
  static func logIsFull(_ most: Int) -> RunProblem {
    .limit(
      name: "bytes-in-log", value: most,
      message: "a run logs at most this much, unless `--log-limit` allows more; does a value keep "
        + "growing?")
  }
  static let tooManyActions = RunProblem.limit(
    name: "actions-at-once", value: Limits.actionsAtOnce,
    message: "at most this many actions are under way at once; does an action send itself?")
  static let tooManyGroups = RunProblem.limit(
    name: "groups-at-once", value: Limits.groupsAtOnce,
    message: "the streams with `groupBy` keep at most this many groups at once; is each key new?")
  static let tooManyConnections = RunProblem.limit(
    name: "connections-at-once", value: Limits.connectionsAtOnce,
    message: "at most this many connections are open at once")
  static let jobsExhausted = RunProblem.limit(
    name: "jobs-per-run", value: Limits.jobsPerRun,
    message: "a run does at most this many things; is something repeating without end?")
  static let stepsExhausted = RunProblem.limit(
    name: "steps-per-run", value: Limits.stepsPerRun,
    message: "a run takes at most this many steps")
  static let instantNeverEnds = RunProblem.limit(
    name: "jobs-at-one-instant", value: Scheduler.maximumJobsAtOneInstant,
    message: "what happens at one instant kept causing more at the same instant")
  static let queueIsFull = RunProblem.limit(
    name: "queued-jobs", value: Scheduler.maximumQueuedJobs,
    message: "at most this many things may be due at once")
}
