import Testing
import Values

@Suite struct Base64Tests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
  ])
  func `bytes are written and read back`(text: String, encoded: String) {
    #expect(Base64.encode(text.utf8) == encoded)
    #expect(Base64.decode(encoded) == Array(text.utf8))
    #expect(Base64.decode(encoded.filter { $0 != "=" }) == Array(text.utf8))
  }

  @Test func `the URL-safe alphabet is read as well`() {
    #expect(Base64.decode("-_-_") == Base64.decode("+/+/"))
    #expect(Base64.encode([0xFB, 0xFF], urlSafe: true) == "-_8")
  }

  @Test(arguments: ["Z", "Zg=", "Zm9v=", "Z!==", "===="])
  func `what is no Base64 is refused`(text: String) {
    #expect(Base64.decode(text) == nil)
  }
}
