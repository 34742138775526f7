import Events
import Values

/// The limits of one run, and what is left of them.
///
/// Everything that could go on without end is counted here, and nowhere else. A budget only counts:
/// its caller decides what to do about a limit that is reached.
final class RunBudget {
  /// The answer to something that was counted.
  enum Charge: Equatable {
    case granted
    /// Enough was done since the last time to see whether somebody wants the run to end.
    case grantedAndDue
    case exceeded(LimitReached)
  }

  /// A run without an end may log any number of events.
  private let isEndless: Bool
  private let jobs: Int
  private let steps: Int
  @exclusivity(unchecked) private var jobsLeft: Int
  @exclusivity(unchecked) private var stepsLeft: Int
  /// The work since the clock moved last, or since the last step began.
  @exclusivity(unchecked) private var instant = Instant()
  /// The events since then, and what led to them.
  @exclusivity(unchecked) private var chains = CauseChains()
  /// The number of events that the log did not keep.
  @exclusivity(unchecked) private var eventsNotKept = 0
  /// Roughly what the log takes.
  @exclusivity(unchecked) private var bytesInLog = 0
  @exclusivity(unchecked) private var workSincePoll = 0
  private var mostEvents = Limits.eventsPerRun
  /// The most bytes in the log.
  private var mostBytes: Int

  init(
    isEndless: Bool, jobs: Int = Limits.jobsPerRun, steps: Int = Limits.stepsPerRun,
    logLimit: Int = Limits.bytesInLog
  ) {
    self.isEndless = isEndless
    self.jobs = jobs
    self.steps = steps
    jobsLeft = jobs
    stepsLeft = steps
    mostBytes = logLimit
  }

  /// Starts jobs and steps from their full number: a run without an end may do any number of
  /// things, as long as it comes to rest in between.
  func reset() {
    jobsLeft = jobs
    stepsLeft = steps
  }

  /// Starts the budget of `finally`, which runs even if the steps have used up theirs.
  func beginFinally(after events: Int) {
    reset()
    instant = Instant()
    mostEvents = max(mostEvents, events + Limits.eventsOfFinally)
    mostBytes = max(mostBytes, bytesInLog + Limits.bytesOfFinally)
  }

  /// Counts a job of the scheduler.
  func spendJob() -> Charge {
    jobsLeft -= 1
    return charge(jobsLeft, .jobs)
  }

  /// Counts a step, or a turn of a loop without any.
  func spendStep() -> Charge {
    stepsLeft -= 1
    return charge(stepsLeft, .steps)
  }

  private func charge(_ left: Int, _ limit: LimitReached) -> Charge {
    if left <= 0 { return .exceeded(limit) }
    return left % Limits.workBetweenPolls == 0 ? .grantedAndDue : .granted
  }

  /// Counts values that a stream sets out to play or to ask others for.
  func spendStreamWork(_ count: Int, at now: Microseconds) -> Charge {
    if instant.time != now { instant = Instant(time: now) }
    instant.streamWork += count
    jobsLeft -= count * Limits.jobsOfStreamWork
    workSincePoll += count
    if instant.streamWork > Limits.streamWorkAtOneInstant { return .exceeded(.streamWork) }
    if jobsLeft <= 0 { return .exceeded(.jobs) }
    guard workSincePoll > Limits.workBetweenPolls else { return .granted }
    workSincePoll = 0
    return .grantedAndDue
  }

  /// Counts an event that was logged; the limit it reaches, if it does. An event that the log does
  /// not keep for long takes no room.
  func count(_ event: borrowing Event, isKept: Bool = true) -> LimitReached? {
    if event.time != instant.time || event.beginsStep { beginInstant(with: event) }
    let isLoop = chains.isLoop(with: event)
    guard isKept else {
      eventsNotKept += 1
      return isLoop ? .eventsInOneChain : nil
    }
    bytesInLog += Limits.bytesOfEvent
    let limit = isLoop ? .eventsInOneChain : weigh(event)
    let isLast = event.sequence.index - eventsNotKept == mostEvents
    return isLast && !isEndless ? .events : limit
  }

  private func beginInstant(with event: borrowing Event) {
    instant = Instant(time: event.time)
    chains.begin(with: event)
  }

  private func weigh(_ event: borrowing Event) -> LimitReached? {
    switch event.kind {
    case .source(.emitted(_, let value)), .assertion(.snapshotTaken(_, _, _, let value)),
      .script(.logged(_, let value)):
      return weigh(value)
    case .source(.finished(_, let error)): return weigh(error ?? .null)
    case .assertion(.exchanged(_, _, let exchange, _)): return addToLog(roughSize(exchange))
    case .assertion(.invariantsSampled(let samples)):
      // The values themselves are those of sources, which count already.
      return addToLog(samples.reduce(0) { $0 + 64 + 16 * $1.reads.count })
    case .network(.driftObserved(let observation)): return addToLog(roughSize(observation))
    case .run, .source, .script, .assertion, .network: return nil
    }
  }

  private func weigh(_ value: Value) -> LimitReached? {
    addToLog(roughSize(value))
  }

  private func addToLog(_ bytes: Int) -> LimitReached? {
    bytesInLog += bytes
    return bytesInLog > mostBytes && !isEndless ? .bytesInLog(mostBytes) : nil
  }
}

extension Event {
  fileprivate var beginsStep: Bool {
    if case .script(.stepBegan) = kind { true } else { false }
  }
}

/// A bound of a run that something reached.
enum LimitReached: Equatable {
  case events, eventsInOneChain, jobs, steps, streamWork
  /// The most bytes that the log may take.
  case bytesInLog(Int)
}

/// The stream work since the clock moved last or the last step began.
private struct Instant {
  var time: Microseconds = 0
  var streamWork = 0
}

/// The chains of causes within one instant.
///
/// Each event is one longer than the one that led to it. A loop makes a chain that grows and grows;
/// a burst of arrivals makes many short ones.
private struct CauseChains {
  /// The place in the log of the instant's first event.
  private var first = 0
  /// The length of the chain that ends with each event of the instant.
  private var lengths: [Int32] = []
  /// The number of events far down in their chains.
  private var deepEvents = 0

  mutating func begin(with event: borrowing Event) {
    first = event.sequence.index
    lengths.removeAll(keepingCapacity: true)
    deepEvents = 0
  }

  /// Adds an event; true if its chain, or the events far down in all chains, reach the limit. What
  /// doubles with each link is as endless as what goes in a circle.
  mutating func isLoop(with event: borrowing Event) -> Bool {
    let length = length(of: event)
    if length > Limits.deepInChain { deepEvents += 1 }
    return length == Limits.eventsInOneChain || deepEvents == Limits.eventsInOneChain
  }

  /// Adds an event, and returns the number of events in its chain.
  private mutating func length(of event: borrowing Event) -> Int {
    let cause = event.cause.map { $0.index - first } ?? -1
    let length = lengths.indices.contains(cause) ? lengths[cause] + 1 : 1
    lengths.append(length)
    return Int(length)
  }
}
