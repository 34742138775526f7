import Testing
import Values

@Suite struct SecretMaskTests {
  static let cases: [(text: String, masked: String)] = [
    ("token hunter2!x here", "token *** here"), ("?t=hunter2%21x&a", "?t=***&a"),
    ("Basic aHVudGVyMiF4", "Basic ***"), ("say \"hi\"", "***"), ("say \\\"hi\\\"", "***"),
    ("nothing to hide", "nothing to hide"), ("hunter2!xhunter2!x", "******"),
  ]

  @Test(arguments: cases)
  func `a secret is replaced in every form it is written in`(text: String, masked: String) {
    let mask = SecretMask(["hunter2!x", "say \"hi\"", ""])
    #expect(mask.masked(text) == masked)
  }

  @Test(arguments: ["u:", "us:", "user:"])
  func `a secret inside a longer Base64 text cannot be decoded`(name: String) {
    let secret = "correct horse battery"
    let encoded = Base64.encode(Array((name + secret).utf8))
    let masked = SecretMask([secret]).masked(encoded)
    #expect(masked.contains("***"))
    let readable = Base64.decode(String(masked.prefix { $0 != "*" }))
    #expect(!String(decoding: readable ?? [], as: UTF8.self).contains("cor"))
  }

  @Test func `of two secrets the longer is replaced first`() {
    #expect(SecretMask(["abc", "abcdef"]).masked("abcdef") == "***")
  }
}
