import CHTTPParser
import TextSearch

extension HTTPHeaders {
  /// True if the body has another coding below `chunked`, which would stay in place.
  var hasForeignTransferCoding: Bool {
    let codings = words("Transfer-Encoding").map { sameName($0, "chunked") }
    return codings.last == true && codings.contains(false)
  }
}

/// Returns a value whose parts stood on several lines, joined by one space each.
func unfolded(_ text: [UInt8], at folds: [Int]) -> [UInt8] {
  var parts: [ArraySlice<UInt8>] = []
  var start = 0
  for end in folds + [text.count] {
    var part = text[start..<end].drop(while: isBlank)
    while let last = part.last, isBlank(last) { part.removeLast() }
    if !part.isEmpty { parts.append(part) }
    start = end
  }
  return Array(parts.joined(separator: [0x20]))
}

func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

func methodName(_ method: UInt8) -> String {
  guard let name = llhttp_method_name(llhttp_method_t(UInt32(method))) else { return "" }
  return String(cString: name)
}

func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  var all: UInt8 = 0
  for byte in bytes { all |= byte }
  return all < 0x80
}

/// Returns the text of bytes as UTF-8 or else Latin-1, the older encoding of header values.
func notASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
  String(validating: bytes, as: UTF8.self)
    ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
}

/// Returns what is spoken in place of HTTP/1.1, as the first bytes show it: TLS begins with a
/// record of a handshake or an alert, and a server of HTTP/2 with a SETTINGS frame.
func otherProtocol(of bytes: ArraySlice<UInt8>, in kind: HTTPParserCore.Kind) -> HTTPProblem? {
  guard let first = bytes.first, first < 0x20, bytes.count > 3 else { return nil }
  if first == 0x15 || first == 0x16, bytes[bytes.startIndex + 1] == 3 { return .secured }
  return kind == .response && first == 0 && bytes[bytes.startIndex + 3] == 4 ? .http2 : nil
}

/// Returns the problem of a message of this kind that llhttp refuses.
func parserProblem(_ status: llhttp_errno_t, in kind: HTTPParserCore.Kind) -> HTTPProblem {
  switch status {
  case HPE_INVALID_METHOD: .invalidMethod
  case HPE_INVALID_URL: .invalidTarget
  case HPE_INVALID_VERSION: .invalidVersion
  case HPE_PAUSED_H2_UPGRADE: .http2
  case HPE_INVALID_CONSTANT: kind == .response ? .invalidStatusLine : .invalidVersion
  case HPE_INVALID_STATUS: .invalidStatus
  case HPE_INVALID_HEADER_TOKEN, HPE_UNEXPECTED_SPACE: .invalidHeader
  case HPE_CR_EXPECTED, HPE_LF_EXPECTED, HPE_STRICT: .invalidLineEnd
  case HPE_INVALID_CONTENT_LENGTH: .invalidContentLength
  case HPE_UNEXPECTED_CONTENT_LENGTH: .conflictingLengths
  case HPE_INVALID_TRANSFER_ENCODING: .invalidTransferEncoding
  case HPE_INVALID_CHUNK_SIZE: .invalidChunkSize
  case HPE_CLOSED_CONNECTION: .unexpectedBytes
  default: .parserFailure
  }
}
