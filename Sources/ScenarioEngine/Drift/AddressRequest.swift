import Protocols
import TextSearch

/// The parts of a request that stay as they are when it is addressed to a real endpoint.
struct Addressing {
  /// True if the scenario wrote the `Host`. Otherwise it is that of the endpoint's URL.
  var keepsHost = false
  /// True if the target begins with the path of the endpoint's URL already.
  var isComplete = false
}

/// The use of the connection that a request begins.
enum RequestPurpose {
  case exchange
  case stream
  case webSocket
}

extension HTTPRequest {
  /// Adds the headers that servers expect of every client, unless the request has them. A stream
  /// is not compressed, since a compressor may hold an event back.
  mutating func addDefaults(for purpose: RequestPurpose, userAgent: String) {
    addDefault("User-Agent", userAgent)
    guard purpose != .webSocket else { return }
    addDefault("Accept", "*/*")
    // A part of a body cannot be decompressed, and the length after HEAD is to be the body's.
    guard purpose == .exchange, method != "HEAD", !headers.contains("Range") else { return }
    addDefault("Accept-Encoding", "gzip, deflate, br, zstd")
  }

  private mutating func addDefault(_ name: String, _ value: String) {
    if headers.contains(name) || omittedHeaders.contains(name.lowercasedASCII) { return }
    headers.add(name, value)
  }
}
