import Events
import ScenarioPlan
import Secrets
import Values

/// The parties of a run that are no part of its scenario. What they send may hold credentials that
/// nobody has declared.
package struct OutsideParties: Sendable {
  /// The endpoints that are no mocks of the scenario.
  package var endpoints: Set<EndpointID> = []
  /// True if one of these endpoints is real.
  package var hasRealEndpoints = false
  package var hasPrograms = false
  /// True if clients from outside use the mocks of the scenario.
  package var hasClients = false
  /// True if lines of a trace, or Swift objects, feed sources.
  package var feedsSources = false
  /// Returns whether everybody may know a text, since the scenario itself has it.
  package var isPublic: @Sendable (String) -> Bool = { _ in false }

  package init() {}

  /// False if all that happens in a run comes from its scenario.
  package var isAny: Bool { !endpoints.isEmpty || hasPrograms || hasClients || feedsSources }

  /// True if what the scenario computes may come from what others have answered.
  fileprivate var isAnswered: Bool { !endpoints.isEmpty || feedsSources }
}

/// The credentials in the events of a run that come from outside, and that nobody has declared.
///
/// They are found as for a recording, and have the same kind of name. Nothing is searched before
/// something is to be shown: most runs show nothing.
package struct EventCredentials: Sendable {
  private let plan: SharedPlan
  private let outside: OutsideParties
  private var finder: CredentialFinder
  private var latest = NamedSecrets()
  /// Those before the latest. A run without an end gets any number of credentials.
  private var earlier = NamedSecrets()
  /// The credentials after which the earlier ones are forgotten; nil if none is.
  private let most: Int?
  /// The first event that was not read.
  private var next = EventID.first

  /// - Parameter most: The credentials after which the earlier ones are forgotten.
  package init(_ plan: SharedPlan, from outside: OutsideParties, most: Int? = nil) {
    self.plan = plan
    self.outside = outside
    self.most = most
    finder = CredentialFinder(isPublic: outside.isPublic)
  }

  /// The credentials so far.
  package var found: [NamedSecrets] { [latest, earlier] }
  /// True if there are so many that no report could be searched for each of them.
  package var areTooMany: Bool { most == nil && latest.count > mostSecretsOfRun }

  /// Reads what is new in a log. Returns whether it holds further credentials.
  package mutating func read(_ log: EventLog) -> Bool {
    let events = log.events
    let known = events.lastIndex { $0.sequence < next }.map { $0 + 1 } ?? 0
    let count = events[known...].reduce(0) { $0 + (read($1) ? 1 : 0) }
    return count > 0
  }

  /// Reads an event, once. Returns whether it holds further credentials.
  package mutating func read(_ event: Event) -> Bool {
    guard event.sequence >= next else { return false }
    next = event.sequence.advanced(by: 1)
    find(in: event.kind)
    let found = finder.takeFound()
    for credential in found { add(credential) }
    return !found.isEmpty
  }

  private mutating func add(_ credential: NamedSecret) {
    if let most, latest.count >= most {
      earlier = latest
      latest = NamedSecrets()
      finder.forget()
    }
    latest.add(credential.withLength)
  }
}

// Where outsiders speak.
extension EventCredentials {
  private mutating func find(in kind: Event.Kind) {
    switch kind {
    case .source(.emitted(let source, let value)): find(in: value, of: source)
    case .source(.finished(let source, error: let error?)): find(in: error, of: source)
    case .assertion(let event): find(in: event)
    case .network(let event): find(in: event)
    case .run(.failed(let problem)): find(in: problem)
    case .run(.pendingAtEnd(let operations)):
      for case .request(let endpoint, _, let target, _) in operations.map(\.kind)
      where outside.endpoints.contains(endpoint) {
        finder.find(in: .string(target))
      }
    case .script(.logged(_, let value)): findComputed(in: value)
    case .source, .script, .run: break
    }
  }

  private mutating func find(in value: Value, of source: SourceID) {
    switch plan.plan.sources[ifPresent: source]?.kind {
    case .endpoint(let endpoint):
      if outside.hasClients || outside.endpoints.contains(endpoint) { finder.find(in: value) }
    case .connection(let connection):
      note(value, from: plan.plan.connections[ifPresent: connection]?.request?.endpoint)
    case .program: if outside.hasPrograms { finder.find(in: value) }
    case .declared: finder.find(in: value)
    case .node, .reactorEvents, .componentEvents, .allEvents, .stream: findComputed(in: value)
    case .connectivity, nil: break
    }
  }

