import ScenarioPlan
import Values

/// The exchange between a `request` and an endpoint, as it was sent.
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
    /// The origin of the body; nil if all of it was written in the scenario.
    package var upload: Upload?

    package init(
      method: String, target: String, headers: [Field], body: [UInt8], upload: Upload? = nil
    ) {
      self.method = method
      self.target = target
      self.headers = headers
      self.body = body
      self.upload = upload
    }
  }

  /// The origin of a body that is made from files or parts.
  package enum Upload: Sendable {
    case file(path: String)
    case parts([Part])

    package struct Part: Sendable {
      package enum Content: Sendable {
        case file(path: String)
        case text(String)

        /// The path or the text.
        package var text: String {
          switch self {
          case .file(let path): path
          case .text(let text): text
          }
        }
      }

      package var name: String
      package var content: Content
      package var filename: String?
      package var contentType: String?

      package init(
        name: String, content: Content, filename: String? = nil, contentType: String? = nil
      ) {
        self.name = name
        self.content = content
        self.filename = filename
        self.contentType = contentType
      }
    }
  }

  /// A way to read a body as text.
  package enum Reading: Sendable {
    /// The bytes are UTF-8.
    case plain
    /// The bytes are in another charset, or begin with a mark.
    indirect case decoded(String)
    /// The bytes are no text, for this reason.
    indirect case unreadable(String)
  }

  package struct Response: Sendable {
    package var status: Int
    package var reason: String
    package var headers: [Field]
    package var body: [UInt8]
    /// How the body is read as text.
    package var reading: Reading
    /// The cookies that the answer sets: by name, with their attributes.
    package var cookies: ValueMap

    package init(
      status: Int, reason: String, headers: [Field], body: [UInt8], cookies: ValueMap = ValueMap(),
      reading: Reading = .plain
    ) {
      self.status = status
      self.reason = reason
      self.headers = headers
      self.body = body
      self.cookies = cookies
      self.reading = reading
    }

    /// The body as text; nil for any other text.
    package var text: String? {
      switch reading {
      case .plain: String(validating: body, as: UTF8.self)
      case .decoded(let text): text
      case .unreadable: nil
      }
    }

    /// The reason why the body is no text; nil if it is one.
    package var unreadable: String? {
      switch reading {
      case .plain: text == nil ? "its bytes are not UTF-8" : nil
      case .decoded: nil
      case .unreadable(let reason): reason
      }
    }

    /// Returns the first field of this name, in any case.
    package subscript(_ name: String) -> String? {
      headers.first { $0.name.lowercasedASCII == name }?.value
    }
  }

  /// The place of a real endpoint as reports and `curl` show it, without secrets.
  package struct Place: Sendable, Equatable {
    package var host: String
    /// The `Host` that the scenario wrote, which is sent in place of the URL's.
    package var writtenHost: String?
    package var url: String
    package var curlOptions: [String]

    package init(
      host: String, writtenHost: String? = nil, url: String, curlOptions: [String] = []
    ) {
      self.host = host
      self.writtenHost = writtenHost
      self.url = url
      self.curlOptions = curlOptions
    }
  }

  /// A request and its answer; the answer is nil if none came.
  package struct Hop: Sendable {
    package var endpoint: EndpointID
    package var request: Request
    package var response: Response?
    /// The place of the endpoint; nil if a mock answered.
    package var place: Place?

    package init(endpoint: EndpointID, request: Request, place: Place? = nil) {
      self.endpoint = endpoint
      self.request = request
      self.place = place
    }
  }

  /// The request, and the requests of its redirects.
  package var hops: [Hop]
  package var began: Microseconds
  package var ended: Microseconds
  /// How long the server asks to wait before the next request, by its clock and ours.
  package var retryAfter: Microseconds?

  package init(hops: [Hop], began: Microseconds, ended: Microseconds) {
    self.hops = hops
    self.began = began
    self.ended = ended
  }

  /// The answer that is checked: the last one.
  package var response: Response? { hops.last?.response }
}
