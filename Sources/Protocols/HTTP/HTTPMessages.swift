import TextSearch
import Values

/// A decoded request of a client.
package struct HTTPRequest: Sendable, Equatable {
  package var method: String
  /// The path and query as sent; `HTTPTarget` parses them.
  package var target: String
  package var version: HTTPVersion
  package var headers: HTTPHeaders
  package var body: [UInt8]
  /// The names, in lower case, of headers that a client does not add by itself.
  package var omittedHeaders: [String] = []

  package init(
    method: String, target: String, version: HTTPVersion = .http11,
    headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []
  ) {
    self.method = method
    self.target = target
    self.version = version
    self.headers = headers
    self.body = body
  }

  /// True if a second arrival at the server changes nothing more than the first.
  package var mayArriveTwice: Bool { ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"].contains(method) }
}

/// A decoded response of a server.
package struct HTTPResponse: Sendable, Equatable {
  package var status: Int
  /// The reason phrase after the status; nobody may rely on it.
  package var reason: String
  package var version: HTTPVersion
  package var headers: HTTPHeaders
  package var body: [UInt8]

  /// Makes a response; without a reason, it gets the usual one for its status.
  package init(
    status: Int, reason: String? = nil, version: HTTPVersion = .http11,
    headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []
  ) {
    self.status = status
    self.reason = reason ?? standardReason(of: status)
    self.version = version
    self.headers = headers
    self.body = body
  }
}

/// The versions of HTTP that we support.
package enum HTTPVersion: String, Sendable, Equatable {
  case http10 = "HTTP/1.0"
  case http11 = "HTTP/1.1"
}

/// One line of a head.
package struct HTTPHeaderLine: Sendable, Equatable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// The lines of a head, in the order sent; names are found in any case.
package struct HTTPHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  package var lines: [HTTPHeaderLine]

  package init(_ lines: [HTTPHeaderLine] = []) {
    self.lines = lines
  }

  package init(dictionaryLiteral elements: (String, String)...) {
    lines = elements.map { HTTPHeaderLine($0.0, $0.1) }
  }

  /// The first value under a name. Setting replaces all of them at the position of the first.
  package subscript(_ name: String) -> String? {
    get { lines.first { sameName($0.name, name) }?.value }
    set {
      let place = lines.firstIndex { sameName($0.name, name) } ?? lines.count
      lines.removeAll { sameName($0.name, name) }
      if let newValue { lines.insert(HTTPHeaderLine(name, newValue), at: place) }
    }
  }

  package mutating func add(_ name: String, _ value: String) {
    lines.append(HTTPHeaderLine(name, value))
  }

  /// Returns all values under a name, in order.
  package func values(_ name: String) -> [String] {
    // Most names that are asked for are not there, and then nothing is allocated.
    contains(name) ? lines.filter { sameName($0.name, name) }.map(\.value) : []
  }

  package func contains(_ name: String) -> Bool {
    lines.contains { sameName($0.name, name) }
  }

  /// Returns whether a comma-separated list under the name has the word, in any case.
  package func lists(_ word: String, under name: String) -> Bool {
    lines.contains { sameName($0.name, name) && list($0.value, has: word) }
  }

  /// Returns the words of all comma-separated lists under a name, in order.
  package func words(_ name: String) -> [String] {
    let values = values(name)
    if values.isEmpty { return [] }
    return values.flatMap { value in
      value.utf8.split(separator: UInt8(ascii: ",")).map { String(Substring(trimmed($0))) }
        .filter { !$0.isEmpty }
    }
  }

  private func list(_ value: String, has word: String) -> Bool {
    if sameName(value, word) { return true }
    return value.utf8.split(separator: UInt8(ascii: ",")).contains {
      sameName(String(Substring(trimmed($0))), word)
    }
  }
}

/// Returns whether two header names are equal; ASCII case is ignored.
package func sameName(_ left: String, _ right: String) -> Bool {
  guard left.utf8.count == right.utf8.count else { return false }
  if left == right { return true }
  var rest = right.utf8.makeIterator()
  for byte in left.utf8 {
    guard let other = rest.next(), lowercase(byte) == lowercase(other) else { return false }
  }
  return true
}

/// Returns the media type of a `Content-Type` in small letters, without its parameters and without
/// spaces.
///
/// - Parameter isOfList: True if only the first of several, which commas separate, is wanted.
package func mediaTypeName(_ header: String, isOfList: Bool = false) -> String {
  var name: [UInt8] = []
  name.reserveCapacity(header.utf8.count)
  for byte in header.utf8 {
    if byte == UInt8(ascii: ";") || (isOfList && byte == UInt8(ascii: ",")) { break }
    if byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") { name.append(lowercase(byte)) }
  }
  return String(decoding: name, as: UTF8.self)
}

/// Returns whether a `Content-Type` names a type of JSON.
package func namesJSON(_ header: String) -> Bool {
  let name = mediaTypeName(header, isOfList: true)
  return name == "application/json" || name == "text/json" || name.hasSuffix("+json")
}

private func lowercase(_ byte: UInt8) -> UInt8 {
  byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
}

private func trimmed(_ word: Substring.UTF8View) -> Substring.UTF8View {
  var word = word
  while let first = word.first, first == 0x20 || first == 0x09 { word.removeFirst() }
  while let last = word.last, last == 0x20 || last == 0x09 { word.removeLast() }
  return word
}

extension HTTPHeaders {
  /// The longest time that a server can set in seconds: about ten years.
  private static let longestRetryAfter = 315_576_000

  /// Returns the seconds of `Retry-After`; nil without it, or if it is a date and there is no
  /// calendar time, in seconds since 1970.
  package func retryAfter(now: Int?) -> Int64? {
    guard let text = self["Retry-After"] else { return nil }
    let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    let seconds: Int
    if isNumber {
      seconds = Int(text) ?? HTTPHeaders.longestRetryAfter
    } else {
      guard let now, let date = HTTPDate.seconds(text) else { return nil }
      seconds = date - now
    }
    return Int64(min(max(seconds, 0), HTTPHeaders.longestRetryAfter))
  }
}
