/// The reason why an HTTP exchange failed: one case for each reason, so that none is lost on the
/// way up.
package enum HTTPProblem: Error, Sendable, Equatable, CaseIterable {
  case invalidMethod
  case invalidTarget
  case invalidVersion
  case unsupportedVersion
  /// The other side speaks HTTP/2 only.
  case http2
  /// The other side began TLS.
  case secured
  case invalidHost
  case invalidStatusLine
  case invalidStatus
  case invalidHeader
  case invalidLineEnd
  case headTooLarge
  case tooManyHeaders
  case slowHead
  case bodyTooLarge
  case invalidContentLength
  case conflictingLengths
  case invalidTransferEncoding
  case unsupportedTransferCoding
  case invalidChunkSize
  case invalidContentCoding
  case expandedBodyTooLarge
  case missingCodingLibrary
  case unexpectedEndBeforeHead
  case unexpectedEndInHead
  case unexpectedEndInBody
  case unexpectedEndInChunkedBody
  case unexpectedEndInContentCoding
  case unexpectedBytes
  case unsendableMethod
  case unsendableTarget
  case unsendableHeader
  case unsendableStatus
  case unexpectedResponse
  case connectionBusy
  case connectionClosed
  case connectionReset
  case parserFailure

  /// The stable name of the problem, in kebab-case.
  package var id: String {
    switch self {
    case .invalidMethod: "http-invalid-method"
    case .invalidTarget: "http-invalid-target"
    case .invalidVersion: "http-invalid-version"
    case .unsupportedVersion: "http-unsupported-version"
    case .invalidHost: "http-invalid-host"
    case .http2: "http-2-only"
    case .secured: "http-tls-on-plain-port"
    case .invalidStatusLine: "http-invalid-status-line"
    case .invalidStatus: "http-invalid-status"
    case .invalidHeader: "http-invalid-header"
    case .invalidLineEnd: "http-invalid-line-end"
    case .headTooLarge: "http-head-too-large"
    case .tooManyHeaders: "http-too-many-headers"
    case .slowHead: "http-slow-head"
    case .bodyTooLarge: "http-body-too-large"
    case .invalidContentLength: "http-invalid-content-length"
    case .conflictingLengths: "http-conflicting-lengths"
    case .invalidTransferEncoding: "http-invalid-transfer-encoding"
    case .unsupportedTransferCoding: "http-unsupported-transfer-coding"
    case .invalidChunkSize: "http-invalid-chunk-size"
    case .invalidContentCoding: "http-invalid-content-coding"
    case .expandedBodyTooLarge: "http-expanded-body-too-large"
    case .missingCodingLibrary: "http-missing-coding-library"
    case .unexpectedEndBeforeHead: "http-unexpected-end-before-head"
    case .unexpectedEndInHead: "http-unexpected-end-in-head"
    case .unexpectedEndInBody: "http-unexpected-end-in-body"
    case .unexpectedEndInChunkedBody: "http-unexpected-end-in-chunked-body"
    case .unexpectedEndInContentCoding: "http-unexpected-end-in-content-coding"
    case .unexpectedBytes: "http-unexpected-bytes"
    case .unsendableMethod: "http-unsendable-method"
    case .unsendableTarget: "http-unsendable-target"
    case .unsendableHeader: "http-unsendable-header"
    case .unsendableStatus: "http-unsendable-status"
    case .unexpectedResponse: "http-unexpected-response"
    case .connectionBusy: "http-connection-busy"
    case .connectionClosed: "http-connection-closed"
    case .connectionReset: "http-connection-reset"
    case .parserFailure: "http-parser-failure"
    }
  }
}

extension HTTPProblem {
  /// The broken rule, or the event, in one sentence.
  package var message: String {
    switch self {
    case .invalidMethod: "the method of a request is one of the registered ones"
    case .invalidTarget: "the target of a request is a path, with characters a URL may hold"
    case .invalidVersion: "a message names its version as `HTTP/1.1`"
    case .unsupportedVersion: "only HTTP/1.0 and HTTP/1.1 are spoken here"
    case .invalidHost: "a request names one host"
    case .http2:
      "the other side speaks HTTP/2 only, which is out of reach: let it allow HTTP/1.1 as well, or "
        + "put a proxy between that translates"
    case .secured:
      "the other side speaks TLS, and this is plain HTTP: begin the `url` of an endpoint with "
        + "`https://`, and serve mocks with `--tls`"
    case .invalidStatusLine: "a response begins with `HTTP/1.1`"
    case .invalidStatus: "the status of a response is a number of three digits"
    case .invalidHeader: "a header is a name, a colon and a value of printable characters"
    case .invalidLineEnd: "a line of a head ends with CR LF"
    case .headTooLarge: "a head is at most \(HTTPLimits.headBytes) bytes long"
    case .tooManyHeaders: "a head has at most \(HTTPLimits.headers) headers"
    case .slowHead: "a head arrives within a limited time"
    case .bodyTooLarge: "a body is at most \(HTTPLimits.bodyBytes) bytes long"
    case .invalidContentLength: "Content-Length is a number of bytes"
    case .conflictingLengths: "a message gives the length of its body once, in one way"
    case .invalidTransferEncoding: "the last transfer coding is `chunked`"
    case .unsupportedTransferCoding: "the only transfer coding here is `chunked`"
    case .invalidChunkSize: "a chunk begins with its size as a hexadecimal number"
    case .invalidContentCoding: "a body is compressed as its Content-Encoding says"
    case .expandedBodyTooLarge: "a compressed body expands to a limited number of bytes"
    case .missingCodingLibrary:
      "this machine lacks the library of the body's Content-Encoding; Debian has zlib1g for gzip "
        + "and deflate, libbrotli1 for br, libzstd1 for zstd"
    case .unexpectedEndBeforeHead: "the connection ended before an answer began"
    case .unexpectedEndInHead: "the connection ended inside a head"
    case .unexpectedEndInBody: "the connection ended before the announced length of the body"
    case .unexpectedEndInChunkedBody: "the connection ended before the last chunk of the body"
    case .unexpectedEndInContentCoding: "a compressed body is complete"
    case .unexpectedBytes: "bytes came when no message was due"
    case .unsendableMethod: "a method is a token"
    case .unsendableTarget: "a target has no spaces, control characters or line breaks"
    case .unsendableHeader: "a header has a token as its name and no line breaks in its value"
    case .unsendableStatus: "a status is a number of three digits, its reason one line"
    case .unexpectedResponse: "a request is answered once"
    case .connectionBusy: "a connection carries one request at a time"
    case .connectionClosed: "the connection was closed before the request"
    case .connectionReset: "the other side left without a goodbye"
    case .parserFailure: "the message could not be parsed"
    }
  }
}

/// The limits of a message; reaching one is a problem, not a crash.
package enum HTTPLimits {
  /// Bytes of a head: its first line, names and values, including trailers and chunk extensions.
  package static let headBytes = 64 << 10
  /// Headers of a head.
  package static let headers = 256
  /// Microseconds from the first byte of a request's head to its last. Without it, a client that
  /// sends a byte now and then would hold a connection for ever.
  package static let headTime: Int64 = 30_000_000
  /// Bytes of a body, as sent and, if it is compressed, expanded.
  package static let bodyBytes = 64 << 20
  /// Expanded bytes of a compressed streaming body.
  package static let streamedBytes = 1 << 30
  /// The number of requests of one connection that wait for the answer to an earlier one. From then
  /// on a server reads no further until it has answered one.
  package static let waitingRequests = 64
}
