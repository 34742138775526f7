import Diagnostics
import ScenarioSpec
import Values

/// Checks of the words that a scenario expects of a connection's state. A word that no state has
/// can never match, and would only be found by waiting for a timeout.
extension PlanCompiler {
  /// Checks literal words; expressions and operators are known only in the run.
  func checkStateWords(_ matcher: MatcherSpec, of source: SourceID) {
    guard let connection = connection(withState: source) else { return }
    switch matcher.content {
    case .scalar: checkWord(matcher, among: StateWords.ofConnections + ["completed"], of: source)
    case .map(let entries):
      for entry in entries {
        check(entry.key, among: ["connected", "disconnected"], of: source)
        if entry.key.value == "disconnected" { checkEnd(entry.value, of: connection, source) }
      }
    case .list, .operators: break
    }
  }

  private func connection(withState source: SourceID) -> ConnectionID? {
    guard case .node(let node) = plan.sources[source].kind else { return nil }
    let suffix = ".state"
    let name = plan.sources[source].name
    guard name.hasSuffix(suffix), let id = names.connections[String(name.dropLast(suffix.count))]
    else { return nil }
    return plan.connections[id].state == node ? id : nil
  }

  private func checkEnd(
    _ matcher: MatcherSpec, of connection: ConnectionID, _ source: SourceID
  ) {
    let ends = isWebSocket(connection) ? StateWords.endsOfSockets : StateWords.endsOfStreams
    switch matcher.content {
    case .scalar: checkWord(matcher, among: ends, of: source)
    case .map(let entries):
      for entry in entries {
        check(entry.key, among: ends, of: source)
        checkWord(entry.value, among: StateWords.errorsOfConnections, of: source)
      }
    case .list, .operators: break
    }
  }

  private func checkWord(_ matcher: MatcherSpec, among words: [String], of source: SourceID) {
    guard case .scalar(let data) = matcher.content, case .literal(let word) = data.content else {
      return
    }
    check(Located(word, matcher.range), among: words, of: source)
  }

  private func check(_ word: Located<Value>, among words: [String], of source: SourceID) {
    guard case .string(let text) = word.value, !words.contains(text) else { return }
    let name = unit.name(plan.sources[source].name)
    report(.unknownStateWord(Located(text, word.range), of: name, known: words))
  }
}

extension Diagnostic {
  fileprivate static func unknownStateWord(
    _ word: Located<String>, of state: String, known: [String]
  ) -> Diagnostic {
    let all = known.map { "`\($0)`" }.joined(separator: ", ")
    return Diagnostic(
      "unknown-word", "`\(state)` never is `\(word.value)`",
      labels: [.init(word.range, "no word of its states")],
      help: nearestName(to: word.value, among: known).map { "write `\($0)`" }
        ?? "here it may be \(all)")
  }
}
