import Testing
import Values
import Verdicts

@Suite struct DifferenceDataTests {
  static let cases: [(matcher: Value, value: Value, data: [String])] = [
    (["a": 1, "b": 2], ["a": 2, "c": 3], [".a value 2 1", ".  missing - 2"]),
    (["$exactly": ["a": 1]], ["a": 1, "b": [2]], [".b unexpected [2] -"]),
    (["a": 1], ["a": "1"], [".a type \"1\" 1"]),
    ([1, 2, 3], [1, 3], ["[1] missing - 2"]),
    ([[1]], [[1], [2], [3]], ["[1] unexpected [2] -"]),
    (
      ["a": ["$lt": 3, "$gt": 9]], ["a": 5],
      [
        ".a operator 5 {\"$lt\":3}", ".a operator 5 {\"$gt\":9}",
      ]
    ),
    (["x": ["$match": ["y": 1]]], ["x": ["y": 2]], [".x.y value 2 1"]),
    (
      [["id": ["$as": "n"]], ["of": "${n}", "is": 2]], [["id": 1], ["of": 1, "is": 3]],
      [
        "[1].is value 3 2"
      ]
    ),
  ]

  @Test(arguments: cases)
  func `all that differs is reported as data`(matcher: Value, value: Value, data: [String]) {
    let run = Rehearsal("a")
    run.expect(["a": [matcher]])
    run.emit("a", value)
    let verdict = Verdicts.judge(run.log, plan: run.plan, sources: run.sources)
    let told = verdict.failures[0].differences.map { each in
      let sides = [each.actual, each.expected].map { $0 ?? "-" }.joined(separator: " ")
      return "\(each.path.isEmpty ? ". " : each.path) \(each.kind.rawValue) \(sides)"
    }
    #expect(told == data)
  }

  @Test func `a secret is not reported as data either`() {
    let run = FailingRuns.secret()
    let verdict = Verdicts.judge(run.log, plan: run.plan, sources: run.sources)
    let told = verdict.failures[0].differences
    #expect(told.map(\.actual) == ["\"dXNlcjp***4=\""])
  }
}
