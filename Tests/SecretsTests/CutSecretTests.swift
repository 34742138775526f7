import Secrets
import Testing
import Values

@Suite struct CutSecretTests {
  @Test(arguments: [
    ("x hunter2se…", "x ***…"),
    ("…ter2secret x", "…*** x"),
    ("…ter2se…", "…***…"),
    ("a=… and hu…", "a=… and hu…"),
    ("hunters…", "hunters…"),
  ])
  func `what a cut left of a secret is hidden`(_ text: String, _ expected: String) {
    #expect(SecretMask(["hunter2secret"]).masked(text) == expected)
  }

  @Test func `each line of a secret is hidden`() {
    let mask = SecretMask(["first line\nsecond line\n-\n"])
    #expect(mask.masked("3 |   second line") == "3 |   ***")
    #expect(mask.masked("- a") == "- a")
  }
}
