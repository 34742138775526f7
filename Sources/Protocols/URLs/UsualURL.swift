import Glibc
import TextSearch

/// The parts of a URL of the usual form: a scheme in small letters, a host, perhaps a port, and a
/// path.
///
/// A client reads the URL of each request. Such a one is read in one pass over its bytes, and the
/// parts that other URLs have are not looked for.
struct UsualURL {
  private typealias Bytes = UnsafeBufferPointer<UInt8>

  private var isSecure: Bool
  private var host: Range<Int>
  private var port: UInt16
  private var path: Range<Int>

  private static let schemes: [(text: StaticString, isSecure: Bool)] = [
    ("http://", false), ("https://", true), ("ws://", false), ("wss://", true),
  ]

  /// Parses a text; nil if it has another form, whether it is a URL or not.
  static func read(_ text: String) -> AbsoluteURL? {
    text.utf8.withContiguousStorageIfAvailable { bytes in
      UsualURL(bytes).map { url in
        AbsoluteURL(
          isSecure: url.isSecure, host: String(decoding: bytes[url.host], as: UTF8.self),
          port: url.port, path: String(decoding: bytes[url.path], as: UTF8.self))
      }
    } ?? nil
  }

  private init?(_ bytes: Bytes) {
    guard let scheme = UsualURL.schemes.first(where: { UsualURL.has($0.text, bytes) }) else {
      return nil
    }
    isSecure = scheme.isSecure
    let start = scheme.text.utf8CodeUnitCount
    guard let (colon, slash) = UsualURL.separators(in: bytes, from: start) else { return nil }
    host = start..<(colon ?? slash)
    port = isSecure ? 443 : 80
    path = slash..<slash
    if host.isEmpty { return nil }
    if let colon {
      guard let number = UsualURL.port(bytes[(colon + 1)..<slash]) else { return nil }
      port = number
    }
    // A path has no slash at its end.
    if let last = bytes[slash...].lastIndex(where: { $0 != UInt8(ascii: "/") }) {
      path = slash..<(last + 1)
    }
  }

  private static func has(_ scheme: StaticString, _ bytes: Bytes) -> Bool {
    guard let start = bytes.baseAddress, bytes.count >= scheme.utf8CodeUnitCount else {
      return false
    }
    return memcmp(start, scheme.utf8Start, scheme.utf8CodeUnitCount) == 0
  }

  /// Returns the place of the colon before a port, if there is one, and that of the first slash or
  /// of the end; nil if the URL has credentials, an address in brackets, a query or a fragment.
  private static func separators(in bytes: Bytes, from start: Int) -> (colon: Int?, slash: Int)? {
    var (colon, slash) = (nil as Int?, nil as Int?)
    for place in start..<bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "@"), UInt8(ascii: "["), UInt8(ascii: "?"), UInt8(ascii: "#"): return nil
      case UInt8(ascii: "/"): slash = slash ?? place
      case UInt8(ascii: ":") where slash == nil:
        if colon != nil { return nil }
        colon = place
      default: break
      }
    }
    return (colon, slash ?? bytes.count)
  }

  private static func port(_ digits: Slice<Bytes>) -> UInt16? {
    var number = 0
    for digit in digits {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit, number < 10_000 else { return nil }
      number = number * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return number == 0 ? nil : UInt16(exactly: number)
  }
}
