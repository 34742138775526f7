import Diagnostics
import Events
import ScenarioPlan

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

  /// The identity of a place in all runs of the scenario, also in another process.
  package struct Place: Hashable {
    var part: String
    var path: String
    var line: Int
  }

  package var place: Place { Place(part: part, path: path, line: line) }

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
    return state.unexercisedInvariants.compactMap { invariant in
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
      case .body(let word): (textOfBody(under: word), part.range)
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

  /// Returns the warning that the run has evaluated no assertion and no invariant; nil if it has.
  package func nothingEvaluated(beside parts: [NeverExercised]) -> Diagnostic? {
    guard failures.isEmpty, !state.hasAsserted, !state.isAnyInvariantExercised,
      state.plan.programs.isEmpty,
      !state.plan.assertsHandshake(besides: Set(state.unusedParts.map(\.range))),
      var warning = state.plan.nothingEvaluated
    else { return nil }
    warning.labels += Diagnostic.labels(of: parts).map {
      .init($0.range, $0.text + " never happened")
    }
    return warning.masked(by: state.mask.masked(page:))
  }

  /// The findings of the run on which no assertion depends.
  var warnings: [Diagnostic] { failingNodes + negatedKinds + streamsNotResumed }

  /// The streams that could not go on after an event, because nobody knows it.
  private var streamsNotResumed: [Diagnostic] {
    state.unknownEvents.map { entry, id in
      Diagnostic(
        "stream-not-resumed", severity: .warning,
        "no stream has sent the event `\(id)` of `Last-Event-ID`, so all is sent",
        labels: [.init(entry, "sent from its beginning")],
        help: "give an event of the script this id, or let the client receive it first"
      ).masked(by: state.mask.masked(page:))
    }
  }

  /// The operators that made `$not` hold because they are not for values of a kind.
  private var negatedKinds: [Diagnostic] {
    state.slots.incomparable.map { each in
      Diagnostic(
        "not-of-other-kind", severity: .warning,
        "`$not` holds only because `\(each.name)` is not for \(each.kind)",
        labels: [.init(each.range)],
        help: "say the kind as well, as `$type: number` beside `$not`; or compare with a value of "
          + "the same kind")
    }
  }

  /// The computed nodes that have no value, and that nothing read.
  private var failingNodes: [Diagnostic] {
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

  fileprivate static func labels(of parts: [NeverExercised]) -> [Label] {
    parts.prefix(listedParts).map { Label($0.range, "this \($0.kind)") }
  }

  fileprivate static func neverExercised(_ parts: [NeverExercised]) -> Diagnostic {
    let labels = labels(of: parts)
    let more = parts.count - min(parts.count, listedParts)
    let count = parts.count == 1 ? "a part" : "\(parts.count) parts"
    // A report that was merged has places without texts.
    let unquoted = parts.prefix(listedParts).filter { $0.range == .none }.map {
      Fact("part", "\($0.part)   \($0.path):\($0.line)")
    }
    return Diagnostic(
      "never-exercised", "\(count) of the scenario never happened, and `--strict` forbids that",
      labels: labels.filter { $0.range != .none },
      notes: unquoted + (more > 0 ? [.init("more", "\(more) more")] : []),
      help: "let the steps lead to it, or remove it")
  }
}

extension NeverExercised {
  /// The part without its name.
  fileprivate var kind: Substring {
    let words = part.prefix { $0 != "`" }.dropLast()
    return words.hasSuffix(" of") ? words.dropLast(3) : words
  }
}

/// Returns the text of the steps under a word: a loop, or one of several ways.
func textOfBody(under word: String) -> String {
  ["then", "else", "catch"].contains(word) ? "branch `\(word)`" : "body of `\(word)`"
}
