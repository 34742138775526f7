import ConnectionLoops
import Testing

// The code of the article.

struct Price: Codable, Equatable {
  var symbol: String
  var cents: Int
}

actor PriceFeed {
  private(set) var prices: [String: Int] = [:]
  private let client: EventStreamClient

  init(token: String, on loop: any ClientLoop = ConnectionLoop.shared) {
    let request = ClientRequest("https://prices.example/live", authorization: .bearer(token))
    client = EventStreamClient(request, retry: RetryPolicy(), idle: .seconds(60), on: loop)
  }

  func follow() async throws {
    let events = client.events
    try await client.connect()
    for await event in events {
      let price = try event.decoded(as: Price.self)
      prices[price.symbol] = price.cents
    }
  }
}

func problem(of feed: PriceFeed) async -> String? {
  do {
    try await feed.follow()
    return nil
  } catch ClientError.status(let response) {
    return "\(response.status): \(response.text)"
  } catch {
    return "\(error)"
  }
}

func refusedFeed() async -> String? {
  let loop = VirtualLoop()
  loop.serve(at: "prices.example") { request in
    request.headers["Authorization"] == "Bearer right"
      ? ClientResponse(status: 200, headers: ["Content-Type": "text/event-stream"])
      : ClientResponse(status: 401, text: "who are you?")
  }
  return await problem(of: PriceFeed(token: "wrong", on: loop))
}

@Suite struct PriceFeedArticle {
  @Test func `the feed of the article reports what the server answers`() async {
    #expect(await refusedFeed() == "401: who are you?")
  }
}
