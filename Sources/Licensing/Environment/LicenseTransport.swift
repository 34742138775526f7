import Publishers

/// A request to the license server.
public struct LicenseRequest: Sendable {
  /// The method, such as `POST`.
  public var method: String
  /// The complete URL.
  public var url: String
  /// The header fields.
  public var headers: [(name: String, value: String)]
  /// The body; empty without one.
  public var body: [UInt8]
  /// The time after which nobody waits for the answer any more.
  public var timeout: Duration

  /// Makes a request.
  public init(
    method: String, url: String, headers: [(name: String, value: String)] = [],
    body: [UInt8] = [], timeout: Duration = .seconds(30)
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
  }
}

/// An answer of the license server.
public struct LicenseResponse: Sendable, Hashable {
  /// The status, such as 200.
  public var status: Int
  /// The body.
  public var body: [UInt8]

  /// Makes an answer.
  public init(status: Int, body: [UInt8] = []) {
    self.status = status
    self.body = body
  }

  /// Makes an answer from text.
  public init(status: Int, text: String) {
    self.init(status: status, body: Array(text.utf8))
  }
}

/// The reason why a request has no answer.
public struct LicenseTransportError: Error, Sendable, Hashable {
  /// The reason, for people.
  public var message: String

  /// Makes a reason.
  public init(_ message: String) { self.message = message }
}

/// The way of requests to the license server.
///
/// A transport does not follow redirects, does not repeat requests, and checks certificates.
@MainActor
public protocol LicenseTransport: AnyObject {
  /// Sends a request, and calls `completion` once, after this function has returned. Cancelling the
  /// result ends the request without a call.
  func send(
    _ request: LicenseRequest,
    completion: @escaping @MainActor (Result<LicenseResponse, LicenseTransportError>) -> Void
  ) -> any Cancellable
}

/// A transport made of an `async` function, such as a call of the program's own HTTP client.
@MainActor
public final class AsyncLicenseTransport: LicenseTransport {
  private let respond: @Sendable (LicenseRequest) async throws -> LicenseResponse

  /// Makes a transport. The function throws if there is no answer.
  public init(_ respond: @escaping @Sendable (LicenseRequest) async throws -> LicenseResponse) {
    self.respond = respond
  }

  /// Calls the function in a task, which is cancelled with the request.
  public func send(
    _ request: LicenseRequest,
    completion: @escaping @MainActor (Result<LicenseResponse, LicenseTransportError>) -> Void
  ) -> any Cancellable {
    let task = Task { @MainActor [respond] in
      do {
        let response = try await respond(request)
        if !Task.isCancelled { completion(.success(response)) }
      } catch {
        if !Task.isCancelled { completion(.failure(LicenseTransportError("\(error)"))) }
      }
    }
    return AnyCancellable { task.cancel() }
  }
}
