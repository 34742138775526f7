import Testing
import Values

@testable import Secrets

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

  @Test(arguments: [
    "a%2fb%2Fc k\u{e9}y", "a%2fb%2fc+k%c3%A9y", "%61/b/c%20k%C3%a9%79",
    "a%252Fb%252fc%2520k%25c3%25a9y", "a%2Fb%2Fc+k\u{e9}%79",
  ])
  func `a secret is found with any of its letters percent-encoded`(text: String) {
    let secret = "a/b/c k\u{e9}y"
    let masked = SecretMask([secret]).masked("user=u&key=\(text)&page=%2Fhome")
    #expect(masked == "user=u&key=***&page=%2Fhome")
    let named = NamedSecrets([secret], names: [secret: "key"])
    #expect(named.masked("/login?key=\(text)") == "/login?key=‹key›")
    #expect(named.finding(in: Array(text.utf8)) == "‹key›")
  }

  @Test(arguments: ["100%", "%", "%2", "%zz", "a+b", "%41%42", "50%25 off"])
  func `percent signs that hide nothing stay as they are`(text: String) {
    #expect(SecretMask(["hunter2!x"]).masked(text) == text)
  }

  @Test(arguments: Digest.allCases)
  func `a secret is found in hexadecimal digits, and its digests are`(digest: Digest) {
    let bytes = Array("hunter2!x".utf8)
    let made = digest.digest(of: bytes)
    let mask = SecretMask(["hunter2!x"])
    let texts = [
      hexadecimal(bytes), hexadecimal(bytes, upperCase: true), hexadecimal(made),
      Base64.encode(made), Base64.encode(made, urlSafe: true),
    ]
    for text in texts { #expect(mask.masked("x-\(text)-y") == "x-***-y") }
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

  @Test(arguments: [
    #"{"token":"AbC\/dEf+gHi\/Zq1"}"#, #"{\"token\":\"AbC\\\/dEf+gHi\\\/Zq1\"}"#,
    #"{"token":"AbC/dEf\u002BgHi/Zq1"}"#,
  ])
  func `a secret with slashes is found as other programs escape it`(text: String) {
    #expect(SecretMask(["AbC/dEf+gHi/Zq1"]).masked(text).contains("***"))
    #expect(!SecretMask(["AbC/dEf+gHi/Zq1"]).masked(text).contains("Zq1"))
  }

  @Test(arguments: [
    #"gr\u00fc\u00dfe \"x\""#, #"gr\u00FC\u00DFe \u0022x\u0022"#, #"grüße \\\"x\\\""#,
    #"gr\\u00fc\\u00dfe \\\"x\\\""#,
  ])
  func `a secret is found with its letters and quotes escaped, also twice`(text: String) {
    #expect(SecretMask([#"grüße "x""#]).masked("[\(text)]") == "[***]")
  }

  @Test func `a secret is found without the blanks around it`() {
    #expect(SecretMask(["  padded-secret\n"]).masked("X-Key: padded-secret") == "X-Key: ***")
  }

  @Test(arguments: [
    ("1", "***"), ("a 1 b", "a *** b"), ("11", "11"), ("x1", "x1"), (#"{"a":1}"#, #"{"a":***}"#),
    ("1.1", "***.***"),
  ])
  func `a short secret is masked only where it stands alone`(text: String, expected: String) {
    let mask = SecretMask(["1"])
    #expect(mask.masked(text) == expected)
    #expect(mask.masked(page: text) == text)
  }

  @Test func `times and numbers are masked as values`() {
    let time = Value.timestamp(Timestamp(seconds: 163_142_767))
    let mask = SecretMask([time.plainText, "4711"])
    #expect(mask.masked([time, 4711, 4712]) == ["***", "***", 4712])
  }

  @Test func `secrets that overlap are masked completely`() {
    #expect(SecretMask(["abcdef", "defghi"]).masked("xabcdefghix") == "x***x")
  }

  @Test func `a mask that grows hides all that it hid before`() {
    let names = (1...40).map { "secret-number-\($0)-" }
    let mask = names.reduce(SecretMask(["the first"])) { $0.adding([$1]) }
    for name in names + ["the first"] { #expect(mask.masked("<\(name)>") == "<***>") }
  }

  @Test func `a mask for everything leaves no text`() {
    #expect(SecretMask.everything.masked("a") == "***")
    #expect(SecretMask.everything.masked([1, "b"]) == ["***", "***"])
    #expect(SecretMask.everything.places(in: "abc") == [0..<3])
  }

  @Test func `the texts of a value are those of its parts`() {
    #expect((["a": ["one", 2], "b": true] as Value).secretTexts == ["one", "2"])
  }

  @Test func `of two secrets the longer is replaced first`() {
    #expect(SecretMask(["abc", "abcdef"]).masked("abcdef") == "***")
  }

  @Test func `a secret of letters and digits is found encoded and hashed as well`() {
    let mask = SecretMask(["Tea_time-4.2~x"])
    for form in [
      "Tea_time-4.2~x", "VGVhX3RpbWUtNC4yfng=", "5465615F74696D652D342E327E78",
      "%54ea_time-4.2%7Ex",
      Digest.sha1.digest(of: Array("Tea_time-4.2~x".utf8)).map { "\(hexadecimal([$0]))" }.joined(),
    ] {
      #expect(mask.masked("<\(form)>") == "<***>")
    }
  }

  @Test func `secrets that are equal as texts and differ in bytes have their own forms`() {
    for name in ["caf\u{e9}-in-one", "cafe\u{301}-in-one"] {
      #expect(SecretMask([name]).masked("<\(name)>") == "<***>")
    }
  }

  @Test func `forms are kept for the latest secrets alone`() {
    var indexes = LatestIndexes()
    for number in 0..<1_000 { _ = indexes.index(of: ["secret-\(number)"]) }
    _ = indexes.index(of: [String(repeating: "long", count: 1_000)])
    #expect(indexes.count == 64)
  }
}
