import Diagnostics
import ScenarioSpec
import Values

package typealias ConnectionID = ID<ConnectionPlan>

/// A client that stays connected.
package struct ConnectionPlan: Sendable {
  package enum Kind: Sendable {
    case eventStream
    case lines
    case webSocket(protocols: [DataPlan])

    package var isWebSocket: Bool { if case .webSocket = self { true } else { false } }
  }

  package var name: String
  /// The source of received events.
  package var source: SourceID
  /// The node that shows its state.
  package var state: NodeID
  package var kind: Kind
  /// nil as long as it is not compiled.
  package var request: RequestPlan?
  package var retry: RetryPolicyPlan?
  package var ping: PingPlan?
  package var idle: Microseconds?
  package var range: SourceRange
}

/// The retry policy of a failed connection.
package struct RetryPolicyPlan: Sendable {
  /// All tries, the first one among them; nil where there is no end.
  package var maxAttempts: Int?
  package var initialDelay: Microseconds
  package var maxDelay: Microseconds
  package var multiplier: Double
  package var jitter: Double
  /// nil: as the field has it.
  package var nonRetryableStatuses: [Int]?
}

/// The policy by which a WebSocket finds out that the other side is gone.
package struct PingPlan: Sendable {
  package var interval: Microseconds
  package var maxFailures: Int
}

/// The script of a mock's connection.
package struct ConversationPlan: Sendable {
  package enum Kind: Sendable {
    case accept(AcceptancePlan, ScriptID)
    case refuse(AnswerPlan)
  }

  package var kind: Kind
  /// Locals of one connection: the request, and what the script adds.
  package var localCount: Int
  package var request: LocalID
  /// Header fields of the answer that accepts.
  package var headers: [(name: String, value: DataPlan)] = []
  /// The number of the route that opens it; nil for an entry that requests select by itself.
  package var route: Int?
  package var range: SourceRange
}

/// The requirements of a request that opens a connection, and the answer that accepts it.
package struct AcceptancePlan: Sendable {
  package var request: MatcherPlan
  /// The requirements that select the entry: path and method; nil if it has neither.
  package var target: MatcherPlan?
  /// True if the entry is for one path, or for the paths that a matcher describes.
  package var hasPath: Bool
  /// The slots that the matcher reads of the stage.
  package var reads: [SlotID]
  package var when: ExpressionPlan?
  package var subprotocol: DataPlan?
  package var acceptKey: DataPlan?

  package init(
    request: MatcherPlan, reads: [SlotID], when: ExpressionPlan?, subprotocol: DataPlan?,
    acceptKey: DataPlan?
  ) {
    self.request = request
    let target = request.parts(["path", "method"])
    self.target = target.isEmpty ? nil : MatcherPlan(.map(target), request.range)
    hasPath = !request.parts(["path"]).isEmpty
    self.reads = reads
    self.when = when
    self.subprotocol = subprotocol
    self.acceptKey = acceptKey
  }
}

extension MatcherPlan {
  /// The entries of a map with these keys.
  fileprivate func parts(_ keys: [Value]) -> [Entry] {
    guard case .map(let entries) = content else { return [] }
    return entries.filter { keys.contains($0.key) }
  }
}

package typealias ServerActPlan = ServerAct<Compiled>
package typealias ServerEventPlan = MockedEvent<Compiled>

/// A piece of raw bytes.
package enum BytesPlan: Sendable {
  case value(DataPlan)
  case constant([UInt8])
}

/// The command of a `serve` step.
package struct ServePlan: Sendable {
  package enum Command: Sendable {
    case act(ServerActPlan)
    case stop
    case start
    case restart
  }

  package var endpoint: EndpointID
  package var command: Command
  package var range: SourceRange

  package init(endpoint: EndpointID, command: Command, range: SourceRange) {
    self.endpoint = endpoint
    self.command = command
    self.range = range
  }
}

/// The connections a step is for.
package enum AudiencePlan: Sendable {
  case all
  case last
  case connection(DataPlan)
}
