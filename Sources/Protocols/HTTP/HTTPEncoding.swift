import TextSearch

extension HTTPRequest {
  /// Returns the bytes of the request, or why it cannot be sent.
  ///
  /// A body gets its Content-Length, unless the headers have one: a request with a wrong length can
  /// be sent on purpose. Text that would break out of its line is never sent.
  package func encoded() -> Result<[UInt8], HTTPProblem> {
    guard isToken(method) else { return .failure(.unsendableMethod) }
    guard isTarget(target) else { return .failure(.unsendableTarget) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(roomForHead + body.count)
    bytes.append(contentsOf: method.utf8)
    bytes.append(0x20)
    bytes.append(contentsOf: target.utf8)
    bytes.append(0x20)
    bytes.append(contentsOf: version.rawValue.utf8)
    bytes.append(contentsOf: lineEnd)
    let wantsLength = !body.isEmpty || ["POST", "PUT", "PATCH"].contains(method)
    guard append(headers, length: wantsLength ? body.count : nil, to: &bytes) else {
      return .failure(.unsendableHeader)
    }
    append(body, chunked: headers.lists("chunked", under: "Transfer-Encoding"), to: &bytes)
    return .success(bytes)
  }
}

extension HTTPResponse {
  /// Returns the bytes of the response to a request with the given method, or why it cannot be
  /// sent.
  ///
  /// The rules of requests apply; a response that must have no body is sent without one.
  package func encoded(answering method: String = "GET") -> Result<[UInt8], HTTPProblem> {
    encodedInParts(answering: method, longBody: .max).map { $0.joined }
  }

  /// Returns the bytes of the response, of which a body that is at least so long is a part of its
  /// own: it is then shared with all that hold it.
  package func encodedInParts(
    answering method: String, longBody: Int
  ) -> Result<EncodedResponse, HTTPProblem> {
    let opensTunnel = method == "CONNECT" && status / 100 == 2
    let hasLength = mayHaveBody && !opensTunnel || status == 304 && !body.isEmpty
    let hasBody = mayHaveBody && !opensTunnel && method != "HEAD"
    let isChunked = headers.lists("chunked", under: "Transfer-Encoding")
    let isApart = hasBody && !isChunked && body.count >= longBody
    var bytes: [UInt8] = []
    bytes.reserveCapacity(roomForHead + (hasBody && !isApart ? body.count : 0))
    if let problem = appendHead(length: hasLength ? body.count : nil, to: &bytes) {
      return .failure(problem)
    }
    if hasBody, !isApart { append(body, chunked: isChunked, to: &bytes) }
    return .success(EncodedResponse(beginning: bytes, longBody: isApart ? body : []))
  }

  /// True for a response that only announces the final one.
  package var isInformational: Bool { status < 200 && status != 101 }

  /// False for statuses whose responses end with their head.
  package var mayHaveBody: Bool { status >= 200 && status != 204 && status != 304 }

  /// Returns the bytes of the head alone, for a body that is sent piece by piece.
  package func encodedHead() -> Result<[UInt8], HTTPProblem> {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(roomForHead)
    return appendHead(length: nil, to: &bytes).map { .failure($0) } ?? .success(bytes)
  }

  private func appendHead(length: Int?, to bytes: inout [UInt8]) -> HTTPProblem? {
    guard (100...999).contains(status), isValue(reason) else { return .unsendableStatus }
    bytes.append(contentsOf: version.rawValue.utf8)
    bytes.append(0x20)
    append(decimal: status, to: &bytes)
    bytes.append(0x20)
    bytes.append(contentsOf: reason.utf8)
    bytes.append(contentsOf: lineEnd)
    return append(headers, length: length, to: &bytes) ? nil : .unsendableHeader
  }
}

/// The bytes of a response.
package struct EncodedResponse: Sendable, Equatable {
  /// The head, with the body unless that is long.
  package var beginning: [UInt8]
  package var longBody: [UInt8]

  fileprivate var joined: [UInt8] { longBody.isEmpty ? beginning : beginning + longBody }
}

/// The chunked encoding, for bodies of unknown length.
package enum HTTPChunks {
  /// Returns one chunk. No bytes make no chunk, since an empty one would end the body.
  package static func chunk(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.isEmpty else { return [] }
    var chunk = Array(String(bytes.count, radix: 16).utf8)
    chunk.append(contentsOf: lineEnd)
    chunk.append(contentsOf: bytes)
    chunk.append(contentsOf: lineEnd)
    return chunk
  }

  /// The end of the body.
  package static let last: [UInt8] = Array("0\r\n\r\n".utf8)
}

private let lineEnd: [UInt8] = [0x0D, 0x0A]
private let contentLength: [UInt8] = Array("Content-Length: ".utf8)

/// Enough for most heads, so that the buffer rarely grows.
private let roomForHead = 256

/// Appends the headers; returns false if one cannot be sent.
private func append(_ headers: HTTPHeaders, length: Int?, to bytes: inout [UInt8]) -> Bool {
  var hasLength = false
  for line in headers.lines {
    guard isToken(line.name), isValue(line.value) else { return false }
    hasLength =
      hasLength || sameName(line.name, "Content-Length")
      || sameName(line.name, "Transfer-Encoding")
    bytes.append(contentsOf: line.name.utf8)
    bytes.append(0x3A)
    bytes.append(0x20)
    bytes.append(contentsOf: line.value.utf8)
    bytes.append(contentsOf: lineEnd)
  }
  if let length, !hasLength {
    bytes.append(contentsOf: contentLength)
    append(decimal: length, to: &bytes)
    bytes.append(contentsOf: lineEnd)
  }
  bytes.append(contentsOf: lineEnd)
  return true
}

private func append(_ body: [UInt8], chunked: Bool, to bytes: inout [UInt8]) {
  guard chunked else { return bytes.append(contentsOf: body) }
  bytes.append(contentsOf: HTTPChunks.chunk(body))
  bytes.append(contentsOf: HTTPChunks.last)
}

private func append(decimal number: Int, to bytes: inout [UInt8]) {
  bytes.append(contentsOf: String(number).utf8)
}

/// Returns whether a header may have this name and this value.
package func isSendableHeader(_ name: String, _ value: String) -> Bool {
  isToken(name) && isValue(value)
}

/// Returns whether servers know a method. They refuse a request with another one.
package func isKnownMethod(_ method: String) -> Bool {
  guard isToken(method) else { return false }
  var parser = HTTPRequestParser()
  let events = parser.receive(Array("\(method) / HTTP/1.1\r\n".utf8))
  return !events.contains { if case .problem = $0 { true } else { false } }
}

/// Returns whether a text is a token, as methods and header names are.
private func isToken(_ text: String) -> Bool {
  !text.isEmpty
    && text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
      default: false
      }
    }
}

/// Returns whether a text stays on its line: tabs are the only control characters in it.
private func isValue(_ text: String) -> Bool {
  text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
}

private func isTarget(_ text: String) -> Bool {
  !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
}
