import TextSearch

/// A request whose body is expanded, or why it cannot be.
package struct ExpandedRequest: Sendable {
  package var request: HTTPRequest
  package var problem: ContentProblem?
}

/// The reason why the body of a request cannot be read.
package enum ContentProblem: Sendable, Equatable {
  case unknownCoding(String)
  case broken(HTTPProblem)

  package var message: String {
    switch self {
    case .unknownCoding(let name):
      "the Content-Encoding \(name) is none of gzip, deflate, br and zstd"
    case .broken(let problem): problem.message
    }
  }

  /// The answer of a server, with the codings that it accepts.
  package var answer: HTTPResponse {
    switch self {
    case .unknownCoding, .broken(.missingCodingLibrary):
      let known = ContentCoding.allCases.filter { $0.missingLibrary == nil }.map(\.rawValue)
      return HTTPResponse(
        status: 415, headers: ["Accept-Encoding": known.joined(separator: ", ")])
    case .broken(let problem):
      return HTTPResponse(status: problem == .expandedBodyTooLarge ? 413 : 400)
    }
  }
}

extension HTTPRequest {
  /// Returns the request with its body as it was before it was compressed. A body that cannot be
  /// expanded stays as it came.
  package func expanded() -> ExpandedRequest {
    guard !body.isEmpty, headers.contains("Content-Encoding") else {
      return ExpandedRequest(request: self)
    }
    if let name = ContentCoding.unknownName(in: headers) {
      return ExpandedRequest(request: self, problem: .unknownCoding(name))
    }
    var request = self
    for coding in ContentCoding.all(in: headers).reversed() {
      var decoder = ContentDecoder(coding)
      var bytes: [UInt8] = []
      for item in decoder.receive(request.body) + decoder.finish() {
        switch item {
        case .bytes(let piece): bytes += piece
        case .problem(let problem):
          return ExpandedRequest(request: self, problem: .broken(problem))
        }
      }
      request.body = bytes
    }
    return ExpandedRequest(request: request)
  }
}
