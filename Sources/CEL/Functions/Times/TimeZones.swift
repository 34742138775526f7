import Glibc
import TextSearch

/// The offset from UTC, by the name of a zone or a fixed offset.
enum TimeZones {
  private static let folder = "/usr/share/zoneinfo/"
  /// The size of the largest file that is read as a time zone.
  private static let largestFile = 1_000_000
  /// The steps that a look-up of a zone costs; it reads a file each time.
  private static let stepsForFile = 1000

  /// Returns the seconds to add to UTC in this zone at this moment.
  static func offset(
    of zone: String, at seconds: Int, _ meter: inout Meter
  ) throws(CELFault) -> Int {
    if zone == "UTC" || zone == "Z" || zone == "GMT" || zone.isEmpty { return 0 }
    if let fixed = fixedOffset(zone) { return fixed }
    try meter.spend(stepsForFile)
    guard isName(zone), let bytes = read(folder + zone), let file = ZoneFile(bytes) else {
      throw CELFault("there is no time zone '\(zone)'; one is written Europe/Paris or +01:00")
    }
    return file.offset(at: seconds)
  }

  /// Reads `+02:00`, `-02:00` or `02:00`.
  private static func fixedOffset(_ zone: String) -> Int? {
    let signed = zone.hasPrefix("-") || zone.hasPrefix("+")
    let digits = Array(zone.utf8.dropFirst(signed ? 1 : 0))
    guard digits.count == 5, digits[2] == UInt8(ascii: ":"),
      let hours = Int(String(decoding: digits[..<2], as: UTF8.self)),
      let minutes = Int(String(decoding: digits[3...], as: UTF8.self)),
      (0..<24).contains(hours), (0..<60).contains(minutes)
    else { return nil }
    let negative = zone.hasPrefix("-")
    return (negative ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  /// Returns whether this can be the name of a zone; such a name never leads out of the folder.
  private static func isName(_ zone: String) -> Bool {
    zone.utf8.count < 100 && isNameStart(zone.utf8.first ?? 0)
      && zone.utf8.allSatisfy { isNamePart($0) || [0x2F, 0x2D, 0x2B].contains($0) }
  }

  private static func read(_ path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 8192)
    while bytes.count < largestFile {
      let count = Glibc.read(file, &buffer, buffer.count)
      guard count > 0 else { return count == 0 ? bytes : nil }
      bytes += buffer[..<count]
    }
    return nil
  }
}

/// A zone's history, as the time zone database stores it.
struct ZoneFile {
  private var transitions: [Int] = []
  private var kinds: [Int] = []
  private var offsets: [Int] = []
  private var rule: ZoneRule?

  /// Reads the second part of a file, whose times have 64 bits; nil if it is not such a file.
  init?(_ bytes: [UInt8]) {
    guard let first = Header(bytes, at: 0), first.version >= UInt8(ascii: "2"),
      let header = Header(bytes, at: 44 + first.length(timeSize: 4)),
      header.start + 44 + header.length(timeSize: 8) <= bytes.count
    else { return nil }
    var position = header.start + 44
    for index in 0..<header.times {
      transitions.append(Header.number(bytes, position + index * 8, size: 8))
    }
    position += header.times * 8
    kinds = bytes[position..<position + header.times].map(Int.init)
    position += header.times
    for index in 0..<header.types {
      offsets.append(Header.number(bytes, position + index * 6, size: 4))
    }
    let footer = bytes[(header.start + 44 + header.length(timeSize: 8))...]
    rule = ZoneRule(String(decoding: footer.filter { $0 != 0x0A }, as: UTF8.self))
    guard !offsets.isEmpty, kinds.allSatisfy(offsets.indices.contains) else { return nil }
  }

  func offset(at seconds: Int) -> Int {
    guard let last = transitions.last else { return rule?.offset(at: seconds) ?? offsets[0] }
    if seconds >= last { return rule?.offset(at: seconds) ?? offsets[kinds[kinds.count - 1]] }
    guard let after = transitions.firstIndex(where: { $0 > seconds }), after > 0 else {
      return offsets[0]
    }
    return offsets[kinds[after - 1]]
  }

  /// The header of 44 bytes with the lengths of all parts.
  private struct Header {
    let start: Int
    let version: UInt8
    let times: Int
    let types: Int
    private let others: Int
    private let leaps: Int
    private let letters: Int

    init?(_ bytes: [UInt8], at start: Int) {
      guard start >= 0, bytes.count - start >= 44, bytes[start...].starts(with: "TZif".utf8) else {
        return nil
      }
      self.start = start
      version = bytes[start + 4]
      let counts = (0..<6).map { Header.number(bytes, start + 20 + $0 * 4, size: 4) }
      guard counts.allSatisfy({ (0...1_000_000).contains($0) }) else { return nil }
      others = counts[0] + counts[1]
      leaps = counts[2]
      times = counts[3]
      types = counts[4]
      letters = counts[5]
    }

    func length(timeSize: Int) -> Int {
      times * (timeSize + 1) + types * 6 + letters + leaps * (timeSize + 4) + others
    }

    /// Reads a signed number, highest byte first.
    static func number(_ bytes: [UInt8], _ position: Int, size: Int) -> Int {
      var bits: UInt64 = bytes[position] & 0x80 != 0 ? .max : 0
      for byte in bytes[position..<position + size] { bits = bits << 8 | UInt64(byte) }
      return Int(Int64(bitPattern: bits))
    }
  }
}
