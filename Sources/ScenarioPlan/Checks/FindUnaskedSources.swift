/// The search for sources whose events need not be kept.
///
/// A stream may bring gigabytes. Its events are kept for expectations and invariants that name it;
/// nodes, streams and actions follow it without the log.
extension PlanCompiler {
  func findUnaskedSources() {
    var isUnasked = PerID(repeating: true, for: plan.sources)
    for assertion in plan.assertions {
      for source in assertion.kind.sources { isUnasked[source] = false }
    }
    for invariant in plan.invariants {
      for matcher in invariant.kind.matchers { isUnasked[matcher.source] = false }
    }
    plan.isUnasked = isUnasked.contains(true) ? isUnasked : []
  }
}

extension AssertionPlan.Kind {
  /// The sources whose events it names.
  fileprivate var sources: [SourceID] {
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
