import Values

extension ScenarioPlan {
  /// The time that a run that passes takes at least, as far as constants of its steps say so.
  package var leastDuration: Microseconds {
    var time = LeastTime(self)
    time.pass(steps.script)
    if let finally { time.pass(finally.script) }
    return time.now
  }
}

/// Adds up the waits of steps. What is not known takes no time, so that the sum is never too large.
private struct LeastTime {
  let plan: ScenarioPlan
  private(set) var now: Microseconds = 0
  /// The time from which `after` counts; nil if all that is known is that it is not later than now.
  private var base: Microseconds? = 0

  init(_ plan: ScenarioPlan) { self.plan = plan }

  mutating func pass(_ script: ScriptID) {
    for step in plan.scripts[script].steps { pass(step.kind) }
  }

  private mutating func pass(_ step: StepPlanKind) {
    switch step {
    case .acting(.suspend(let duration, _)):
      base = now
      if case .constant(let duration) = duration { advance(by: duration) }
    case .acting: base = now
    case .structure(let step): pass(step)
    case .assertion(let step): pass(step)
    case .mock, .action: break
    }
  }

  private mutating func pass(_ step: StructureStep) {
    switch step {
    case .wait(.constant(let duration)?): advance(by: duration)
    case .wait, .bind, .log: break
    case .parallel(let scripts): take(after(scripts), max)
    case .repeat(let count, let script, _):
      if case .constant(.int(let count)) = count.content { repeatSteps(script, count) }
    case .while: break
    case .forEach(_, let list, let script, _):
      if case .constant(.list(let values)) = list.content { repeatSteps(script, values.count) }
    case .if(_, let then, let otherwise):
      var branches = after([then])
      branches += otherwise.map { after([$0]) } ?? [self]
      take(branches, min)
    case .include(let include): pass(include.script)
    // Its steps may fail at once.
    case .attempt: break
    }
  }

  private mutating func pass(_ step: AssertionStep) {
    switch step {
    case .assert(let assertion): pass(plan.assertions[assertion].kind)
    case .retry(_, let script): pass(script)
    case .fails, .ignore: break
    }
  }

  private mutating func pass(_ assertion: AssertionPlan.Kind) {
    switch assertion {
    case .expectList(let entries): pass(entries)
    case .never(_, let duration): advance(by: duration ?? 0)
    case .expectMap, .check, .eventually, .retry, .fails, .snapshot, .receive, .answer: break
    }
  }

  private mutating func pass(_ entries: [EntryPlan]) {
    guard var last = base else { return }
    for case .event(let entry) in entries where entry.since == nil {
      last = sum(last, entry.after ?? 0)
    }
    base = last
    now = max(now, last)
  }

  private func after(_ scripts: [ScriptID]) -> [LeastTime] {
    scripts.map { script in
      var time = self
      time.pass(script)
      return time
    }
  }

  /// Goes on where all branches have come together, or where either may have been taken.
  private mutating func take(
    _ branches: [LeastTime], _ choose: (Microseconds, Microseconds) -> Microseconds
  ) {
    guard let first = branches.first else { return }
    now = branches.dropFirst().reduce(first.now) { choose($0, $1.now) }
    let bases = branches.compactMap(\.base)
    base = bases.count == branches.count ? bases.dropFirst().reduce(bases[0], choose) : nil
  }

  /// A turn may begin with what the turn before has waited for, so that only waits of its own
  /// count.
  private mutating func repeatSteps(_ script: ScriptID, _ count: Int) {
    guard count > 0 else { return }
    var turn = self
    turn.base = nil
    turn.pass(script)
    let (whole, overflow) = (turn.now - now).multipliedReportingOverflow(by: Microseconds(count))
    let offset = turn.base.map { turn.now - $0 }
    now = overflow ? .max : sum(now, whole)
    base = offset.map { now - $0 }
  }

  private mutating func advance(by duration: Microseconds) { now = sum(now, duration) }

  private func sum(_ time: Microseconds, _ span: Microseconds) -> Microseconds {
    let (sum, overflow) = time.addingReportingOverflow(span)
    return overflow ? .max : sum
  }
}
