import TextSearch

/// The search for sources whose events need not be kept.
///
/// A stream may bring gigabytes. Its events are kept for expectations and invariants that name it;
/// nodes, streams and actions follow it without the log.
extension PlanCompiler {
  func findUnaskedSources() {
    var isUnasked = PerID(repeating: true, for: plan.sources)
    let named = plan.assertions.mapValues(\.kind.sources)
    let always = plan.invariants.flatMap(\.sources)
    for sources in named { for source in sources { isUnasked[source] = false } }
    for source in always + plan.sweep.same { isUnasked[source] = false }
    plan.isUnasked = isUnasked.contains(true) ? isUnasked : []
    findSourcesToForget(named, always)
  }

  /// Finds the sources that a step of the main script ignores after all assertions that name them.
  private func findSourcesToForget(
    _ named: PerID<AssertionPlan, [SourceID]>, _ always: [SourceID]
  ) {
    var left = PerID(repeating: 0, for: plan.sources)
    for sources in named { for source in sources { left[source] += 1 } }
    // An invariant may ask at any time.
    for source in always { left[source] = .max / 2 }
    var search = ForgettingSearch(scripts: plan.scripts, named: named, left: left)
    search.pass(plan.steps.script)
    if search.isForgotten.contains(true) { plan.isForgotten = search.isForgotten }
  }
}

extension PlanContents {
  /// Finds the sources whose events computed nodes follow, as they follow other nodes. It has to be
  /// done again after slots have changed.
  package mutating func findFollowedSources() {
    followed = []
    for node in nodes {
      guard case .computed(let rule) = node.rule else { continue }
      for slot in rule.readSlots {
        guard case .lastEvent(let source) = slots[slot], !followed.contains(source) else {
          continue
        }
        followed.append(source)
      }
    }
  }
}

/// The steps of the main script in their order, and the assertions that are still to come.
private struct ForgettingSearch {
  let scripts: Table<ScriptPlan>
  /// The sources that each assertion names.
  let named: PerID<AssertionPlan, [SourceID]>
  /// The number of assertions that name a source and that no step passed so far has made.
  var left: PerID<SourcePlan, Int>
  var isForgotten: PerID<SourcePlan, Bool>
  private var wasIgnored: PerID<SourcePlan, Bool>
  /// True inside a step that may take its steps never, again or beside others.
  private var isInside = false

  init(
    scripts: Table<ScriptPlan>, named: PerID<AssertionPlan, [SourceID]>,
    left: PerID<SourcePlan, Int>
  ) {
    self.scripts = scripts
    self.named = named
    self.left = left
    isForgotten = left.mapValues { _ in false }
    wasIgnored = isForgotten
  }

  mutating func pass(_ script: ScriptID) {
    for step in scripts[script].steps { pass(step.kind) }
  }

  private mutating func pass(_ step: StepPlanKind) {
    switch step {
    case .acting(.transaction(let script)): passInside([script])
    case .structure(let step): pass(step)
    case .assertion(let step): pass(step)
    case .acting, .mock, .action: break
    }
  }

  private mutating func pass(_ step: StructureStep) {
    switch step {
    case .wait, .bind, .log: break
    case .parallel(let scripts): passInside(scripts)
    case .repeat(_, let script, _), .forEach(_, _, let script, _): passInside([script])
    case .while(let loop): passInside([loop.body])
    case .if(_, let then, let otherwise): passInside([then] + (otherwise.map { [$0] } ?? []))
    case .attempt(let script, let handler, _):
      passInside([script] + (handler.map { [$0] } ?? []))
    case .include(let include): pass(include.script)
    }
  }

  private mutating func pass(_ step: AssertionStep) {
    switch step {
    case .assert(let assertion):
      for source in named[assertion] { left[source] -= 1 }
    case .retry(_, let script), .fails(_, let script): passInside([script])
    case .ignore(let sources):
      for source in sources where !isInside && !wasIgnored[source] {
        wasIgnored[source] = true
        isForgotten[source] = left[source] == 0
      }
    }
  }

  private mutating func passInside(_ scripts: [ScriptID]) {
    let outer = isInside
    isInside = true
    for script in scripts { pass(script) }
    isInside = outer
  }
}

extension InvariantPlan {
  /// The sources whose events it names.
  package var sources: [SourceID] {
    kind.matchers.map(\.source)
  }
}

extension AssertionPlan.Kind {
  /// The sources whose events it names.
  package var sources: [SourceID] {
    switch self {
    case .expectMap(let sequences): sequences.map(\.source)
    case .expectList(let entries): entries.flatMap(\.sources)
    case .never(let entries, _): entries.map(\.source)
    case .check, .eventually, .retry, .fails, .snapshot, .receive, .answer: []
    }
  }
}

extension EntryPlan {
  fileprivate var sources: [SourceID] {
    switch self {
    case .event(let entry): [entry.source]
    case .anyOrder(let entries, _): entries.map(\.source)
    }
  }
}
