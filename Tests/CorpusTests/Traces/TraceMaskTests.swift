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

  /// A token as a server says it word by word, and how it is split.
  private static let whole = "sk-proj-7Zk4x93abQw45Rt81Lm"

  @Test(arguments: [1, 2, 3, 4, 7, 12, 40])
  func `a token in pieces of a stream is hidden once eight of its letters have come`(size: Int) {
    let text = Array("The key is \(Self.whole). Keep it.")
    let pieces = stride(from: 0, to: text.count, by: size).map {
      String(text[$0..<min($0 + size, text.count)])
    }
    var mask = TraceMask(NamedSecrets(), findsTokens: true)
    var recorded = ""
    var said = ""
    for piece in pieces {
      said += piece
      let delta: Value = ["choices": [["delta": ["content": .string(piece)]]]]
      var line = TraceLine(.event, source: "ai", ["data": delta])
      (line.connection, line.from) = (1, .server)
      let shown = mask.masked(line).value?.json["data"]?["choices"]
      var choices: [Value] = []
      if case .list(let list)? = shown { choices = list }
      recorded += choices.first?["delta"]?["content"]?.plainText ?? ""
      // What the scenario makes of it: the piece alone, and all that was said.
      let emitted = mask.masked(TraceLine(.emitted, source: "last", .string(piece)))
      let log = mask.masked(TraceLine(.emitted, source: "log", .string(said)))
      for shown in [emitted, log].map({ $0.value?.json.plainText ?? "" }) {
        #expect(!shown.contains("Qw45Rt81Lm") && !shown.contains("x93ab"), "\(shown)")
      }
    }
    #expect(recorded.hasPrefix("The key is ") && recorded.hasSuffix(". Keep it."), "\(recorded)")
    #expect(recorded.contains("‹token#1›") && !recorded.contains("x93ab"), "\(recorded)")
    #expect(mask.masked(["echo": .string("x \(Self.whole)")])["echo"] == "x ‹token#1›")
  }

  @Test(arguments: ["task-", "disk-usage", "risk-averse", "npm_", "see-sk-"])
  func `words that only look like the beginning of a token stay`(word: String) {
    var mask = TraceMask(NamedSecrets(), findsTokens: true)
    for piece in [word, "list", " of words", "sk-", "learn is one"] {
      var line = TraceLine(.line, source: "ai", .string(piece))
      (line.connection, line.from) = (1, .server)
      #expect(mask.masked(line).value?.json == .string(piece))
    }
  }
}
