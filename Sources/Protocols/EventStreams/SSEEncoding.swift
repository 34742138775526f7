import TextSearch

extension SSEMessage {
  /// Returns the bytes of the message with the blank line after it, or why it cannot be sent.
  ///
  /// Data and comments of several lines become several fields, for any line end: the client sees
  /// LF. Text that would break out of its line is never sent.
  package func encoded() -> Result<[UInt8], SSEProblem> {
    if let id, !fitsInLine(id) { return .failure(.unsendableID) }
    if let event, !fitsInLine(event) { return .failure(.unsendableEvent) }
    if let retry, retry < 0 { return .failure(.unsendableRetry) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(roomForFields + (data?.utf8.count ?? 0))
    if let comment { append("", lines: comment, to: &bytes) }
    if let id { append("id", id.utf8, to: &bytes) }
    if let event { append("event", event.utf8, to: &bytes) }
    if let retry { append("retry", String(retry).utf8, to: &bytes) }
    if let data { append("data", lines: data, to: &bytes) }
    bytes.append(lineFeed)
    return .success(bytes)
  }
}

/// Enough for the fields of most messages, so that the buffer rarely grows.
private let roomForFields = 64
private let lineFeed: UInt8 = 0x0A
private let carriageReturn: UInt8 = 0x0D

private func fitsInLine(_ text: String) -> Bool {
  text.utf8.allSatisfy { $0 != lineFeed && $0 != carriageReturn && $0 != 0 }
}

/// Appends a field. The space after the colon is always written, because a client removes one.
private func append(_ name: StaticString, _ value: some Sequence<UInt8>, to bytes: inout [UInt8]) {
  bytes.append(
    contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  bytes.append(0x3A)
  bytes.append(0x20)
  bytes.append(contentsOf: value)
  bytes.append(lineFeed)
}

private func append(_ name: StaticString, lines text: String, to bytes: inout [UInt8]) {
  var text = text
  text.withUTF8 { text in
    var ends = LineEnds(in: text)
    var start = 0
    while true {
      let end = ends.next(from: start)
      append(name, text[start..<end], to: &bytes)
      guard end < text.count else { return }
      start = end + 1
      let isCRLF = text[end] == carriageReturn && start < text.count && text[start] == lineFeed
      if isCRLF { start += 1 }
    }
  }
}