  /// Finds the credentials of others, and takes note that the scenario's own are none.
  private mutating func note(_ value: Value, from endpoint: EndpointID?) {
    if let endpoint, outside.endpoints.contains(endpoint) {
      finder.find(in: value)
    } else if outside.isAny {
      finder.allow(in: value)
    }
  }

  /// Searches what the scenario makes of what it has received.
  private mutating func findComputed(in value: Value) {
    if outside.isAnswered { finder.find(in: value) }
  }

  private mutating func find(in event: AssertionEvent) {
    switch event {
    case .exchanged(_, _, let exchange, _): find(in: exchange)
    case .received(_, _, let message, _): if outside.hasClients { finder.find(in: message) }
    case .attempted(_, _, let error?): findComputed(in: error)
    case .snapshotTaken(_, _, _, let value): findComputed(in: value)
    case .attempted, .opened, .checked, .invariantsSampled, .ignored: break
    }
  }

  private mutating func find(in event: NetworkEvent) {
    switch event {
    case .served(let source, _, let activity): find(in: activity, of: source)
    case .driftObserved(let observation):
      switch observation.part {
      case .unforeseen(let request): finder.find(in: request.request)
      case .answer(let exchange, _): find(in: exchange)
      case .opening(let value, _), .came(let value?, _): finder.find(in: value)
      case .sent(_, _, let message, _): finder.find(in: message)
      case .came: break
      }
    case .notResumed(_, _, let id): finder.find(in: .string(id))
    case .passedOver(_, _, let reason): finder.find(in: .string(reason))
    case .faulted, .pieceSent, .unreachable, .pieceUnread, .answeredAgain: break
    }
  }

  private mutating func find(in problem: RunProblem) {
    switch problem {
    case .unmatchedRequest(let request): if outside.hasClients { finder.find(in: request.request) }
    case .actionFailed(_, let error, _): findComputed(in: error)
    case .stepFailed(_, let message): findComputed(in: .string(message))
    case .requestFailed(_, let exchange, let error, _):
      find(in: exchange)
      findComputed(in: error)
    case .program(let problem):
      for line in problem.lines + problem.errors { finder.find(in: .string(line)) }
    case .evaluation, .limit, .endlessWait, .interrupted, .subject: break
    }
  }

  private mutating func find(in exchange: Exchange) {
    for hop in exchange.hops {
      let isOutside = hop.place != nil || outside.endpoints.contains(hop.endpoint)
      if isOutside {
        find(in: hop.request.headers)
        finder.find(in: .string(hop.request.target))
        finder.find(in: bodyValue(hop.request.body))
      }
      guard let response = hop.response else { continue }
      if isOutside { find(in: response.headers) }
      let body = bodyValue(response.body)
      if isOutside { finder.find(in: body) } else { finder.allow(in: body) }
    }
  }

  private mutating func find(in headers: [Exchange.Field]) {
    for header in headers {
      finder.find(inField: header.name, header.value)
      finder.find(in: .string(header.value))
    }
  }

  private mutating func find(in activity: ServerActivity, of source: SourceID) {
    switch activity {
    case .ignored(_, let path), .preflight(_, let path): finder.find(in: .string(path))
    case .misunderstood(let problem): finder.find(in: .string(problem))
    case .sentMessage(let message): allow(message, of: source)
    case .sentEvent(let event): if let data = event.data { allow(data, of: source) }
    case .answered(_, _, _, let issued):
      allow(bodyValue(issued.body), of: source)
      for cookie in issued.cookies { allow(["set-cookie": .string(cookie)], of: source) }
    case .streamed, .upgraded, .sentBytes, .saidGoodbye, .brokeOff: break
    }
  }

  /// Takes note of what a mock issues. What it only passes on is another's.
  private mutating func allow(_ value: Value, of source: SourceID) {
    guard case .endpoint(let id)? = plan.plan.sources[ifPresent: source]?.kind,
      let endpoint = plan.plan.endpoints[ifPresent: id], endpoint.proxy == nil,
      endpoint.routes.allSatisfy({ $0.proxies.isEmpty })
    else { return }
    finder.allow(in: value)
  }
}

/// Returns a body as JSON, or as the text or the bytes that it is.
private func bodyValue(_ body: [UInt8]) -> Value {
  if body.isEmpty { return .null }
  if case .success(let json) = parseJSON(body) { return json }
  return .bytes(body)
}

extension AssertionState {
  /// True if reports show something of a run that held.
  var showsMore: Bool { !pendingAtEnd.first.isEmpty || !faults.first.isEmpty }

  /// Hides credentials that nobody has declared, in place of those that were hidden before.
  mutating func hide(_ credentials: EventCredentials) {
    mask = credentials.areTooMany ? .everything : mask.hiding(credentials: credentials.found)
  }
}
