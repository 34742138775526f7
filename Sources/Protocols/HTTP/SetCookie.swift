import TextSearch

/// A cookie of a server with its parsed attributes (RFC 6265).
package struct SetCookie: Sendable, Equatable {
  package var name: String
  package var value: String
  /// The value as it returns to the server: with its quotes.
  package var written: String
  package var path: String?
  /// The domain in lower case and without a leading dot.
  package var domain: String?
  /// Seconds from now on; zero or less ends the cookie at once.
  package var maxAge: Int?
  /// The time of expiry, in seconds since 1970.
  package var expires: Int?
  package var isSecure = false
  package var isHTTPOnly = false
  package var sameSite: String?

  package init(name: String, value: String) {
    self.name = name
    self.value = value
    written = value
  }

  /// Parses a line; nil if it sets nothing.
  package init?(_ line: String) {
    let pieces = line.split(separator: ";", omittingEmptySubsequences: false)
    guard let (name, value) = pair(pieces[0]), !name.isEmpty else { return nil }
    self.init(name: name, value: SetCookie.unquoted(value))
    written = value
    for piece in pieces.dropFirst() {
      let (name, value) = pair(piece) ?? (trimmed(piece), "")
      take(name.lowercasedASCII, value)
    }
  }

  /// Returns a value as servers read it, without its quotes.
  package static func unquoted(_ text: String) -> String {
    guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
    return String(text.dropFirst().dropLast())
  }

  private mutating func take(_ attribute: String, _ value: String) {
    switch attribute {
    case "path": path = value.hasPrefix("/") ? value : nil
    case "domain":
      let name = value.hasPrefix(".") ? String(value.dropFirst()) : value
      domain = name.isEmpty ? nil : name.lowercasedASCII
    case "max-age": maxAge = Int(value)
    case "expires": expires = HTTPDate.seconds(value)
    case "secure": isSecure = true
    case "httponly": isHTTPOnly = true
    case "samesite": sameSite = value
    default: break
    }
  }
}

private func pair(_ text: Substring) -> (String, String)? {
  guard let equals = text.firstIndex(of: "=") else { return nil }
  return (trimmed(text[..<equals]), trimmed(text[text.index(after: equals)...]))
}

private func trimmed(_ text: Substring) -> String {
  let inner = text.drop { $0 == " " || $0 == "\t" }
  let trailing = inner.reversed().prefix { $0 == " " || $0 == "\t" }.count
  return String(inner.dropLast(trailing))
}

/// The dates of header fields.
package enum HTTPDate {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Returns the seconds since 1970; nil if the text is not a date. It reads all forms that servers
  /// have sent, as cookies require: the parts may be in any order.
  package static func seconds(_ text: String) -> Int? {
    var day: Int?
    var month: Int?
    var year: Int?
    var time: Int?
    for token in text.lowercasedASCII.split(whereSeparator: { " \t,-".contains($0) }) {
      if time == nil, let found = secondsOfDay(token) {
        time = found
      } else if month == nil, let found = months.firstIndex(where: { token.hasPrefix($0) }) {
        month = found + 1
      } else if let number = Int(token), number >= 0 {
        if day == nil, token.count <= 2 { day = number } else { year = year ?? fullYear(number) }
      }
    }
    guard let day, let month, let year, let time, (1...31).contains(day), year >= 1601,
      year <= 9999
    else { return nil }
    return daysSince1970(year, month, day) * 86_400 + time
  }

  private static func fullYear(_ number: Int) -> Int {
    number >= 100 ? number : number < 70 ? 2000 + number : 1900 + number
  }

  private static func secondsOfDay(_ token: Substring) -> Int? {
    let parts = token.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
    guard parts.count == 3, (0...23).contains(parts[0]), (0...59).contains(parts[1]),
      (0...60).contains(parts[2])
    else { return nil }
    return parts[0] * 3600 + parts[1] * 60 + parts[2]
  }

  /// Returns the days since 1970. Years begin in March here, so that the leap day is the last of
  /// its year.
  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}
