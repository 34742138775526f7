import Testing

@testable import Protocols

struct `reading a body as text` {
  @Test(
    arguments: [
      ("text/plain; charset=iso-8859-1", [0x63, 0x61, 0x66, 0xE9], "café"),
      ("text/plain; charset=ISO-8859-1", [0x80, 0x93, 0x81], "€“\u{81}"),
      ("text/plain; charset=\"windows-1252\"", [0x99], "™"),
      ("text/plain;charset=us-ascii", [0x61], "a"),
      ("text/html; charset=windows-1251", [0xCF, 0xF0, 0xE8], "При"),
      ("text/html; charset=cp1256", [0xC7], "ا"),
      ("text/html; charset=iso-8859-2", [0xB3], "ł"),
      ("text/html; charset=iso-8859-9", [0xFE], "ş"),
      ("text/plain; charset=utf-16", [0x61, 0x00, 0x3D, 0xD8, 0x00, 0xDE], "a😀"),
      ("text/plain; charset=utf-16be", [0x00, 0x61], "a"),
      ("text/plain; charset=shift_jis", [0x93, 0xFA, 0x96, 0x7B], "日本"),
      ("text/plain; charset=gb2312", [0xC4, 0xE3, 0xBA, 0xC3], "你好"),
      ("text/plain; charset=gb18030", [0x81, 0x30, 0x81, 0x30], "\u{80}"),
      ("text/plain; charset=euc-kr", [0xC7, 0xD1], "한"),
      ("text/plain; charset=big5", [0xA4, 0xA4], "中"),
      ("text/plain; charset=koi8-r", [0xF0], "П"),
      ("text/plain", [0xEF, 0xBB, 0xBF, 0x61], "a"),
      ("text/plain; charset=iso-8859-1", [0xEF, 0xBB, 0xBF, 0x61], "a"),
      ("", [0xFF, 0xFE, 0x61, 0x00], "a"), ("", [0xFE, 0xFF, 0x00, 0x61], "a"),
    ] as [(String, [UInt8], String)])
  func `a charset or a mark says what the bytes are`(type: String, body: [UInt8], text: String) {
    #expect(readText(of: body, ["Content-Type": type]) == .decoded(text))
  }

  @Test(arguments: ["text/plain", "text/plain; charset=UTF-8", "text/plain; charset=", "x; y=z"])
  func `all else is UTF-8`(type: String) {
    #expect(readText(of: bytes("ü"), ["Content-Type": type]) == .plain)
  }

  @Test(
    arguments: [
      ("text/plain; charset=klingon", [0x61], "the charset `klingon` is not known"),
      ("text/plain; charset=shift_jis", [0x93], "its bytes are not text in `shift_jis`"),
      ("text/plain; charset=utf-16", [0x61], "its bytes are not text in `utf-16`"),
      ("text/plain; charset=windows-1251", [0x98], "its bytes are not text in `windows-1251`"),
      ("", [0xEF, 0xBB, 0xBF, 0xFF], "its bytes are not text in `utf-8`"),
    ] as [(String, [UInt8], String)])
  func `bytes that are no text say why`(type: String, body: [UInt8], reason: String) {
    #expect(readText(of: body, ["Content-Type": type]) == .unreadable(reason))
  }

  @Test func `a coding that is not understood has a name`() {
    let headers: HTTPHeaders = ["Content-Encoding": "gzip, lzma", "Content-Type": "text/plain"]
    #expect(readText(of: [1], headers) == .unreadable("`lzma` is not understood"))
  }
}
