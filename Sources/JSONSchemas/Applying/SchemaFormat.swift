import TextSearch

/// A format that texts can be checked for, by its name in schemas.
enum SchemaFormat: String, CaseIterable, Sendable {
  case dateTime = "date-time"
  case date, time, duration, email, hostname, ipv4, ipv6, uri
  case uriReference = "uri-reference"
  case uuid, regex
  case jsonPointer = "json-pointer"

  /// Returns whether a text has the format; nil if that takes too long.
  func holds(_ text: String) -> Bool? {
    switch self {
    case .dateTime: isDateTime(text)
    case .date: FormatPatterns.date.isFound(in: text).map { $0 && isDay(Array(text.utf8)) }
    case .time: FormatPatterns.time.isFound(in: text).map { $0 && isMoment(Array(text.utf8)) }
    case .duration: FormatPatterns.duration.isFound(in: text)
    case .email: isEmail(text)
    case .hostname: FormatPatterns.hostname.isFound(in: text)
    case .ipv4: FormatPatterns.ipv4.isFound(in: text)
    case .ipv6: isIPv6(text)
    case .uri: FormatPatterns.uri.isFound(in: text).map { $0 && hasGoodLiteral(text) }
    case .uriReference:
      FormatPatterns.reference.isFound(in: text).map { $0 && hasGoodLiteral(text) }
    case .uuid: FormatPatterns.uuid.isFound(in: text)
    case .regex: if case .success = SchemaPattern.compile(text) { true } else { false }
    case .jsonPointer: FormatPatterns.jsonPointer.isFound(in: text)
    }
  }
}

/// The grammars of formats, as far as patterns can say them (RFC 3339, 3986, 5321, 1123, 6901).
private enum FormatPatterns {
  static let date = pattern("[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])")
  static let time = pattern(
    "(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\\.[0-9]+)?"
      + "(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])")
  static let duration = pattern(
    "P(?=.)(?:[0-9]+W|(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)?"
      + "(?:T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S))?)")
  static let localPart = pattern(
    "\(atom)(?:\\.\(atom))*|\"(?:[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\\x20-\\x7e])*\"")
  static let hostname = pattern("(?=.{1,253}$)\(label)(?:\\.\(label))*")
  static let ipv4 = pattern("\(octet)(?:\\.\(octet)){3}")
  static let uri = pattern(
    "[A-Za-z][A-Za-z0-9+.-]*:(?:\(network)|\(absolute)|\(piece)+(?:/\(piece)*)*|)\(end)")
  static let reference = pattern(
    "[A-Za-z][A-Za-z0-9+.-]*:(?:\(network)|\(absolute)|\(piece)+(?:/\(piece)*)*|)\(end)"
      + "|(?:\(network)|\(absolute)|\(pieceWithoutColon)+(?:/\(piece)*)*|)\(end)")
  static let uuid = pattern("[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
  static let jsonPointer = pattern("(?:/(?:[^~/]|~[01])*)*")

  private static let atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
  private static let label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
  private static let octet = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
  private static let escape = "%[0-9A-Fa-f]{2}"
  private static let name = "A-Za-z0-9\\-._~!$&'()*+,;="
  private static let piece = "(?:[\(name):@]|\(escape))"
  private static let pieceWithoutColon = "(?:[\(name)@]|\(escape))"
  private static let network =
    "//(?:(?:[\(name):]|\(escape))*@)?(?:\\[[^\\[\\]]*\\]|(?:[\(name)]|\(escape))*)(?::[0-9]*)?"
    + "(?:/\(piece)*)*"
  private static let absolute = "/(?:\(piece)+(?:/\(piece)*)*)?"
  private static let end = "(?:\\?(?:\(piece)|[/?])*)?(?:#(?:\(piece)|[/?])*)?"

  private static func pattern(_ text: String) -> SchemaPattern {
    guard case .success(let pattern) = SchemaPattern.compile("^(?:\(text))$") else {
      preconditionFailure("the pattern of a format is wrong: \(text)")
    }
    return pattern
  }
}

private func isDateTime(_ text: String) -> Bool? {
  let bytes = Array(text.utf8)
  guard bytes.count > 10, bytes[10] | 0x20 == UInt8(ascii: "t") else { return false }
  let parts = [bytes[..<10], bytes[11...]].map { String(decoding: $0, as: UTF8.self) }
  guard let isDate = SchemaFormat.date.holds(parts[0]),
    let isTime = SchemaFormat.time.holds(parts[1])
  else { return nil }
  return isDate && isTime
}

/// The month of a written date has its day.
private func isDay(_ bytes: [UInt8]) -> Bool {
  let (year, month, day) = (number(bytes[0..<4]), number(bytes[5..<7]), number(bytes[8..<10]))
  let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  let days = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  return day <= days
}

/// A second 60 comes only at the end of a day in UTC.
private func isMoment(_ bytes: [UInt8]) -> Bool {
  guard number(bytes[6..<8]) == 60 else { return true }
  var minutes = number(bytes[0..<2]) * 60 + number(bytes[3..<5])
  if let sign = bytes.lastIndex(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }) {
    let offset = number(bytes[(sign + 1)..<(sign + 3)]) * 60 + number(bytes[(sign + 4)...])
    minutes += bytes[sign] == UInt8(ascii: "+") ? -offset : offset
  }
  return (minutes + 1) % 1_440 == 0
}

private func number(_ digits: ArraySlice<UInt8>) -> Int {
  digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
}

private func isEmail(_ text: String) -> Bool? {
  guard let at = text.lastIndex(ofASCII: "@") else { return false }
  guard let isLocal = FormatPatterns.localPart.isFound(in: String(text[..<at])) else { return nil }
  let domain = String(text[text.utf8.index(after: at)...])
  guard isLocal else { return false }
  guard domain.hasPrefix("["), domain.hasSuffix("]") else {
    return SchemaFormat.hostname.holds(domain)
  }
  let literal = String(domain.dropFirst().dropLast())
  if literal.hasPrefix("IPv6:") { return isIPv6(String(literal.dropFirst(5))) }
  return SchemaFormat.ipv4.holds(literal)
}

/// Eight groups of up to four hexadecimal digits. `::` stands for one or more groups of zeros, and
/// an IPv4 address for the last two.
private func isIPv6(_ text: String) -> Bool {
  var groups = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
  guard groups.count >= 3 else { return false }
  if groups[0].isEmpty {
    guard groups[1].isEmpty else { return false }
    groups.removeFirst()
  }
  if groups[groups.count - 1].isEmpty {
    guard groups.count > 1, groups[groups.count - 2].isEmpty else { return false }
    groups.removeLast()
  }
  var count = groups.count
  if let last = groups.last, last.contains(byte: UInt8(ascii: ".")) {
    guard SchemaFormat.ipv4.holds(last) == true else { return false }
    groups.removeLast()
    count += 1
  }
  let gaps = groups.count { $0.isEmpty }
  let isGood = groups.allSatisfy { group in
    group.utf8.count <= 4 && group.utf8.allSatisfy(isHexadecimal)
  }
  return isGood && (gaps == 0 ? count == 8 : gaps == 1 && count <= 8)
}

private func isHexadecimal(_ byte: UInt8) -> Bool {
  byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 6
}

/// The address in the brackets of a URI is one.
private func hasGoodLiteral(_ text: String) -> Bool {
  guard let open = text.firstIndex(ofASCII: "["), let end = text.firstIndex(ofASCII: "]") else {
    return true
  }
  let literal = String(text[text.utf8.index(after: open)..<end])
  return isIPv6(literal) || (literal.first == "v" && literal.contains(byte: UInt8(ascii: ".")))
}
