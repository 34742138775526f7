import Protocols
import TextSearch
import World

/// The other spelling of bodies in a sweep: compressed, for a client that asked for it.
struct OtherCoding {
  private var encoder: ContentEncoder?
  private var isWanted = false

  init() {}

  /// - Parameters:
  ///   - line: The name of the endpoint.
  ///   - disturbances: The disturbances of the run.
  init(of request: HTTPRequest, on line: String, _ disturbances: [Disturbance]) {
    isWanted =
      disturbances.contains(.rewritten(line: line, .gzip))
      && request.headers.words("Accept-Encoding").contains {
        $0 == "gzip" || $0.hasPrefix("gzip;") && !$0.hasSuffix("q=0")
      }
  }

  /// Returns a whole answer in the other spelling.
  func changed(_ response: HTTPResponse) -> HTTPResponse {
    guard let changed = compressed(response), !response.body.isEmpty else { return response }
    var whole = changed
    whole.body = Protocols.compressed(response.body, by: [.gzip])
    return whole
  }

  /// Returns the head of a stream, whose body follows in the other spelling.
  mutating func begun(_ head: HTTPResponse) -> HTTPResponse {
    guard let changed = compressed(head) else { return head }
    encoder = ContentEncoder(.gzip)
    return changed
  }

  mutating func written(_ bytes: [UInt8]) -> [UInt8] { encoder?.write(bytes) ?? bytes }

  /// Returns the last bytes of a stream, if there are any.
  mutating func ended() -> [[UInt8]] {
    defer { encoder = nil }
    guard let last = encoder?.finish() else { return [] }
    return [last]
  }

  private func compressed(_ head: HTTPResponse) -> HTTPResponse? {
    guard isWanted, head.headers["Content-Encoding"] == nil,
      ContentCoding.gzip.missingLibrary == nil
    else { return nil }
    var head = head
    head.headers["Content-Encoding"] = "gzip"
    return head
  }
}
