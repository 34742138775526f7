import ConnectionLoops
import Reactors
import ScenarioTesting

/// The reactor of the scenarios that a `FeedReader` plays.
let readerOfFeeds = """
  reactors:
    reader:
      state: { seen: "", problem: "" }
      actions:
        open: [{ set: { problem: "" } }]
        giveUp: [{ set: { problem: "" } }]
        end: [{ set: { problem: "" } }]
  """

/// A reader of a feed with the client of a program.
@Observable
final class FeedReader: Reactor {
  enum Action: CaseIterable { case open, giveUp, end }

  struct State {
    var seen = ""
    var problem = ""
  }

  private(set) var state = State()
  private let client: EventStreamClient
  private var reading: Task<Void, Never>?

  private let prepare: () -> Void

  init(_ client: EventStreamClient, _ prepare: @escaping () -> Void = {}) {
    self.client = client
    self.prepare = prepare
  }

  func action(_ action: Action) async {
    switch action {
    case .open:
      prepare()
      let reading = Task { await read() }
      self.reading = reading
      await reading.value
    case .giveUp: reading?.cancel()
    case .end: await client.terminate()
    }
  }

  private func read() async {
    let events = client.events
    do {
      try await client.connect()
      for await event in events { state.seen += (state.seen.isEmpty ? "" : " ") + event.data }
      state.problem = "the end"
    } catch ClientError.status(let response) {
      state.problem = "\(response.status) \(response.text)"
    } catch { state.problem = "\(error)" }
  }
}

/// A talker with the client of a program.
@Observable
final class Talker: Reactor {
  enum Action: Decodable {
    case enter
    case say(String)
  }

  struct State {
    var heard = ""
    var problem = ""
  }

  private(set) var state = State()
  private let client: WebSocketClient

  init(_ client: WebSocketClient) { self.client = client }

  func action(_ action: Action) async {
    do {
      switch action {
      case .enter: try await listen()
      case .say(let text): try await client.send(.text(text))
      }
    } catch { state.problem = "\(error)" }
  }

  private func listen() async throws {
    let (messages, states) = (client.messages, client.states)
    state.heard = try await client.connect() ?? ""
    Task {
      for await case .text(let text) in messages { state.heard = text }
    }
    for await state in states {
      if case .disconnected(.connectionLost(.unexpectedDisconnection(let code, let reason))) = state
      {
        throw ClientError.closed(code: code, reason: reason)
      }
    }
  }
}

/// An actor that runs on the loop of its client.
actor FirstEvent {
  private let client: EventStreamClient
  private let loop: any ClientLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(_ client: EventStreamClient, _ loop: any ClientLoop) {
    self.client = client
    self.loop = loop
  }

  func read() async throws -> String {
    let events = client.events
    try await client.connect()
    for await event in events { return event.data }
    return "the end"
  }
}

private struct Last: Decodable, Sendable { var number: Int }
private struct Change: Decodable, Sendable { var id: Int }

/// Reads what has changed since the last number.
@MainActor
func changes(in context: SubjectContext) async throws -> [Int] {
  let last = try await HTTPClient(on: context.loop)
    .value(Last.self, from: ClientRequest(context.url("api", "/last")))
  let client = context.lines("api", "/changes?since=\(last.number)")
  let lines = client.events
  try await client.connect()
  var found: [Int] = []
  for await line in lines {
    found.append(try line.decoded(as: Change.self).id)
    if found.count == 2 { break }
  }
  return found
}
