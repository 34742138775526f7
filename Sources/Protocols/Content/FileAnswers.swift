import TextSearch

/// Answers with files, as servers of files give them.
extension HTTPResponse {
  /// Returns the answer with the tag of its file, without the body if the client has it already,
  /// and with the part that the client asks for. Fields that the answer has stay as they are.
  package func asFile(for request: HTTPRequest, tag: String) -> HTTPResponse {
    guard status == 200, request.method == "GET" || request.method == "HEAD",
      !headers.contains("Transfer-Encoding"), !headers.contains("Content-Length")
    else { return self }
    var answer = self
    if !headers.contains("ETag") { answer.headers.add("ETag", tag) }
    if !headers.contains("Accept-Ranges") { answer.headers.add("Accept-Ranges", "bytes") }
    let tag = answer.headers["ETag"] ?? tag
    if let known = request.headers["If-None-Match"], names(tag, in: known) {
      answer.become(304, body: [])
    } else if request.method == "GET", let text = request.headers["Range"],
      request.headers["If-Range"].map({ $0 == tag }) ?? true
    {
      answer.keepPart(text)
    }
    return answer
  }

  private mutating func become(_ status: Int, body: [UInt8]) {
    self = HTTPResponse(status: status, headers: headers, body: body)
  }

  /// Keeps the part that a header `Range` names. Several parts, and what is no range, are ignored,
  /// as a server may do.
  private mutating func keepPart(_ text: String) {
    guard let range = FileRange(text) else { return }
    guard let part = range.part(of: body.count) else {
      headers.add("Content-Range", "bytes */\(body.count)")
      return become(416, body: [])
    }
    headers.add("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(body.count)")
    become(206, body: Array(body[part]))
  }
}

/// Returns whether a header `If-None-Match` names a tag; weak tags are as good as strong ones.
private func names(_ tag: String, in known: String) -> Bool {
  func strong(_ tag: Substring) -> Substring {
    let tag = tag.drop { $0 == " " }
    return tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
  }
  return known.split(separator: ",").contains { each in
    let each = each.reversed().drop { $0 == " " }.reversed()
    let text = strong(Substring(String(each)))
    return text == "*" || text == strong(Substring(tag))
  }
}

/// A part of a file: from a place on, up to another, or so many bytes at the end.
private enum FileRange {
  case from(Int, to: Int?)
  case last(Int)

  /// Reads `bytes=0-99`, `bytes=100-` or `bytes=-100`.
  init?(_ text: String) {
    guard text.lowercasedASCII.hasPrefix("bytes=") else { return nil }
    let ends = text.dropFirst(6).split(
      separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    switch (Int(ends[0]), Int(ends[1])) {
    case (let first?, let last): self = .from(first, to: last)
    case (nil, let count?): self = .last(count)
    case (nil, nil): return nil
    }
    if case .from(let first, let last?) = self, last < first { return nil }
  }

  /// Returns the places of the bytes; nil if the file has none of them.
  func part(of count: Int) -> Range<Int>? {
    switch self {
    case .from(let first, _) where first >= count: nil
    case .from(let first, let last): first..<min(last ?? count - 1, count - 1) + 1
    case .last(let size): size > 0 && count > 0 ? max(count - size, 0)..<count : nil
    }
  }
}

/// Returns a tag that differs between files with different bytes.
package func entityTag(of bytes: [UInt8]) -> String {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
  return "\"\(String(bytes.count, radix: 16))-\(String(hash, radix: 16))\""
}
