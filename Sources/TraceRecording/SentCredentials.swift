import Events
import ScenarioPlan
import Secrets
import Values

/// The credentials that clients send to endpoints that are served, and that nobody has declared.
///
/// They are found as for a recording, and have the same kind of name: `‹authorization#1›`. So a
/// console shows that two of them differ, and shows neither.
package struct SentCredentials: Sendable {
  private let endpoints: Set<SourceID>
  private var tokens: CredentialFinder
  private var latest = NamedSecrets()
  /// Those before the latest. A run without an end gets any number of credentials.
  private var earlier = NamedSecrets()
  /// The credentials after which the earlier ones are forgotten.
  private let most: Int

  /// - Parameter isPublic: Returns whether the scenario itself has a text.
  package init(
    _ plan: ScenarioPlan, most: Int = 1_000, isPublic: @escaping @Sendable (String) -> Bool
  ) {
    endpoints = Set(plan.endpoints.map(\.source))
    tokens = CredentialFinder(isPublic: isPublic)
    self.most = most
  }

  /// Finds the credentials in what a client has sent.
  package mutating func learn(from event: Event) {
    switch event.kind {
    case .source(.emitted(let source, let value)):
      guard endpoints.contains(source) else { return }
      tokens.find(in: value)
    case .network(.served(_, _, let activity)): learn(from: activity)
    case .source, .network, .run, .script, .assertion: return
    }
    for token in tokens.takeFound() { add(token) }
  }

  private mutating func learn(from activity: ServerActivity) {
    switch activity {
    case .ignored(_, let path), .preflight(_, let path): tokens.find(in: .string(path))
    case .misunderstood(let problem): tokens.find(in: .string(problem))
    // What the scenario itself issues is no secret of others.
    case .sentMessage(let message): tokens.allow(in: message)
    case .sentEvent(let event): if let data = event.data { tokens.allow(in: data) }
    case .answered, .streamed, .upgraded, .sentBytes, .saidGoodbye, .brokeOff: break
    }
  }

  private mutating func add(_ token: NamedSecret) {
    if latest.count >= most {
      earlier = latest
      latest = NamedSecrets()
      tokens.forget()
    }
    latest.add(token.text, name: token.name)
  }

  /// Returns an event of a conversation with the names of the credentials in their place.
  package func masked(_ event: Event) -> Event {
    var event = event
    switch event.kind {
    case .source(.emitted(let source, let value)):
      event.kind = .source(.emitted(source, masked(value)))
    case .network(.served(let source, let connection, let activity)):
      event.kind = .network(.served(source, connection: connection, masked(activity)))
    case .source, .network, .run, .script, .assertion: break
    }
    return event
  }

  private func masked(_ activity: ServerActivity) -> ServerActivity {
    switch activity {
    case .sentMessage(let message): return .sentMessage(masked(message))
    case .sentEvent(var event):
      event.name = event.name.map { masked($0) }
      event.data = event.data.map { masked($0) }
      event.comment = event.comment.map { masked($0) }
      return .sentEvent(event)
    case .saidGoodbye(let code, let reason):
      return .saidGoodbye(code: code, reason: masked(reason))
    case .ignored(let method, let path): return .ignored(method: method, path: masked(path))
    case .preflight(let method, let path): return .preflight(method: method, path: masked(path))
    case .misunderstood(let problem): return .misunderstood(masked(problem))
    case .answered, .streamed, .upgraded, .sentBytes, .brokeOff: return activity
    }
  }

  private func masked(_ value: Value) -> Value { earlier.masked(latest.masked(value)) }

  private func masked(_ text: String) -> String { earlier.masked(latest.masked(text)) }

  /// Returns a finished text without the credentials, and without the parts that an ellipsis has
  /// cut.
  package func masked(page text: String) -> String {
    earlier.masked(page: latest.masked(page: text))
  }
}
