import Events
import ScenarioPlan
import Values

/// The extra time of a disturbed run beyond the time that it has to recover: programs act in real
/// time, and a busy machine is slow.
///
/// A program that ends without the disturbance must end with it. A longer wait makes no difference
/// to one that hangs, and does justice to one that is slow.
package struct SweepPatience: Sendable {
  /// The reason to wait.
  private enum Wait: Sendable {
    /// A run in which nothing goes wrong shows which programs end by themselves.
    case forAllEnds
    /// A disturbed run.
    case forEnds(of: Set<ProgramID>)
  }

  private let wait: Wait
  /// Takes each event until the run has come to the place of its disturbance, and returns whether
  /// it has; nil if nobody waits for that.
  private var hasReachedPlace: (@Sendable (Event) -> Bool)?
  private let exits: [SourceID: ProgramID]
  private var running: Set<ProgramID> = []
  /// The programs that others wait for, which mostly run until they are stopped.
  private let servers: Set<ProgramID>
  /// The time that the disturbances take, in which nothing can recover.
  package var extraTime: Microseconds = 0
  /// The ends of the programs that ended before the run did.
  package private(set) var ends: [ProgramID: ProgramEnd] = [:]

  /// The time in which a program ends after its last line, if it does. Interpreters take a while.
  private static let timeOfEnding: Microseconds = 1_000_000

  private init(
    _ plan: ScenarioPlan, _ wait: Wait, hasReachedPlace: (@Sendable (Event) -> Bool)? = nil
  ) {
    self.wait = wait
    self.hasReachedPlace = plan.programs.isEmpty ? nil : hasReachedPlace
    exits = Dictionary(
      plan.programs.withIDs.map { ($0.1.exit, $0.0) }, uniquingKeysWith: { first, _ in first })
    running = Set(plan.programs.indices)
    servers = Set(plan.programs.withIDs.filter { $0.1.ready != nil }.map(\.0))
  }

  /// The patience with a run in which nothing goes wrong.
  package static func undisturbed(_ plan: ScenarioPlan) -> SweepPatience {
    SweepPatience(plan, .forAllEnds)
  }

  /// The patience with a disturbed run.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - good: The end of the run in which nothing goes wrong.
  ///   - hasReachedPlace: Takes each event, and returns whether the place of the disturbance was
  ///     reached; nil if each run comes to it.
  package static func disturbed(
    _ plan: ScenarioPlan, good: SweepEnd?, hasReachedPlace: (@Sendable (Event) -> Bool)? = nil
  ) -> SweepPatience {
    SweepPatience(
      plan, .forEnds(of: Set(good?.ends.keys.map { $0 } ?? [])), hasReachedPlace: hasReachedPlace)
  }

  /// Takes an event; returns true if the run has just come to the place of its disturbance.
  mutating func observe(_ event: Event) -> Bool {
    if case .source(.emitted(let source, let value)) = event.kind, let program = exits[source],
      let end = ProgramEnd(value)
    {
      running.remove(program)
      ends[program] = end
    }
    guard let hasReachedPlace, hasReachedPlace(event) else { return false }
    self.hasReachedPlace = nil
    return true
  }

  /// True while something may still come that the end is judged by.
  var isAwaitingSomething: Bool {
    if hasReachedPlace != nil, !running.isEmpty { return true }
    switch wait {
    case .forAllEnds: return !running.isSubset(of: servers)
    case .forEnds(let programs): return !running.isDisjoint(with: programs)
    }
  }

  func length(of plan: ScenarioPlan) -> Microseconds {
    switch wait {
    case .forAllEnds: SweepPatience.timeOfEnding
    case .forEnds: max(plan.timeout, SweepPatience.timeOfEnding)
    }
  }
}
