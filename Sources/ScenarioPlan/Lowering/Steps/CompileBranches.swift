import Diagnostics
import ScenarioSpec

/// So many branches may one `parallel` have.
private let mostBranches = 1_000

/// The branches of a `parallel`.
extension PlanCompiler {
  /// Compiles the branches of `parallel`. Captures belong to their branch. Two branches may not
  /// expect one source, because they would take each other's events.
  func compileBranches(_ branches: [ScriptSpec]) -> StepPlanKind {
    if branches.count > mostBranches { report(.tooManyBranches(branches[mostBranches].range)) }
    var taken: [SourceID: SourceRange] = [:]
    let scripts = branches.map { branch in
      let first = plan.assertions.endIndex
      let script = nested { compile(branch) }
      let expected = plan.assertions[first...].flatMap(\.expectedSources)
      if let twice = expected.first(where: { taken[$0.source] != nil }) {
        report(
          .expectedByTwoBranches(
            plan.sources[twice.source].name, at: twice.range, first: taken[twice.source] ?? .none))
      }
      for each in expected where taken[each.source] == nil { taken[each.source] = each.range }
      return script
    }
    return .structure(.parallel(scripts))
  }
}

extension AssertionPlan {
  fileprivate var expectedSources: [(source: SourceID, range: SourceRange)] {
    switch kind {
    case .expectMap(let sequences): sequences.map { ($0.source, $0.range) }
    case .expectList(let entries): entries.flatMap(\.expectedSources)
    case .never, .check, .eventually, .retry, .fails, .receive, .answer, .snapshot: []
    }
  }
}

extension EntryPlan {
  fileprivate var expectedSources: [(source: SourceID, range: SourceRange)] {
    switch self {
    case .event(let entry): [(entry.source, entry.sourceRange)]
    case .anyOrder(let entries, _): entries.map { ($0.source, $0.sourceRange) }
    }
  }
}

extension Diagnostic {
  static func tooManyBranches(_ range: SourceRange) -> Diagnostic {
    Diagnostic(
      "out-of-range", "a `parallel` has at most \(mostBranches) branches",
      labels: [.init(range, "one more than that")],
      help: "let some of them run one after the other")
  }

  static func expectedByTwoBranches(
    _ source: String, at range: SourceRange, first: SourceRange
  ) -> Diagnostic {
    Diagnostic(
      "expected-by-two-branches",
      "only one branch of a `parallel` expects events of a source, and `\(source)` has two",
      labels: [.init(range), .init(first, "the first branch")],
      help: "expect `\(source)` in one of them, or behind the `parallel`")
  }
}
