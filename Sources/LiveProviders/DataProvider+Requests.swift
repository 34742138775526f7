import ConnectionLoops
import JSONCoding
@_exported import Lists
import Publishers
import RealSchedulers

extension DataProvider where Item: Decodable & Sendable, Failure == ProviderError {
  /// Makes a provider of a JSON array that a server answers with. The request is made for each
  /// load, so it may have parameters that change.
  ///
  /// ```swift
  /// let provider = DataProvider<User, ProviderError>.http { "https://api.example.com/users" }
  /// let users = ListModel(dataProvider: provider)
  /// ```
  public static func http<Scheduler: PublisherScheduler & Sendable>(
    client: HTTPClient = HTTPClient(), on scheduler: Scheduler = MainScheduler.mainActor,
    _ request: @escaping @Sendable () throws -> ClientRequest
  ) -> DataProvider {
    http(client: client, on: scheduler, decoding: [Item].self, request) { $0 }
  }

  /// Makes a provider of items that are a part of a JSON answer.
  public static func http<Answer: Decodable & Sendable, Scheduler: PublisherScheduler & Sendable>(
    client: HTTPClient = HTTPClient(), on scheduler: Scheduler = MainScheduler.mainActor,
    decoding type: Answer.Type, _ request: @escaping @Sendable () throws -> ClientRequest,
    items: @escaping @Sendable (Answer) -> [Item]
  ) -> DataProvider {
    .async(on: scheduler) { items(try await client.value(type, from: try request())) }
  }

  /// Makes a provider of a file with a JSON array. It is read for each load. A file that is missing
  /// fails with `fileNotFound`.
  public static func file<Scheduler: PublisherScheduler & Sendable>(
    _ path: String, on scheduler: Scheduler = MainScheduler.mainActor
  ) -> DataProvider {
    .async(on: scheduler) { try decodeJSON([Item].self, from: try fileBytes(at: path)) }
  }

  /// Makes a provider of a stream: each event or line is a JSON array, which takes the place of the
  /// items before. The load connects; the end of the stream is the end of the load.
  public static func events<Scheduler: PublisherScheduler & Sendable>(
    on scheduler: Scheduler = MainScheduler.mainActor,
    _ make: @escaping @Sendable () -> EventStreamClient
  ) -> DataProvider {
    DataProvider {
      TaskPublisher(scheduler: scheduler) { emit in
        let client = make()
        try await read(client) { emit(try $0.decoded()) }
      }
    }
  }
}

/// Reads all events of a client until its last connection has ended.
private func read(
  _ client: EventStreamClient, _ receive: @escaping @Sendable (ServerSentEvent) throws -> Void
) async throws {
  let (events, states) = (client.events, client.states)
  try await client.connect()
  async let end = endAfterAll(client, states)
  for await event in events { try receive(event) }
  switch await end {
  case nil, .streamEnded, .disconnected, .terminated: break
  case let error?: throw error
  }
}

/// Waits until a client is disconnected and will not retry, terminates it so that its events end,
/// and returns the reason.
private func endAfterAll(
  _ client: EventStreamClient, _ states: ClientSequence<EventStreamState>
) async -> ClientError? {
  for await state in states {
    guard case .disconnected = state, let error = await client.lastError() else { continue }
    await client.terminate()
    return error
  }
  return nil
}

extension ClientError: ProviderErrorCause {
  public var kindOfProviderError: ProviderError.Kind {
    switch self {
    case .undecodable: .decodingError
    case .request: .invalidURL
    default: .networkError
    }
  }
}
