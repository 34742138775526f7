import Diagnostics

extension TrafficRule {
  /// The rules about answers and messages.
  static let answerRules = [
    TrafficRule(
      id: AnswerMachine.bodyWithoutContent,
      sentence: "An answer to HEAD, and one with 204 or 304, has no body.",
      looksAt: "each answer to HEAD, and each one with 204 or 304",
      party: .server, severity: .error,
      help: "leave the body out: clients do not read it, and may take it for the next answer",
      needs: .recording,
      makeMachine: { _ in AnswerMachine(judgeContent) }),
    TrafficRule(
      id: AnswerMachine.wrongLength, sentence: "A body has as many bytes as `Content-Length` says.",
      looksAt: "each body with a `Content-Length` and without a coding",
      party: .server, severity: .error,
      help: "send the number of bytes, not of characters",
      needs: .recording,
      makeMachine: { _ in AnswerMachine(judgeLength) }),
    TrafficRule(
      id: AnswerOrderMachine.twice, sentence: "A request has one answer.",
      looksAt: "each answer",
      party: .server, severity: .error,
      help: "send one answer; `1xx` may come before it",
      needs: .recording,
      makeMachine: { _ in AnswerOrderMachine(AnswerOrderMachine.twice) }),
    TrafficRule(
      id: AnswerOrderMachine.early, sentence: "An answer comes after its request.",
      looksAt: "each answer",
      party: .server, severity: .error,
      help: "write the lines of a recording in the order in which they happened",
      needs: .recording,
      makeMachine: { _ in AnswerOrderMachine(AnswerOrderMachine.early) }),
    TrafficRule(
      id: AfterCloseMachine.id, sentence: "Who has closed a conversation sends nothing more on it.",
      looksAt: "each close, and what follows it on its connection",
      party: .either, severity: .error,
      help: "send the close last: the other side does not read what follows it",
      needs: .recording,
      makeMachine: { _ in AfterCloseMachine() }),
    TrafficRule(
      id: CallResultMachine.id, sentence: "A JSON-RPC answer has a result or an error, not both.",
      looksAt: "each JSON-RPC answer",
      party: .either, severity: .error,
      help: "leave `error` out of an answer with a result",
      needs: .recording,
      makeMachine: { _ in CallResultMachine() }),
    TrafficRule(
      id: AcknowledgementMachine.id,
      sentence: "A client of GraphQL over WebSocket subscribes after `connection_ack`.",
      looksAt: "each `connection_init`, and the subscriptions on its WebSocket",
      party: .client, severity: .error,
      help: "wait for `connection_ack`: servers close the WebSocket with 4401",
      needs: .recording,
      makeMachine: { _ in AcknowledgementMachine() }),
    TrafficRule(
      id: AnswerMachine.redirectWithoutLocation, sentence: "A redirect has a `Location`.",
      looksAt: "each answer with 301, 302, 303, 307 or 308",
      party: .server, severity: .error,
      help: "add `Location`, or answer with another status",
      needs: .recording,
      makeMachine: { _ in AnswerMachine(judgeRedirect) }),
    TrafficRule(
      id: AnswerMachine.noAllow, sentence: "An answer with 405 names the methods in `Allow`.",
      looksAt: "each answer with 405",
      party: .server, severity: .note,
      help: "add `Allow: GET, POST`",
      needs: .recording,
      makeMachine: { _ in AnswerMachine(judgeAllow) }),
    TrafficRule(
      id: AnswerMachine.noChallenge,
      sentence: "An answer with 401 says in `WWW-Authenticate` how to log in.",
      looksAt: "each answer with 401",
      party: .server, severity: .note,
      help: "add `WWW-Authenticate: Bearer`",
      needs: .recording,
      makeMachine: { _ in AnswerMachine(judgeChallenge) }),
  ]
}
