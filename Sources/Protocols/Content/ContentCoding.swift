/// The compression of a body.
package enum ContentCoding: String, Sendable, CaseIterable {
  case gzip
  /// Compression in zlib's wrapping, as the rules have it, or without, as many servers send it.
  case deflate

  /// Makes the coding with a name of a header; nil for an unknown one.
  package init?(name: String) {
    if sameName(name, "gzip") || sameName(name, "x-gzip") {
      self = .gzip
    } else if sameName(name, "deflate") {
      self = .deflate
    } else {
      return nil
    }
  }

  /// Makes the coding that headers name; nil if there is none, several, or an unknown one. Such a
  /// body is left unchanged.
  package init?(of headers: HTTPHeaders) {
    let names = headers.values("Content-Encoding").flatMap { $0.split(separator: ",") }
      .map { String($0.filter { $0 != " " && $0 != "\t" }) }
      .filter { !$0.isEmpty && !sameName($0, "identity") }
    guard names.count == 1 else { return nil }
    self.init(name: names[0])
  }
}

/// An item of a compressed body.
package enum ContentItem: Sendable, Equatable {
  /// A piece of the expanded body, cut anywhere.
  case bytes([UInt8])
  /// The body cannot be expanded; nothing follows.
  case problem(HTTPProblem)
}
