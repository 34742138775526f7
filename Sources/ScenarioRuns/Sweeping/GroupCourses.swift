import Diagnostics
import ScenarioEngine
import ScenarioPlan
import Traces
import Verdicts

extension SweepRehearsal {
  /// Puts the courses that failed into groups by their cause: the rule, the place, what came
  /// instead, how programs ended, and the kind of event at which what the client does first differs
  /// from the good run. The worst is first, and of groups that do the same harm the one with the
  /// shortest run.
  func groups(
    of outcomes: [SweepOutcome], by workers: Workers, _ repeated: RepeatedOptions
  ) -> [SweepGroup] {
    if outcomes.isEmpty { return [] }
    let good = recordedGoodRun()
    let differences = resultsInOrder(of: outcomes, by: workers) { outcome in
      self.firstDifference(of: good, outcome)
    }
    let groups = members(of: zip(outcomes, differences).map { ($0, $1) }).sorted()
    return resultsInOrder(of: groups, by: workers) { group in
      SweepGroup(
        causes: self.knownCauses(of: group), courses: group.outcomes.map(\.course),
        shortest: group.shortest.course, diagnostic: self.diagnostic(of: group, good, repeated))
    }
  }

  private func members(
    of outcomes: [(outcome: SweepOutcome, difference: String?)]
  ) -> [CourseGroup] {
    struct Key: Hashable {
      var cause: SweepCause
      var ends: String
      var difference: String?
    }
    var order: [Key] = []
    var members: [Key: [SweepOutcome]] = [:]
    for (outcome, difference) in outcomes {
      let key = Key(
        cause: outcome.findings[0].cause, ends: outcome.ends, difference: difference)
      if members[key] == nil { order.append(key) }
      members[key, default: []].append(outcome)
    }
    return order.enumerated().map { CourseGroup(outcomes: members[$1] ?? [], place: $0) }
  }

  private func firstDifference(of good: TraceRun?, _ outcome: SweepOutcome) -> String? {
    differences(of: good, with: outcome.course.disturbances, recorded: outcome.recording)?
      .firstEvent(of: shared.plan.namesOfClients)
  }

  /// Returns the failure of a group with its courses, and the command that repeats the shortest.
  private func diagnostic(
    of group: CourseGroup, _ good: TraceRun?, _ repeated: RepeatedOptions
  ) -> Diagnostic {
    let shortest = group.shortest
    let disturbances = shortest.course.disturbances
    var diagnostic = shortest.findings[0].diagnostic
    diagnostic.notes.append(.init("disturbed", group.outcomes.map(\.course).names))
    if group.outcomes.count > 1 { diagnostic.notes.append(.init("shortest", shortest.course.name)) }
    diagnostic.notes += comparison(of: good, with: disturbances, recorded: shortest.recording)
    var inputs = inputs
    inputs.options.disturbances = disturbances
    let command = command(
      repeating: shortest.course, inputs, in: world.kind, plan: shared.plan, repeated)
    if let command { diagnostic.notes.append(.init(Diagnostic.Fact.rerun, command)) }
    return diagnostic
  }

  private func knownCauses(of group: CourseGroup) -> [KnownFailures.Cause] {
    var causes: [KnownFailures.Cause] = []
    for cause in group.outcomes.flatMap(\.causes) {
      let known = KnownFailures.Cause(cause, of: shared.plan, in: sources, end.mask)
      if !causes.contains(known) { causes.append(known) }
    }
    return causes
  }
}

/// The courses that failed for one cause.
private struct CourseGroup: Sendable, Comparable {
  let outcomes: [SweepOutcome]
  let shortest: SweepOutcome
  private let place: Int

  init(outcomes: [SweepOutcome], place: Int) {
    self.outcomes = outcomes
    self.place = place
    // Of courses with one cause, the plainest says most.
    let plain = outcomes.filter { $0.course.disturbances.allSatisfy(\.isPlain) }
    let first = (plain.isEmpty ? outcomes : plain).enumerated().min {
      ($0.element.eventCount, $0.offset) < ($1.element.eventCount, $1.offset)
    }?.element
    shortest = first ?? outcomes[0]
  }

  private var order: (Int, Int, Int) {
    (shortest.findings[0].harm.rawValue, shortest.eventCount, place)
  }

  static func < (one: CourseGroup, other: CourseGroup) -> Bool { one.order < other.order }
  static func == (one: CourseGroup, other: CourseGroup) -> Bool { one.order == other.order }
}
