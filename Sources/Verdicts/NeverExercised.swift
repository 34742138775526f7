import Diagnostics
import Events
import ScenarioPlan
import Values

/// A part of a scenario that its run never used, in a report's words.
///
/// A scenario may hold although it says more than happened: an invariant about an event that never
/// came has checked nothing.
package struct NeverExercised: Sendable, Equatable {
  /// The part, such as ``route `GET /tasks` of `api` ``.
  package var part: String
  package var path: String
  package var line: Int
  package var range: SourceRange

  package init(part: String, path: String, line: Int, range: SourceRange) {
    self.part = part
    self.path = path
    self.line = line
    self.range = range
  }
}

extension ScenarioJudge {
  /// The parts that the run never used, in the order of the file.
  func neverExercised(in sources: SourceMap) -> [NeverExercised] {
    let parts = unasked + unused
    // As after most runs.
    if parts.isEmpty { return [] }
    return parts.sorted { $0.range.start < $1.range.start }.map { part, range in
      let file = sources.file(of: range)
      return NeverExercised(
        part: state.mask.masked(part), path: file?.path ?? "",
        line: file?.place(of: Int(range.start)).line ?? 0, range: range)
    }
  }

  /// The invariants whose first event never came, or whose condition never held.
  private var unasked: [(part: String, range: SourceRange)] {
    if state.plan.invariants.isEmpty { return [] }
    return state.invariants.neverTriggered.compactMap { invariant in
      guard let plan = state.plan.invariants[ifPresent: invariant],
        plan.range.file == state.plan.range.file, !isOfConfiguration(plan.range)
      else { return nil }
      return ("invariant `\(plan.verb)`", plan.verbRange)
    }
  }

  private var unused: [(part: String, range: SourceRange)] {
    state.unusedParts.compactMap { part in
      if isOfConfiguration(part.range) { return nil }
      return switch part.kind {
      case .route(let endpoint, let method, let path):
        (
          "route `\((method.map { $0 + " " } ?? "") + path)` of `\(name(of: endpoint))`", part.range
        )
      case .entry(let endpoint): ("stream entry of `\(name(of: endpoint))`", part.range)
      case .step(let verb): ("step `\(verb)`", part.range)
      case .failingNode: nil
      }
    }
  }

  /// Returns whether a configuration gives a part. It is there for all scenarios, and few need all
  /// of it; the file of a set-up is a configuration itself.
  private func isOfConfiguration(_ range: SourceRange) -> Bool {
    let first = state.plan.setup == nil ? 1 : 0
    return range.file >= first && range.file <= state.plan.configurationFiles
  }

  private func name(of endpoint: EndpointID) -> String {
    state.plan.endpoints[ifPresent: endpoint]?.name ?? "?"
  }

  /// The computed nodes that have no value, and that nothing read.
  var warnings: [Diagnostic] {
    return state.unusedParts.compactMap { part in
      guard case .failingNode(let node, let failure) = part.kind else { return nil }
      let name = state.plan.nodes[ifPresent: node]?.name ?? "?"
      return Diagnostic(
        "unread-node-fails", severity: .warning,
        "`\(name)` has no value at the end, and nothing has read it",
        labels: [.init(failure.range, failure.message)]
      ).masked(by: state.mask.masked(page:))
    }
  }
}

extension Verdict {
  /// Returns this verdict, failed if parts of the scenario were never exercised.
  package func strict() -> Verdict {
    guard outcome == .passed || outcome == .flaky, !neverExercised.isEmpty else { return self }
    var verdict = self
    verdict.outcome = .failed
    verdict.failures = [.neverExercised(neverExercised)]
    return verdict
  }
}

extension Diagnostic {
  private static let listedParts = 10

  fileprivate static func neverExercised(_ parts: [NeverExercised]) -> Diagnostic {
    let labels = parts.prefix(listedParts).map { Label($0.range, "this \($0.kind)") }
    let more = parts.count - labels.count
    let count = parts.count == 1 ? "a part" : "\(parts.count) parts"
    return Diagnostic(
      "never-exercised", "\(count) of the scenario never happened, and `--strict` forbids that",
      labels: labels, notes: more > 0 ? [.init("more", "\(more) more")] : [],
      help: "let the steps lead to it, or remove it")
  }
}

extension NeverExercised {
  /// The first word of the part.
  fileprivate var kind: Substring { part.prefix { $0 != "`" }.dropLast() }
}
