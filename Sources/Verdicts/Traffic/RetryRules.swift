import Diagnostics

extension TrafficRule {
  /// The rules about clients that try again.
  static let retryRules = [
    TrafficRule(
      id: ReopenedStreamMachine.id,
      sentence: "A stream that broke is opened again with the id of its last event.",
      looksAt: "each event stream with ids that broke, and the next one of its client",
      party: .client, severity: .warning,
      help: "send `Last-Event-ID`: without it, the client misses what came meanwhile",
      needs: .recording,
      makeMachine: { _ in ReopenedStreamMachine() }),
    TrafficRule(
      id: GrowingPauseMachine.id,
      sentence: "A client that is refused three times waits longer each time.",
      looksAt: "each attempt after three refusals, unless the server said when to come again",
      party: .client, severity: .warning,
      help: "double the pause, and add chance: many clients at once keep a server down",
      needs: .recording,
      makeMachine: { _ in GrowingPauseMachine() }),
    TrafficRule(
      id: RepeatedPostMachine.id,
      sentence: "A POST whose answer was lost is sent again with a key.",
      looksAt: "each POST that is sent again after a lost answer",
      party: .client, severity: .warning,
      help: "send the same `Idempotency-Key` with both: the server may have done it",
      needs: .recording,
      makeMachine: { _ in RepeatedPostMachine() }),
    TrafficRule(
      id: DeadSessionMachine.id, sentence: "A session that the server has ended is not used again.",
      looksAt: "each request with `Mcp-Session-Id`",
      party: .client, severity: .error,
      help: "begin a new session with `initialize` after a 404",
      needs: .comparison,
      makeMachine: { _ in DeadSessionMachine() }),
    TrafficRule(
      id: RefreshTokenMachine.id, sentence: "A refresh token is used once.",
      looksAt: "each request with a refresh token",
      party: .client, severity: .error,
      help: "let one request refresh, and others wait for it: servers end the session otherwise",
      needs: .comparison,
      makeMachine: { _ in RefreshTokenMachine() }),
    TrafficRule(
      id: EqualStreamsMachine.id, sentence: "A client has one stream of a kind open.",
      looksAt: "each event stream, and the equal ones that are open",
      party: .client, severity: .warning,
      help: "close the old stream before another one is opened",
      needs: .comparison,
      makeMachine: { _ in EqualStreamsMachine() }),
  ]
}
