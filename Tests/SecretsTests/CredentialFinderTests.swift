import Secrets
import Testing
import Values

/// Tokens that nobody has declared are found, and nothing else is.
@Suite struct CredentialFinderTests {
  private static let token = "Aq3Zk7Lm9Pw2Xr"

  private func found(_ json: Value) -> [String] {
    var tokens = CredentialFinder()
    tokens.find(in: json)
    return tokens.takeFound().map(\.text)
  }

  @Test(arguments: [
    "access_token", "accessToken", "access-token", "X-Api-Key", "session_token", "clientSecret",
    "private_key", "jwt", "sid", "PHPSESSID", "_csrf", "passwd", "secretAccessKey", "signature",
    "credentials", "device_code", "webhook_secret", "Authorization",
  ])
  func `a text under the key of a token is one`(key: String) {
    #expect(found([.string(key): .string(Self.token)]) == [Self.token])
    #expect(found([.string(key): .list([.string(Self.token)])]) == [Self.token])
    #expect(found([.string(key): ["value": .string(Self.token)]]) == [Self.token])
    #expect(found(["name": .string(key), "value": .string(Self.token)]) == [Self.token])
    #expect(found(.string("\(key)=\(Self.token)&n=1")) == [Self.token])
    #expect(found(.string("{ \"\(key)\": \"\(Self.token)\", ")) == [Self.token])
    #expect(found(.string("<\(key)>\(Self.token)</\(key)>")) == [Self.token])
    #expect(found(.string("say \(key): \(Self.token) now")) == [Self.token])
    #expect(found(.bytes(Array("\(key)=\(Self.token)".utf8))) == [Self.token])
  }

  @Test(arguments: [
    "ghp_\(token)", "glptt-\(token)", "whsec_\(token)", "xapp-\(token)", "SG.\(token)",
    "pypi-\(token)", "hvs.\(token)", "lin_api_\(token)", "ATATT\(token)", "sk-\(token)",
    "eyJhbGciOi.\(token)",
  ])
  func `a text of a known shape is a token`(text: String) {
    #expect(found(.string("see \(text)!")) == [text])
    #expect(found(["note": .string(text)]) == [text])
  }

  @Test func `passwords in URLs, private keys and cookies are tokens`() {
    #expect(found(.string("go to https://ann:\(Self.token)@shop.example/x")) == [Self.token])
    let long = Self.token + Self.token
    #expect(found(.string("it was Bearer \(long)")) == [long])
    let key = "MIIEvQIBADANBg\nkqhkiG9w0BAQEF"
    #expect(
      found(.string("-----BEGIN PRIVATE KEY-----\n\(key)\n-----END PRIVATE KEY-----\n")) == [key])
    #expect(found(["set-cookie": .string("id=\(Self.token); Path=/a-long-path")]) == [Self.token])
  }

  @Test(arguments: [
    "the password: required, the token: expected", "tokens are counted", "token",
    "https://shop.example:8080/a@b", "sessions=many", "a secret: whatever",
  ])
  func `words about tokens are none`(text: String) {
    #expect(found(.string(text)) == [])
    #expect(found(["note": .string(text)]) == [])
  }

  @Test func `what the scenario has itself is no token`() {
    var tokens = CredentialFinder(isPublic: { $0 == Self.token })
    tokens.find(in: ["token": .string(Self.token), "sid": "another-1234"])
    #expect(tokens.takeFound().map(\.text) == ["another-1234"])
  }
}
