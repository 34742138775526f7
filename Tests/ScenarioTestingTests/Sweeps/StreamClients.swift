import ConnectionLoops
import Reactors
import ScenarioTesting

/// What the objects of one run share. Each run replaces it.
@MainActor
final class RunParts<Client: Sendable> {
  var client: Client!

  nonisolated init() {}
}

/// A sum of prices. The wrong one is cleared whenever the line breaks.
@Observable
final class Cart: Reactor {
  enum Action: Decodable {
    case add(Event)
    case clear
  }

  struct Event: Decodable { var data: Price }
  struct Price: Decodable { var price: Int }
  struct State { var total = 0 }

  private(set) var state = State()

  init(_ client: EventStreamClient, isRight: Bool) {
    if isRight { return }
    let states = client.states
    Task { [weak self] in
      for await case .disconnected in states { self?.state.total = 0 }
    }
  }

  func action(_ action: Action) async {
    switch action {
    case .add(let event): state.total += event.data.price
    case .clear: break
    }
  }

  nonisolated static func stage(isRight: Bool) -> Stage {
    let (stage, parts) = (Stage(), RunParts<EventStreamClient>())
    stage.bind(connection: "feed") { context -> EventStreamClient in
      let client = context.events("server", "/prices", retry: RetryPolicy(maxAttempts: 5))
      parts.client = client
      return client
    }
    stage.bind("cart") { _ in Cart(parts.client, isRight: isRight) }
    return stage
  }
}

/// A sum of steps. After a lost connection it makes a new client, to which the wrong one gives no
/// `Last-Event-ID`.
@Observable
final class Walk: Reactor {
  enum Action: Decodable { case add(Event) }

  struct Event: Decodable {
    var id: String?
    var data: Steps
  }

  struct Steps: Decodable { var steps: Int }
  struct State { var total = 0 }

  private(set) var state = State()
  private let context: SubjectContext
  private let isRight: Bool
  private var lastID: String?

  init(_ client: EventStreamClient, _ context: SubjectContext, isRight: Bool) {
    self.context = context
    self.isRight = isRight
    followEnd(of: client)
  }

  func action(_ action: Action) async {
    switch action {
    case .add(let event): add(event.data, event.id)
    }
  }

  private func add(_ steps: Steps, _ id: String?) {
    state.total += steps.steps
    lastID = id
  }

  private func followEnd(of client: EventStreamClient) {
    let states = client.states
    Task {
      for await case .disconnected in states {
        try? await Task.sleep(for: .milliseconds(500))
        return await connectAgain()
      }
    }
  }

  private func connectAgain() async {
    var headers: HeaderFields = [:]
    if isRight, let lastID { headers["Last-Event-ID"] = lastID }
    let client = context.events("server", "/steps", headers: headers)
    let events = client.events
    followEnd(of: client)
    guard (try? await client.connect()) != nil else { return }
    for await event in events {
      if let steps = try? event.decoded(as: Steps.self) { add(steps, event.id) }
    }
  }

  nonisolated static func stage(isRight: Bool) -> Stage {
    let (stage, parts) = (Stage(), RunParts<EventStreamClient>())
    stage.bind(connection: "feed") { context -> EventStreamClient in
      let client = context.events("server", "/steps")
      parts.client = client
      return client
    }
    stage.bind("walk") { Walk(parts.client, $0, isRight: isRight) }
    return stage
  }
}

/// A banner that is shown after 5s without a connection. The wrong one does not stop its timer.
@Observable
final class Banner: Reactor {
  enum Action: CaseIterable { case watch }
  struct State { var isShown = false }

  private(set) var state = State()
  private let client: EventStreamClient
  private let isRight: Bool
  private var timer: Task<Void, Never>?

  init(_ client: EventStreamClient, isRight: Bool) {
    self.client = client
    self.isRight = isRight
  }

  func action(_ action: Action) async {
    switch client.state {
    case .connected:
      if isRight { timer?.cancel() }
      state.isShown = false
    case .disconnected: timer = timer(showingAfter: .seconds(5))
    case .notConnected, .connecting: break
    }
  }

  private func timer(showingAfter delay: Duration) -> Task<Void, Never> {
    if isRight { timer?.cancel() }
    return Task {
      guard (try? await Task.sleep(for: delay)) != nil else { return }
      state.isShown = true
    }
  }

  nonisolated static func stage(isRight: Bool) -> Stage {
    let (stage, parts) = (Stage(), RunParts<EventStreamClient>())
    stage.bind(connection: "feed") { context -> EventStreamClient in
      let retry = RetryPolicy(maxAttempts: 5, initialDelay: .milliseconds(500))
      let client = context.events("server", "/news", retry: retry)
      parts.client = client
      return client
    }
    stage.bind("banner") { _ in Banner(parts.client, isRight: isRight) }
    return stage
  }
}

/// A member of a room, who connects again. The wrong one subscribes to the room only once.
@Observable
final class RoomMember: Reactor {
  enum Action: Decodable {
    case hear(Message)
    case meet
  }

  struct Message: Decodable { var number: Int }
  struct State { var last = 0 }

  private(set) var state = State()
  private let client: WebSocketClient
  private let isRight: Bool
  private var isMember = false

  init(_ client: WebSocketClient, isRight: Bool) {
    self.client = client
    self.isRight = isRight
  }

  func action(_ action: Action) async {
    switch action {
    case .hear(let message): state.last = message.number
    case .meet: await meet()
    }
  }

  private func meet() async {
    switch client.state {
    case .connected:
      if isMember && !isRight { return }
      isMember = true
      try? await client.send(.text(#"{"join":"lobby","after":\#(state.last)}"#))
    case .disconnected:
      try? await Task.sleep(for: .milliseconds(500))
      _ = try? await client.connect()
    case .notConnected, .connecting: break
    }
  }

  nonisolated static func stage(isRight: Bool) -> Stage {
    let (stage, parts) = (Stage(), RunParts<WebSocketClient>())
    stage.bind(connection: "room") { context -> WebSocketClient in
      let client = context.webSocket("chat", "/rooms", ping: nil)
      parts.client = client
      return client
    }
    stage.bind("talk") { _ in RoomMember(parts.client, isRight: isRight) }
    return stage
  }
}
