import Diagnostics
import Events

/// A rule that every conversation of a protocol obeys, whatever its content.
package struct TrafficRule: Sendable {
  /// The side that breaks the rule.
  package enum Party: String, Sendable { case client, server, either }

  /// The needs of a rule beside traffic.
  package enum Condition: Sendable {
    case wholeRecording
    /// A recording: in a run, the author of the scenario has often written what the rule is about.
    case recording
    /// A recording, or a run without a disturbance, whose author may have wanted the same.
    case comparison
    /// Clients that connect again by themselves.
    case reconnections
  }

  package var id: DiagnosticID
  /// The rule, in one sentence.
  package var sentence: String
  /// The lines that it is applied to.
  package var looksAt: String
  package var party: Party
  /// An error is against the text of a protocol; a warning is nearly always a mistake.
  package var severity: Diagnostic.Severity
  /// The advice for a finding.
  package var help: String
  /// The condition under which the rule can be broken; nil if traffic is enough.
  var needs: Condition?
  var makeMachine: @Sendable ([DeclaredPause]) -> any TrafficMachine
}

/// The part of a rule that decides: lines in, findings out.
protocol TrafficMachine: Sendable {
  var exercised: ExercisedCount { get }
  /// Takes the next line of a recording.
  mutating func observe(_ line: ExchangeLine, _ end: RecordingEnd) -> [RuleFinding]
  /// Ends the recording.
  mutating func finish(_ end: RecordingEnd) -> [RuleFinding]
}

/// The number of times that a rule had something to say, by the side that had to obey it.
struct ExercisedCount: Sendable {
  private var client = 0
  private var server = 0

  mutating func add(_ side: Traffic.Side) {
    switch side {
    case .client: client += 1
    case .server: server += 1
    }
  }

  /// Returns the number of one side; nil stands for both.
  func count(of side: Traffic.Side?) -> Int {
    switch side {
    case .client: client
    case .server: server
    case nil: client + server
    }
  }
}

extension Traffic.Side {
  var other: Traffic.Side { self == .client ? .server : .client }
}

extension TrafficMachine {
  mutating func finish(_ end: RecordingEnd) -> [RuleFinding] { [] }
}

extension TrafficRule {
  /// The table of rules, in the order of reports.
  package static let table: [TrafficRule] =
    streamRules + exchangeRules + messageRules + answerRules + retryRules

  /// Returns whether a side may break the rule; nil stands for both sides.
  func isFor(_ side: Traffic.Side?) -> Bool {
    switch (party, side) {
    case (.either, _), (_, nil), (.client, .client), (.server, .server): true
    case (.client, .server), (.server, .client): false
    }
  }

  private static let streamRules = [
    TrafficRule(
      id: EventIDMachine.id,
      sentence: "The ids of the events of a stream do not go back.",
      looksAt: "each event with an id, and the one before it on its connection",
      party: .server, severity: .error,
      help: "give each event an id after the last, or none: a client resumes after the last one",
      makeMachine: { _ in EventIDMachine() }),
    TrafficRule(
      id: AfterDoneMachine.id, sentence: "Nothing comes after `[DONE]`.",
      looksAt: "each event `[DONE]`, and what follows it on its connection",
      party: .server, severity: .error,
      help: "send `[DONE]` last: clients stop reading there",
      makeMachine: { _ in AfterDoneMachine() }),
    TrafficRule(
      id: CutEventMachine.id, sentence: "A stream does not end in the middle of an event.",
      looksAt: "the end of each event stream that its server ended",
      party: .server, severity: .error,
      help: "end the last event with an empty line: clients drop an event without one",
      makeMachine: { _ in CutEventMachine() }),
    TrafficRule(
      id: ReconnectionMachine.id,
      sentence:
        "A client connects again no sooner than `retry:`, `Retry-After` or its own policy says.",
      looksAt: "each stream that is opened again, if the server or a policy says when it may be",
      party: .client, severity: .error,
      help:
        "wait as long as `retry:` of the stream, `Retry-After` of the answer or the policy says",
      needs: .reconnections,
      makeMachine: { ReconnectionMachine($0) }),
  ]

  private static let exchangeRules = [
    TrafficRule(
      id: CloseCodeMachine.id,
      sentence: "A WebSocket is closed with a code that may be sent.",
      looksAt: "each close frame with a code",
      party: .either, severity: .error,
      help: "use 1000 to 1003, 1007 to 1014, or a code of your own from 3000 to 4999",
      makeMachine: { _ in CloseCodeMachine() }),
    TrafficRule(
      id: UnansweredMachine.id, sentence: "Each request is answered or cancelled.",
      looksAt: "each request",
      party: .server, severity: .warning,
      help: "answer it, or cancel it when its answer is not needed any more",
      needs: .wholeRecording,
      makeMachine: { _ in UnansweredMachine() }),
    TrafficRule(
      id: ContentTypeMachine.id, sentence: "A body is what its `Content-Type` says.",
      looksAt: "each body that is announced as JSON, event stream or JSON lines",
      party: .either, severity: .error,
      help: "send the `Content-Type` that the body has",
      makeMachine: { _ in ContentTypeMachine() }),
  ]

  private static let messageRules = [
    TrafficRule(
      id: CallIDMachine.id, sentence: "A JSON-RPC call with an id is answered once.",
      looksAt: "each JSON-RPC call with an id, in bodies, events, lines and messages",
      party: .either, severity: .error,
      help: "send one `result` or `error` with the id of the call",
      makeMachine: { _ in CallIDMachine() }),
    TrafficRule(
      id: ToolCallMachine.id,
      sentence: "A tool call of a language model that was opened is closed.",
      looksAt: "each tool call in a stream of a language model",
      party: .server, severity: .error,
      help: "a client that runs such a call has only a part of its arguments",
      makeMachine: { _ in ToolCallMachine() }),
  ]
}
