import Diagnostics
import ScenarioSpec

/// A node of the state graph.
package struct NodePlan: Sendable {
  package indirect enum Rule: Sendable {
    case stored(DataPlan)
    case computed(ExpressionPlan)
    /// Follows a source: this of each of its events, or the event itself.
    case latest(SourceID, of: ExpressionPlan?, initial: DataPlan?)
    /// Shows a part of a list model, and begins with this.
    case model(DataPlan)
  }

  /// The address scenarios use: `count`, `catFacts.fact`.
  package var name: String
  package var source: SourceID
  package var rule: Rule
  package var range: SourceRange
  /// For a field that is bound: what writing it from outside does.
  package var binding: SetPlan.Target?
}

/// State and actions; its fields are nodes.
package struct ReactorPlan: Sendable {
  package var name: String
  /// The source of the reactor's named events.
  package var events: SourceID
  package var actions: [ActionID] = []
}

/// A source whose events send an action.
package struct FollowPlan: Sendable {
  package var source: SourceID
  package var action: ActionID
  /// The source that ends it with its first event.
  package var until: SourceID?
  /// True if the value at the start sends the action too.
  package var sendsInitial: Bool
}

/// A reactor's answer to a message.
package struct ActionPlan: Sendable {
  package enum Policy: Sendable {
    case plain
    /// Runs with one id cancel each other: the latest wins.
    case inFlight(DataPlan)
    /// Runs with one id wait for the one under way.
    case join(DataPlan)
    /// Runs with one id follow each other.
    case queue(DataPlan)

    /// The id, which may have values of the payload; nil if the runs have none.
    package var id: DataPlan? {
      switch self {
      case .plain: nil
      case .inFlight(let id), .join(let id), .queue(let id): id
      }
    }
  }

  /// With its reactor: `catFacts.loadFact`.
  package var name: String
  package var reactor: ReactorID
  package var policy: Policy
  package var endsWithLifecycle: Bool
  package var frame: FramePlan
  package var payload: LocalID
  package var parameters: [(name: String, local: LocalID)]
  package var range: SourceRange
}

/// A scripted part of the outside world.
package struct EndpointPlan: Sendable {
  package var name: String
  package var source: SourceID
  /// The URL of the real endpoint; evaluated only if a scenario runs against it.
  package var address: DataPlan?
  /// The variable of the environment that the URL needs and that is not set. It matters only if a
  /// scenario runs against the real endpoint.
  package var problemOfURL: Diagnostic?
  package var crossOrigin = CrossOriginPlan.unsaid
  /// True if its streams continue after the event that `Last-Event-ID` names.
  package var isResumable = false
  /// The real server that gets the requests which no entry answers.
  package var proxy: ProxyPlan?
  package var routes: [RoutePlan] = []
  package var eventStreams: [ConversationPlan] = []
  package var lines: [ConversationPlan] = []
  package var webSockets: [ConversationPlan] = []
  /// The URL, if it is known without the environment.
  package var url: String?
  package var range: SourceRange

  /// True if only a real endpoint can answer.
  package var isOnlyReal: Bool { address != nil && !hasMock }

  /// True if a mock is written; a real endpoint needs only its URL.
  package var hasMock: Bool {
    proxy != nil || !routes.isEmpty || !eventStreams.isEmpty || !lines.isEmpty
      || !webSockets.isEmpty
  }
}

