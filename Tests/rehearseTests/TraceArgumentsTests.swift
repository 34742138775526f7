import Diagnostics
import Testing

@testable import rehearse

@Suite struct TraceArgumentsTests {
  @Test(arguments: [
    ("trace why a.jsonl", "missing-argument"), ("trace why a.jsonl b", "bad-option-value"),
    ("trace why a.jsonl -1", "bad-option-value"), ("trace diff a.jsonl", "missing-argument"),
    ("trace stats a.jsonl b.jsonl", "unexpected-argument"),
    ("trace export a.jsonl", "missing-argument"),
    ("trace export a.jsonl --to svg", "bad-option-value"),
    ("trace stats a.jsonl --source b", "unknown-option"),
    ("trace audit a.jsonl --all", "unknown-option"),
    ("trace stats a.jsonl --run 0", "bad-option-value"),
    ("trace ask a.jsonl", "bad-option-value"),
  ])
  func `a question that makes no sense is refused`(line: String, id: String) {
    #expect(parseArguments(words(line)).problem?.diagnostic.id.rawValue == id)
  }

  @Test func `a question has its event, its sources and its form`() throws {
    let line = "trace state a.jsonl 13 --source a --source b.c --run 2 --json"
    guard case .trace(let arguments) = try parseArguments(words(line)).get() else {
      Issue.record("no trace")
      return
    }
    #expect(arguments.action == .state && arguments.path == "a.jsonl")
    #expect(arguments.event == 13 && arguments.sources == ["a", "b.c"])
    #expect(arguments.run == 2 && arguments.isForPrograms && !arguments.showsAll)
  }
}
