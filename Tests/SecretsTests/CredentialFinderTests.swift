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

  private static let long = "Aq3Zk7Lm9Pw2XrB81TnV4"

  @Test(arguments: [
    "https://x.blob.example/c?sv=2020&sig=\(long)%3D", "/cb?code=\(long)&state=1",
    "<form><input type='hidden' name='csrf_token' value='\(long)'></form>",
    "<meta content=\"\(long)\" name=\"csrf-token\">", "the token \(long) has expired",
    "https://shop.example/reset/\(long)", "https://hooks.slack.com/services/T0/B0/\(long)",
    "user,token\nann,\(long)\n", "nextnonce=\"\(long)\"", "Basic \(long)",
    "--b\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\n\(long)\r\n--b--\r\n",
  ])
  func `a token in a text of any form is found`(text: String) {
    #expect(found(.string(text)).contains { $0.hasPrefix(Self.long) }, "\(found(.string(text)))")
    #expect(found(.bytes(Array(text.utf8))).contains { $0.hasPrefix(Self.long) })
    #expect(found(.bytes([0xFF, 0] + Array(text.utf8))).contains { $0.hasPrefix(Self.long) })
  }

  @Test func `tokens in lists, pairs, numbers, keys and codes are found`() {
    let long = Value.string(Self.long)
    #expect(found(["tokens": [long, long]]) == [Self.long])
    #expect(found([["access_token", long]]) == [Self.long])
    #expect(found(["Accept", "x", "Authorization", .string("Bearer \(Self.long)")]) == [Self.long])
    #expect(found(["token": 7_738_291_045]) == ["7738291045"])
    #expect(found(["otp": "938472", "pin": 482_913]) == ["938472", "482913"])
    #expect(found(["kty": "RSA", "n": "abcabcabc", "d": long]) == [Self.long])
    #expect(found(["mnemonic": "legal winner thank year"]) == ["legal winner thank year"])
    #expect(found(["password": "correct horse battery"]) == ["correct horse battery"])
    let json = Base64.encode(Array("{\"access_token\":\"\(Self.long)\"}".utf8))
    #expect(found(["payload": .string(json)]) == [Self.long])
    let basic = Base64.encode(Array("ann:\(Self.long)".utf8))
    #expect(found(["header": .string("Basic \(basic)")]).contains(Self.long))
  }

  @Test(
    arguments: [
      ["code": "INVALID_ARGUMENT_OF_CALL", "key": "SHOP-1234", "state": "waiting-for-payment-2"],
      ["tokens": ["hello", "world"], "prompt_tokens": 12, "key": "photos/2026/img0001.jpg"],
      ["password": "must be at least 8 characters", "auth": "required", "pin": "top-left"],
      ["id": "65f1c0ffee0123456789abcd", "session": 12, "note": "reset your password"],
      [
        "html": "<input name='q' value='Aq3Zk7Lm9Pw2XrB81TnV4'>", "path": "/reset/password-of-user",
      ],
    ] as [Value])
  func `what has the key of a doubtful secret and the look of none is none`(json: Value) {
    #expect(found(json) == [])
  }

  @Test func `what the scenario has itself is no token`() {
    var tokens = CredentialFinder(isPublic: { $0 == Self.token })
    tokens.find(in: ["token": .string(Self.token), "sid": "another-1234"])
    #expect(tokens.takeFound().map(\.text) == ["another-1234"])
  }
}
