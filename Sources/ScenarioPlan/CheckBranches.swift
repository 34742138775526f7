import Diagnostics
import ScenarioSpec
import Values

/// Branches that run side by side and must not compete for events.
extension PlanCompiler {
  /// Each event of a source is accounted for once, so that of two branches that expect the same
  /// source it would be chance which of them gets an event.
  func checkBranches(_ branches: [ScriptSpec]) {
    var firstPlaces: [String: (branch: Int, range: SourceRange)] = [:]
    for (number, branch) in branches.enumerated() {
      var isReported: Set<String> = []
      for source in branch.expectedSources {
        guard let first = firstPlaces[source.value] else {
          firstPlaces[source.value] = (number, source.range)
          continue
        }
        if first.branch != number, isReported.insert(source.value).inserted {
          report(.branchesExpectOneSource(source, first: first.range))
        }
      }
    }
  }
}

extension ScriptSpec {
  /// What the `expect` steps in it and in its inner scripts name, in the order they stand.
  fileprivate var expectedSources: [Located<String>] { steps.flatMap(\.kind.expectedSources) }
}

extension StepKind {
  fileprivate var expectedSources: [Located<String>] {
    switch self {
    case .expect(let expect): expect.form.sources
    case .transaction(let script), .repeat(_, let script), .forEach(_, _, let script):
      script.expectedSources
    case .parallel(let branches): branches.flatMap(\.expectedSources)
    case .if(_, let then, let other): then.expectedSources + (other?.expectedSources ?? [])
    case .attempt(let body, let handler, _):
      body.expectedSources + (handler?.expectedSources ?? [])
    case .fails(let step, _): step.kind.expectedSources
    case .set, .send, .terminate, .load, .emit, .fail, .respond, .wait, .never, .check,
      .eventually, .ignore:
      []
    }
  }
}

extension ExpectSpec.Form {
  fileprivate var sources: [Located<String>] {
    switch self {
    case .map(let sequences): sequences.map(\.source)
    case .list(let entries): entries.flatMap(\.sources)
    }
  }
}

extension EntrySpec {
  fileprivate var sources: [Located<String>] {
    switch self {
    case .event(let entry): [entry.source]
    case .anyOrder(let entries, _): entries.flatMap(\.sources)
    }
  }
}
