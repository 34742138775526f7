import Diagnostics
import Events
import ScenarioPlan

/// A part of a stage in a report's words, and whether a run has reached it.
package struct CoveredPart: Sendable, Equatable {
  /// The kinds of parts, in the order of reports.
  package enum Kind: String, Sendable, CaseIterable {
    case route, entry, action, computed, branch, invariant
  }

  package var kind: Kind
  /// The part, such as ``route `GET /tasks` of `api` ``.
  package var part: String
  package var path: String
  package var line: Int
  package var column: Int
  package var isReached: Bool

  package init(
    _ kind: Kind, part: String, path: String, line: Int, column: Int, isReached: Bool
  ) {
    self.kind = kind
    self.part = part
    self.path = path
    self.line = line
    self.column = column
    self.isReached = isReached
  }
}

extension ScenarioJudge {
  /// Returns the parts of the stage, and the invariants, if the log has the parts.
  func coverage(in sources: SourceMap) -> [CoveredPart] {
    guard let parts = state.stageParts else { return [] }
    return parts.map { part in
      covered(words(for: part.kind), part.range, part.isReached, sources)
    } + invariants(in: sources)
  }

  private func invariants(in sources: SourceMap) -> [CoveredPart] {
    let untriggered = Set(state.invariants.neverTriggered)
    return state.plan.invariants.withIDs.map { id, invariant in
      covered(
        (.invariant, "invariant `\(invariant.verb)`"), invariant.verbRange,
        !untriggered.contains(id), sources)
    }
  }

  private func covered(
    _ words: (kind: CoveredPart.Kind, part: String), _ range: SourceRange, _ isReached: Bool,
    _ sources: SourceMap
  ) -> CoveredPart {
    let file = sources.file(of: range)
    let place = file?.place(of: Int(range.start))
    return CoveredPart(
      words.kind, part: state.mask.masked(words.part), path: file?.path ?? "",
      line: place?.line ?? 0, column: place?.column ?? 0, isReached: isReached)
  }

  private func words(for kind: StagePart.Kind) -> (kind: CoveredPart.Kind, part: String) {
    let plan = state.plan
    switch kind {
    case .route(let endpoint, let method, let path):
      let name = plan.endpoints[ifPresent: endpoint]?.name ?? "?"
      return (.route, "route `\((method.map { $0 + " " } ?? "") + path)` of `\(name)`")
    case .entry(let endpoint):
      return (.entry, "stream entry of `\(plan.endpoints[ifPresent: endpoint]?.name ?? "?")`")
    case .action(let action): return (.action, "action `\(plan.actions[action].name)`")
    case .computed(let node): return (.computed, "computed node `\(plan.nodes[node].name)`")
    case .body(let word): return (.branch, textOfBody(under: word))
    }
  }
}
