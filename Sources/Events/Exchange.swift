import ScenarioPlan
import Values

/// What went between a `request` and an endpoint, as it was sent.
package struct Exchange: Sendable {
  package struct Field: Sendable, Equatable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package struct Request: Sendable {
    package var method: String
    package var target: String
    package var headers: [Field]
    package var body: [UInt8]

    package init(method: String, target: String, headers: [Field], body: [UInt8]) {
      self.method = method
      self.target = target
      self.headers = headers
      self.body = body
    }
  }

  package struct Response: Sendable {
    package var status: Int
    package var reason: String
    package var headers: [Field]
    package var body: [UInt8]
    /// The cookies it sets: by name, with their attributes.
    package var cookies: ValueMap

    package init(
      status: Int, reason: String, headers: [Field], body: [UInt8], cookies: ValueMap = ValueMap()
    ) {
      self.status = status
      self.reason = reason
      self.headers = headers
      self.body = body
      self.cookies = cookies
    }

    /// The first field of this name, in whatever case it was sent.
    package subscript(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name }?.value
    }
  }

  /// Where a real endpoint is, as reports and `curl` write it: nothing secret.
  package struct Place: Sendable, Equatable {
    package var host: String
    package var url: String
    package var curlOptions: [String]

    package init(host: String, url: String, curlOptions: [String] = []) {
      self.host = host
      self.url = url
      self.curlOptions = curlOptions
    }
  }

  /// A request and its answer; nil where none came.
  package struct Hop: Sendable {
    package var endpoint: EndpointID
    package var request: Request
    package var response: Response?
    /// Nil where a mock answered.
    package var place: Place?

    package init(endpoint: EndpointID, request: Request, place: Place? = nil) {
      self.endpoint = endpoint
      self.request = request
      self.place = place
    }
  }

  /// The request, and those that redirects led to.
  package var hops: [Hop]
  package var began: Microseconds
  package var ended: Microseconds

  package init(hops: [Hop], began: Microseconds, ended: Microseconds) {
    self.hops = hops
    self.began = began
    self.ended = ended
  }

  /// The answer that is judged: the last one.
  package var response: Response? { hops.last?.response }
}
