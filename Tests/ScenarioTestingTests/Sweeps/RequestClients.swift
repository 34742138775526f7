import Reactors
import ScenarioTesting

/// A shop that sends an order up to three times. The wrong one gives each attempt another key.
@Observable
final class Shop: Reactor {
  enum Action: CaseIterable { case buy }
  struct Order: Decodable { var id: Int }
  struct State { var order: AsyncLoad<Order>? }

  private(set) var state = State()
  private let http: EndpointClient
  private let isRight: Bool

  init(_ http: EndpointClient, isRight: Bool) {
    self.http = http
    self.isRight = isRight
  }

  func action(_ action: Action) async {
    for attempt in 1...3 {
      state.order = .loading
      let key = isRight ? "order-7" : "attempt-\(attempt)"
      do {
        let answer = try await http.post(
          "/orders", json: ["item": "tea"], headers: ["Idempotency-Key": key])
        state.order = .loaded(try answer.decoded())
        return
      } catch { state.order = .error(error) }
      try? await Task.sleep(for: .seconds(1))
    }
  }

  nonisolated static func stage(isRight: Bool) -> Stage {
    let stage = Stage()
    stage.bind("shop") { Shop($0.http("api"), isRight: isRight) }
    return stage
  }
}

/// A worker that does jobs in their order. The wrong one stores the id of a job before it is done.
@Observable
final class Worker: Reactor {
  enum Action: CaseIterable { case work }
  struct Job: Decodable { var id: Int }
  struct Receipt: Decodable { var ok: Bool }

  struct State {
    var job: AsyncLoad<Job> = .none
    var receipt: AsyncLoad<Receipt> = .none
    var last = 0
  }

  private(set) var state = State()
  private let http: EndpointClient
  private let isRight: Bool

  init(_ http: EndpointClient, isRight: Bool) {
    self.http = http
    self.isRight = isRight
  }

  func action(_ action: Action) async {
    for _ in 1...20 where state.last < 3 {
      try? await doNextJob()
      try? await Task.sleep(for: .seconds(1))
    }
  }

  private func doNextJob() async throws {
    let job: Job = try await http.get("/jobs?after=\(state.last)").decoded()
    if !isRight { state.last = job.id }
    _ = try await http.post("/jobs/\(job.id)/done", json: [:] as [String: Int]).checked()
    state.last = job.id
  }

  nonisolated static func stage(isRight: Bool) -> Stage {
    let stage = Stage()
    stage.bind("worker") { Worker($0.http("queue"), isRight: isRight) }
    return stage
  }
}

/// A search that asks up to five times. In the wrong one, an answer to an old search still counts.
@Observable
final class SearchPage: Reactor {
  enum Action: Decodable { case search(String) }
  struct Found: Decodable { var found: String }
  struct State { var result: AsyncLoad<Found> = .none }

  private(set) var state = State()
  private let http: EndpointClient
  private let isRight: Bool
  private var word = ""

  init(_ http: EndpointClient, isRight: Bool) {
    self.http = http
    self.isRight = isRight
  }

  func action(_ action: Action) async {
    switch action {
    case .search(let word): await search(word)
    }
  }

  private func search(_ word: String) async {
    self.word = word
    state.result = .loading
    for _ in 1...5 {
      let found = try? await http.get("/search?word=\(word)").decoded(as: Found.self)
      if isRight && self.word != word { return }
      if let found {
        state.result = .loaded(found)
        return
      }
      try? await Task.sleep(for: .milliseconds(300))
    }
  }

  nonisolated static func stage(isRight: Bool) -> Stage {
    let stage = Stage()
    stage.bind("page") { SearchPage($0.http("api"), isRight: isRight) }
    return stage
  }
}
