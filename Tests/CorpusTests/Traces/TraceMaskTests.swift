import Secrets
import Testing
import Traces
import Values

@testable import TraceRecording

@Suite struct TraceMaskTests {
  private static let token = "Aq3Zk7Lm9Pw2Xr"

  @Test func `a token is hidden in every form in which it comes back`() {
    var mask = TraceMask(NamedSecrets(), findsTokens: true)
    _ = mask.masked(["access_token": .string(Self.token)])
    let forms = [
      Self.token, "x\(Self.token)y", Base64.encode(Array(Self.token.utf8)),
      Self.token.utf8.map { "%" + String($0, radix: 16) }.joined(),
    ]
    for form in forms {
      #expect(mask.masked(["echo": .string(form)])["echo"] != .string(form), "\(form)")
    }
    let escapes = Self.token.utf16.map { "\\u00" + String($0, radix: 16) }.joined()
    var line = TraceLine(.response, ["body": ["t": .string(Self.token)]])
    line.text = TraceValue(json: .string("{\"t\":\"\(escapes)\"}"))
    #expect(mask.masked(line).text == nil)
  }
}
