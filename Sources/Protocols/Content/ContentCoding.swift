/// How a body is compressed on its way.
package enum ContentCoding: String, Sendable, CaseIterable {
  case gzip
  /// In zlib's wrapping, as the rules have it, or without, as many servers send it.
  case deflate

  /// The coding with a name a header uses; nil for one that is not known here.
  package init?(name: String) {
    if sameName(name, "gzip") || sameName(name, "x-gzip") {
      self = .gzip
    } else if sameName(name, "deflate") {
      self = .deflate
    } else {
      return nil
    }
  }

  /// The coding headers tell; nil where there is none, several, or one that is not known here:
  /// such a body is left as it is.
  package init?(of headers: HTTPHeaders) {
    let names = headers.values("Content-Encoding").flatMap { $0.split(separator: ",") }
      .map { String($0.filter { $0 != " " && $0 != "\t" }) }
      .filter { !$0.isEmpty && !sameName($0, "identity") }
    guard names.count == 1 else { return nil }
    self.init(name: names[0])
  }
}

/// What a compressed body holds.
package enum ContentItem: Sendable, Equatable {
  /// A piece of the body as it was before, cut wherever it happened to be cut.
  case bytes([UInt8])
  /// The body is given up; nothing follows.
  case problem(HTTPProblem)
}
