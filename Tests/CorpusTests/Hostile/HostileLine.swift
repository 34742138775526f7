/// Scenarios of well-behaved clients and mocks over a line with faults. The same seed gives the
/// same faults.
struct HostileLine {
  private let seed: UInt64
  private var mutation: ScenarioMutation

  init(seed: UInt64) {
    self.seed = seed
    mutation = ScenarioMutation(seed: seed &* 7 &+ 5)
  }

  /// Requests, a stream and a socket at once, in pieces, each of which any fault may strike.
  mutating func scenario() -> String {
    """
    scenario: Line \(seed)
    endpoints:
      api: { http: [{ post: /, respond: { json: { text: "ünïcödé", list: [1, 2, 3] } } }] }
      feed:
        sse:
          - accept: {}
            script:
              - event: { id: "7", event: price, data: one }
              - { repeat: 3, steps: [{ event: two }] }
      room:
        websocket:
          - accept: {}
            script: [{ send: { json: { hello: 1 } } }, { wait: 1s }, { send: text }]
    providers: { answer: { endpoint: api, post: /, json: { a: [1, 2] } } }
    reactors: { it: { state: { answer: none }, actions: { ask: [{ load: { answer: answer } }] } } }
    connections:
      news: { sse: { endpoint: feed, path: / }, idle: 10s, retry: { maxAttempts: 2 } }
      chat: { websocket: { endpoint: room, path: / }, ping: { interval: 3s }, idle: 10s }
    steps:
      - ignore: [api, feed, room, it.answer, news, news.state, chat, chat.state]
      - network: { fragments: \(fragments()), faults: { \(faults()) } }
      - connect: news
      - connect: chat
      - repeat: 3
        steps: [{ send: it.ask }, { wait: 11s }]
      - network: { fragments: none, faults: none }
      - wait: 1m
      - disconnect: news
      - check: has(news.state.disconnected)
      - check: has(chat.state.disconnected)
    """
  }

  private mutating func fragments() -> String {
    ["none", "1", "[1, 7, 1400]", "[3, 64]"][mutation.random(4)]
  }

  /// Returns faults: mostly two or three that strike often.
  private mutating func faults() -> String {
    var shares: [String] = []
    for name in ["refuse", "drop", "reset", "stall", "corrupt", "duplicate"]
    where mutation.random(3) == 0 {
      shares.append("\(name): 0.\(1 + mutation.random(30))")
    }
    if mutation.random(3) == 0 { shares.append("delay: { share: 0.5, upTo: 300ms }") }
    return shares.isEmpty ? "corrupt: 0.2" : shares.joined(separator: ", ")
  }
}
