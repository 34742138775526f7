import Glibc
import TextSearch

/// A body read as text.
package enum BodyText: Sendable, Equatable {
  /// The bytes are meant as UTF-8, without a mark at the beginning. They may still be wrong.
  case plain
  case decoded(String)
  /// The bytes are no text, for this reason.
  case unreadable(String)
}

/// Reads a body as text, as its headers describe it: by its byte order mark, else by its `charset`,
/// else as UTF-8. Charsets have the names and meanings of the WHATWG's Encoding Standard.
package func readText(of body: [UInt8], _ headers: HTTPHeaders) -> BodyText {
  if body.isEmpty { return .plain }
  if let coding = ContentCoding.unknownName(in: headers) {
    return .unreadable("`\(coding)` is not understood")
  }
  if let mark = ByteOrderMark.all.first(where: { body.starts(with: $0.bytes) }) {
    return decoded(body.dropFirst(mark.bytes.count), from: mark.charset, named: mark.name)
  }
  guard let name = charset(of: headers["Content-Type"]) else { return .plain }
  guard let charset = Charset(label: name) else {
    return .unreadable("the charset `\(name)` is not known")
  }
  return charset == .utf8 ? .plain : decoded(body[...], from: charset, named: name)
}

private func decoded(
  _ bytes: ArraySlice<UInt8>, from charset: Charset, named name: String
) -> BodyText {
  charset.decode(bytes).map { .decoded($0) } ?? .unreadable("its bytes are not text in `\(name)`")
}

/// The bytes at the beginning of a text that name its charset.
private struct ByteOrderMark {
  var bytes: [UInt8]
  var name: String
  var charset: Charset

  static let all = [
    ByteOrderMark(bytes: [0xEF, 0xBB, 0xBF], name: "utf-8", charset: .utf8),
    ByteOrderMark(bytes: [0xFE, 0xFF], name: "utf-16be", charset: .system("UTF-16BE")),
    ByteOrderMark(bytes: [0xFF, 0xFE], name: "utf-16le", charset: .system("UTF-16LE")),
  ]
}

/// Returns the `charset` that a content type names, in small letters; nil if it names none.
private func charset(of type: String?) -> String? {
  // Nearly all types have no parameters, and each body is asked.
  guard let type, type.contains(byte: UInt8(ascii: ";")) else { return nil }
  for parameter in type.split(separator: ";").dropFirst() {
    let parts = parameter.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, sameName(String(parts[0].filter { !$0.isWhitespace }), "charset")
    else { continue }
    let name = parts[1].filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }.lowercased()
    return name.isEmpty ? nil : name
  }
  return nil
}

/// A way to write text as bytes.
enum Charset: Equatable {
  case utf8
  /// Latin letters; the Web treats ISO 8859-1 and ASCII as this.
  case windows1252
  /// A charset that the C library decodes, by its name there.
  case system(String)

  /// Makes a charset by its label, in small letters; nil for an unknown one.
  init?(label: String) {
    if let name = Charset.systemNames[label] {
      self = .system(name)
    } else if ["utf-8", "utf8", "unicode-1-1-utf-8"].contains(label) {
      self = .utf8
    } else if Charset.latinLabels.contains(label) {
      self = .windows1252
    } else if let number = Charset.number(in: label, after: ["windows-", "cp", "x-cp"]),
      (1250...1258).contains(number)
    {
      self = number == 1252 ? .windows1252 : .system("CP\(number)")
    } else if let number = Charset.number(
      in: label, after: ["iso-8859-", "iso8859-", "iso_8859-"]),
      (2...16).contains(number), number != 12
    {
      self = .system("ISO-8859-\(number)")
    } else {
      return nil
    }
  }

  private static func number(in label: String, after beginnings: [String]) -> Int? {
    beginnings.lazy.filter(label.hasPrefix).compactMap { Int(label.dropFirst($0.count)) }.first
  }

  private static let latinLabels: Set<String> = [
    "iso-8859-1", "iso8859-1", "iso_8859-1", "iso88591", "latin1", "l1", "ascii", "us-ascii",
    "ansi_x3.4-1968", "cp819", "ibm819",
  ]

  private static let systemNames: [String: String] = [
    "utf-16": "UTF-16LE", "utf-16le": "UTF-16LE", "utf-16be": "UTF-16BE", "unicode": "UTF-16LE",
    "shift_jis": "CP932", "shift-jis": "CP932", "sjis": "CP932", "x-sjis": "CP932",
    "ms_kanji": "CP932", "windows-31j": "CP932", "ms932": "CP932",
    "gb18030": "GB18030", "gbk": "GB18030", "x-gbk": "GB18030", "gb2312": "GB18030",
    "gb_2312-80": "GB18030", "chinese": "GB18030",
    "euc-kr": "CP949", "ks_c_5601-1987": "CP949", "ksc5601": "CP949", "windows-949": "CP949",
    "korean": "CP949", "euc-jp": "EUC-JP", "x-euc-jp": "EUC-JP", "iso-2022-jp": "ISO-2022-JP",
    "big5": "BIG5-HKSCS", "big5-hkscs": "BIG5-HKSCS", "koi8-r": "KOI8-R", "koi8": "KOI8-R",
    "koi8-u": "KOI8-U", "ibm866": "CP866", "cp866": "CP866", "866": "CP866",
    "macintosh": "MACINTOSH", "mac": "MACINTOSH", "windows-874": "CP874", "tis-620": "CP874",
    "iso-8859-9": "CP1254", "latin5": "CP1254", "iso-8859-11": "CP874", "latin2": "ISO-8859-2",
  ]

  /// Returns the text; nil if the bytes are none.
  func decode(_ bytes: ArraySlice<UInt8>) -> String? {
    switch self {
    case .utf8: String(validating: bytes, as: UTF8.self)
    case .windows1252:
      bytes.reduce(into: "") { $0.unicodeScalars.append(Charset.latinScalar($1)) }
    case .system(let name): decode(bytes, from: name)
    }
  }

  /// Every byte is a character. Five bytes without one of their own stand for control characters.
  private static func latinScalar(_ byte: UInt8) -> Unicode.Scalar {
    guard (0x80..<0xA0).contains(byte) else { return Unicode.Scalar(byte) }
    return upperLatin[Int(byte - 0x80)]
  }

  private static let upperLatin = Array(
    ("€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}" + "\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ").unicodeScalars)

  private func decode(_ bytes: ArraySlice<UInt8>, from name: String) -> String? {
    guard let converter = iconv_open("UTF-8", name), Int(bitPattern: converter) != -1 else {
      return nil
    }
    defer { iconv_close(converter) }
    var input = bytes.map { CChar(bitPattern: $0) }
    // No charset here takes more than three bytes of UTF-8 for one of its own, but a little room
    // for marks must be there.
    var output = [CChar](repeating: 0, count: input.count * 4 + 16)
    let written = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        convert(converter, input, output)
      }
    }
    guard let written else { return nil }
    return String(decoding: output[..<written].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// Returns the number of bytes that were written; nil if the input is not text.
private func convert(
  _ converter: iconv_t, _ input: UnsafeMutableBufferPointer<CChar>,
  _ output: UnsafeMutableBufferPointer<CChar>
) -> Int? {
  var from = input.baseAddress
  var rest = input.count
  var to = output.baseAddress
  var room = output.count
  guard iconv(converter, &from, &rest, &to, &room) != -1, rest == 0 else {
    return nil
  }
  guard iconv(converter, nil, nil, &to, &room) != -1 else { return nil }
  return output.count - room
}
