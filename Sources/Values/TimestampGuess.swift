import TextSearch

extension Timestamp {
  /// Reads a time as programs log it: RFC 3339 in all common spellings, the date of a header field
  /// or a mail, the time of a web server's log, or a number since 1970, whose size says its unit.
  /// Nil for anything else.
  public init?(logged value: Value) {
    switch value {
    case .timestamp(let time): self = time
    case .int(let number): self.init(sinceEpoch: Int128(number), fraction: 0)
    case .uint(let number): self.init(sinceEpoch: Int128(number), fraction: 0)
    case .double(let number):
      guard number.isFinite, abs(number) < 1e19 else { return nil }
      let whole = number.rounded(.down)
      self.init(sinceEpoch: Int128(whole), fraction: number - whole)
    case .string(let text):
      if let number = Int(text) {
        self.init(sinceEpoch: Int128(number), fraction: 0)
      } else if let number = Double(text) {
        self.init(logged: .double(number))
      } else {
        self.init(spelled: text)
      }
    case .optional(let inner?): self.init(logged: inner)
    case .null, .bool, .digits, .bytes, .list, .map, .duration, .type, .optional: return nil
    }
  }

  /// Seconds have 10 digits in our time, and each smaller unit has three more.
  private init?(sinceEpoch number: Int128, fraction: Double) {
    let size = number < 0 ? -number : number
    let unit: Int128 =
      size < 100_000_000_000
      ? 1_000_000_000
      : size < 100_000_000_000_000 ? 1_000_000 : size < 100_000_000_000_000_000 ? 1_000 : 1
    self.init(totalNanoseconds: number * unit + Int128((fraction * Double(unit)).rounded()))
  }

  /// Reads a date and a time with one of the spellings that differ from RFC 3339.
  private init?(spelled text: String) {
    if let time = Timestamp(text: text) {
      self = time
      return
    }
    var bytes = Array(text.utf8).filter { $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") }
    if let date = webServerDate(bytes) { bytes = date }
    if bytes.count >= 19, bytes[4] == UInt8(ascii: "/"), bytes[7] == UInt8(ascii: "/") {
      (bytes[4], bytes[7]) = (UInt8(ascii: "-"), UInt8(ascii: "-"))
    }
    guard bytes.count >= 19, bytes[4] == UInt8(ascii: "-") else {
      self.init(dated: text)
      return
    }
    var rest = bytes[19...].drop { $0 == 0x20 }
    var fraction: [UInt8] = []
    if let sign = rest.first, sign == UInt8(ascii: ".") || sign == UInt8(ascii: ",") {
      let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty else { return nil }
      fraction = [UInt8(ascii: ".")] + digits.prefix(9)
      rest = rest[digits.endIndex...].drop { $0 == 0x20 }
    }
    var head = Array(bytes[..<19])
    head[10] = UInt8(ascii: "T")
    // A leap second is the end of its minute.
    if head[17...].elementsEqual("60".utf8) { (head[17], head[18]) = (0x35, 0x39) }
    guard let zone = Timestamp.zone(Array(rest)) else { return nil }
    self.init(text: String(decoding: head + fraction + zone, as: UTF8.self))
  }

  /// Reads the date of a header field or of a mail: `Sun, 06 Nov 1994 08:49:37 +0100`.
  private init?(dated text: String) {
    var words = text.split(separator: " ")
    let zone = words.last.flatMap { Timestamp.zone(Array($0.utf8)) }
    if zone != nil { words.removeLast() }
    guard let seconds = HTTPDate.seconds(words.joined(separator: " ")) else { return nil }
    let local = Timestamp(seconds: seconds).text.dropLast()
    self.init(text: local + String(decoding: zone ?? [UInt8(ascii: "Z")], as: UTF8.self))
  }

  /// A time without a zone is one of UTC.
  private static func zone(_ text: [UInt8]) -> [UInt8]? {
    let word = String(decoding: text, as: UTF8.self).uppercased()
    if ["", "Z", "UTC", "GMT"].contains(word) { return [UInt8(ascii: "Z")] }
    guard let sign = text.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
      return nil
    }
    let digits = text.dropFirst().filter { $0 != UInt8(ascii: ":") }
    guard digits.count == 4 || digits.count == 2, digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    let minutes = digits.count == 4 ? Array(digits.suffix(2)) : [0x30, 0x30]
    return [sign] + digits.prefix(2) + [UInt8(ascii: ":")] + minutes
  }
}

/// Returns `10/Oct/2026:13:55:36 +0000`, as web servers log it, in the order of RFC 3339.
private func webServerDate(_ text: [UInt8]) -> [UInt8]? {
  let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  guard text.count >= 20, text[2] == UInt8(ascii: "/"), text[6] == UInt8(ascii: "/"),
    let month = months.firstIndex(of: String(decoding: text[3..<6], as: UTF8.self))
  else { return nil }
  let number = (month < 9 ? "0" : "") + String(month + 1)
  return Array(text[7..<11]) + Array("-\(number)-".utf8) + Array(text[..<2]) + [0x54]
    + Array(text[12...])
}