/// The answers to requests of one method and path.
package struct RoutePlan: Sendable {
  package enum Answers: Sendable {
    /// One turn for each call. The last one repeats.
    case inTurn([Turn])
    /// A script that runs for each call.
    case script(ScriptID)
  }

  /// The reaction of the route to one call.
  package enum Turn: Sendable {
    indirect case answer(AnswerPlan)
    /// An entry of the endpoint's own list of this kind.
    case conversation(ConversationKind, Int)
    case script(ScriptID)
    /// Passes the request on to a real server.
    case proxy(ProxyPlan)

    package var conversation: ConversationKind? {
      switch self {
      case .answer, .script, .proxy: nil
      case .conversation(let kind, _): kind
      }
    }
  }

  package enum Segment: Sendable, Equatable {
    case literal(String)
    case parameter(PathParameter)
    /// All segments that follow.
    case rest(String)
  }

  /// The method in upper case; nil stands for any.
  package var method: String?
  package var path: String
  package var segments: [Segment]
  package var when: ExpressionPlan?
  package var match: RequestMatchPlan?
  /// The expression whose values are counted separately; nil if all calls are counted together.
  package var turnsBy: ExpressionPlan?
  package var answers: Answers
  /// Locals of one call: the request, and what the script adds.
  package var localCount: Int
  package var request: LocalID
  package var range: SourceRange

  /// Returns what the route does after a number of calls.
  package func turn(after calls: Int) -> Turn {
    switch answers {
    case .inTurn(let turns): turns[min(calls, turns.count - 1)]
    case .script(let script): .script(script)
    }
  }

  /// The URLs that it passes requests on to.
  package var proxies: [DataPlan] {
    guard case .inTurn(let turns) = answers else { return [] }
    return turns.compactMap { if case .proxy(let proxy) = $0 { proxy.url } else { nil } }
  }

  /// Returns whether a turn of the route opens a connection of a kind.
  package func opens(_ kind: ConversationKind) -> Bool {
    switch answers {
    case .inTurn(let turns): turns.contains { $0.conversation == kind }
    case .script: false
    }
  }
}

/// The matchers of a request that a route answers.
package struct RequestMatchPlan: Sendable {
  package var matcher: MatcherPlan
  /// The slots that the matcher reads of the stage.
  package var reads: [SlotID]
}

/// One answer of a mock.
package struct AnswerPlan: Sendable {
  package enum Kind: Sendable {
    case response(ResponsePlan)
    case drop
    case reset
    case stall
  }

  package var kind: Kind
  package var after: DurationPlan?
  package var range: SourceRange
}

/// A real server that requests are passed on to.
package struct ProxyPlan: Sendable {
  /// The replaced parts of its answers. The locals are the locals of one answer.
  package struct Change: Sendable {
    package var response: ResponsePlan
    package var localCount: Int
    package var request: LocalID
    package var answer: LocalID
  }

  package var url: DataPlan
  package var change: Change?

  package init(url: DataPlan, change: Change? = nil) {
    self.url = url
    self.change = change
  }
}

/// A response, its expressions compiled.
package struct ResponsePlan: Sendable {
  /// How the bytes of the response are sent.
  package enum Delivery: Sendable {
    case whole
    case pieces(Int, every: DurationPlan)
    case fault(AnswerFaultPlan)
  }

  package var status: DataPlan?
  package var headers: [(name: String, value: DataPlan)]
  package var body: BodyPlan
  package var delivery: Delivery
}

/// An origin of data.
package struct ProviderPlan: Sendable {
  package enum Origin: Sendable {
    case items(DataPlan)
    case request(RequestPlan)
    /// A JSON file, seen from `folder`.
    case file(DataPlan, folder: String)
    case query(StatementPlan, isLive: Bool)
    case stream(SourceID)
  }

  package var name: String
  package var parameters: [(name: String, local: LocalID)]
  package var origin: Origin
  package var value: DataPlan?
  /// Of a request: when it is made again.
  package var retry: RequestRetryPlan?
  package var localCount: Int
  /// The place of the answer that `value` names.
  package var response: LocalID
  package var range: SourceRange
}

/// The retry policy of a failed request: constants, so the plan holds them as written.
package typealias RequestRetryPlan = RequestRetry

/// The settings of answers that are constants, so the plan holds them as written.
package typealias AnswerFaultPlan = AnswerFault
package typealias CrossOriginPlan = CrossOrigin
package typealias CrossOriginPolicyPlan = CrossOriginPolicy

/// A source that is fed from outside the scenario, by a trace.
package struct DeclaredSourcePlan: Sendable {
  package var source: SourceID
  /// The name that a trace gives it.
  package var nameInTrace: String
  /// The value before its first event.
  package var initial: DataPlan
  /// How lines of another program become its events; nil if they have its name.
  package var lines: LineMappingPlan?
}
