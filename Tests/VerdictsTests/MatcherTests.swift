import Events
import Testing
import Values
import Verdicts

@Suite struct MatcherTests {
  static let named: Value = ["name": "saved", "payload": ["id": 1]]

  static let matching: [(Value, Value)] = [
    (1, 1), (1, 1.0), (1.0, .uint(1)), ("x", "x"), (nil, nil), (true, true),
    (["a": 1], ["a": 1, "b": 2]), ([:], ["a": 1]), ([1, 2], [1, 2]), ([], []),
    (["a": ["b": [1, ["c": 2]]]], ["a": ["b": [1, ["c": 2, "d": 3]], "e": nil]]),
    ("loaded", ["loaded": "cats"]), ("loaded", "loaded"), ("saved", named),
    (["saved": ["id": 1]], named), (["name": "saved"], named),
    (["$any": true], 5), (["$exactly": ["a": 1]], ["a": 1]), (["$regex": "ell"], "hello"),
    (["$regex": "ave"], named), (["$text": "{\"a\":1}"], ["a": 1]), (["$text": "plain"], "plain"),
    (["$gt": 1], 2), (["$gte": 2, "$lt": 3], 2.5), (["$lte": "b"], "a"),
    (["$lt": "\u{E9}"], "e\u{301}"), (["$gt": "e\u{301}"], "\u{E9}"),
    (["$gt": .double(0x1p53)], .int((1 << 53) + 1)), (["$lt": .int(.max)], .double(0x1p62)),
    (["$gt": 1], .uint(.max)), (["$gt": "1s"], .duration(TimeSpan(seconds: 2))),
    (["$lt": "2000-01-01T00:00:00Z"], .timestamp(Timestamp(seconds: 0))),
    ("2s", .duration(TimeSpan(seconds: 2))),
    (["$in": [1, 2]], 2), (["$in": ["none", "loaded"]], ["loaded": 1]), (["$not": 1], 2),
    (["$size": 2], [1, 2]), (["$size": ["$gt": 1]], ["a": 1, "b": 2]), (["$size": 1], "é"),
    (["$contains": ["id": 2]], [["id": 1], ["id": 2, "x": 0]]), (["$contains": "ell"], "hello"),
    (["a": ["$absent": true]], ["b": 1]), (["a": ["$in": [1, ["$absent": true]]]], [:]),
    (["a": ["$match": ["$absent": true]]], [:]), (["$type": "int"], 1), (["$type": "number"], 1),
    (["$type": "number"], 0.5), (["$type": "null"], nil), (["$type": "bytes"], .bytes([1])),
    (["$anyOrder": []], []), (["$anyOrder": [2, 1]], [1, 2]),
    (["$anyOrder": [["$any": true], 1, ["$gt": 0]]], [1, "x", 2]),
    (["$anyOrder": [["$in": [1, 2]], ["$in": [1, 3]], 1]], [1, 2, 3]),
    (["$each": ["$gt": 0]], [1, 2]), (["$each": 1], []), (["$json": ["a": 1]], "{\"a\":1,\"b\":2}"),
    (["$json": ["a": 1]], ["a": 1]), (["$json": 7], " 7 "), (["$startsWith": "he"], "hello"),
    (["$startsWith": ""], "hello"), (["$endsWith": "é"], "café"), (["$startsWith": "sa"], named),
    (["$eachLike": ["id": 1]], [["id": 7], ["id": 0.5, "x": 1]]),
    (["$where": "value > 3"], 4), (["$as": "x", "$match": ["a": 1]], ["a": 1]),
  ]

  @Test(arguments: matching)
  func `a value as the matcher says is matched`(matcher: Value, value: Value) {
    let run = Rehearsal("a")
    run.expect(["a": [matcher]])
    run.emit("a", value)
    #expect(run.outcome == "met")
  }

  static let differing: [(Value, Value, path: String)] = [
    (1, 2, ""), (1, "1", ""), (nil, false, ""), (["a": 1], ["a": 2], ".a"), (["a": 1], [:], ""),
    (["a": ["b": [1, ["c": 2]]]], ["a": ["b": [1, ["c": 3]]]], ".a.b[1].c"),
    (["a b": 1], ["a b": 2], "[\"a b\"]"), ([1], [1, 2], ""), ([1, 2], [1], ""),
    ([1, 3], [1, 2], "[1]"),
    ("loaded", ["loaded": 1, "more": 2], ""), ("loaded", "Loaded", ""), ("other", named, ""),
    (["saved": ["id": 2]], named, ".payload.id"), (["a": 1], 1, ""), ([1], 1, ""),
    (["$exactly": ["a": 1]], ["a": 1, "b": 2], ""), (["$regex": "x"], "hello", ""),
    (["$regex": "x"], 1, ""), (["$gt": 1], 1, ""), (["$gt": 1], "2", ""),
    (["$gt": 1], .double(.nan), ""), (["$gte": "\u{E9}"], "e\u{301}", ""),
    (["$lte": .double(0x1p53)], .int((1 << 53) + 1), ""),
    (["$lt": "soon"], .duration(TimeSpan(seconds: 2)), ""), (["$in": [1, 2]], 3, ""),
    (["$not": ["a": 1]], ["a": 1, "b": 2], ""), (["$size": 2], [1], ""), (["$size": 2], 2, ""),
    (["$contains": 3], [1, 2], ""), (["$contains": "x"], "hello", ""), (["$contains": 1], 1, ""),
    (["a": ["$where": "value > 3"]], ["a": 3], ".a"),
    (["a": ["$where": "value > 3"]], ["a": "x"], ".a"),
    (["$gt": 1, "$lt": 3], 3, ""),
    (["a": ["$absent": true]], ["a": nil], ".a"), (["a": ["$not": ["$absent": true]]], [:], ""),
    (["a": ["b": ["$absent": true]]], [:], ""), (["$absent": true], 1, ""),
    (["a": ["$absent": true, "$as": "x"]], [:], ""),
    (["$type": "int"], 1.5, ""), (["$type": "text"], 1, ""), (["$type": "map"], [1], ""),
    (["$anyOrder": [1, 2]], [1, 3], ""), (["$anyOrder": [1, 1]], [1, 2], ""),
    (["$anyOrder": [1]], [1, 2], ""), (["$anyOrder": [1]], 1, ""),
    (["$each": ["a": ["$gt": 0]]], [["a": 1], ["a": 0]], "[1].a"), (["$each": 1], 1, ""),
    (["$json": ["a": 1]], "{\"a\":2}", ".a"), (["$json": ["a": 1]], "{", ""), (["$json": 1], 1, ""),
    (["$startsWith": "He"], "hello", ""), (["$endsWith": "hell"], "hello", ""),
    (["$startsWith": "1"], 12, ""), (["$eachLike": 1], [], ""),
    (["$eachLike": 1], [2, "x"], "[1]"),
    (["$eachLike": 1], 1, ""),
    (["$regex": ".*"], .bytes([0xFF]), ""), (["$contains": ""], .bytes([0xFF]), ""),
    (["$text": ["$regex": ".*"]], .bytes([0xFF]), ""),
  ]

  @Test(arguments: differing)
  func `a value that differs is not matched, and the path says where`(
    matcher: Value, value: Value, path: String
  ) {
    let run = Rehearsal("a")
    run.expect(["a": [matcher]])
    run.emit("a", value)
    guard case .expectation(.mismatch(_, let found, _))? = run.failure?.kind else {
      Issue.record("\(run.outcome)")
      return
    }
    #expect(found.first.pathText == path)
  }

  /// Enough constants that those of a long list are looked up.
  private static let constants: [Value] = (0..<20).map {
    ["id": .string("constant \($0)"), "n": 1]
  }

  @Test(arguments: matching)
  func `among many constants in any order a value finds its matcher`(
    matcher: Value, value: Value
  ) {
    let run = Rehearsal("a")
    run.expect(["a": [["$anyOrder": .list([matcher] + Self.constants)]]])
    run.emit("a", .list(Self.constants.reversed() + [value]))
    #expect(run.outcome == "met")
  }

  @Test(arguments: differing)
  func `among many constants in any order a value that differs finds none`(
    matcher: Value, value: Value, path: String
  ) {
    let run = Rehearsal("a")
    run.expect(["a": [["$anyOrder": .list([matcher] + Self.constants)]]])
    run.emit("a", .list(Self.constants.reversed() + [value]))
    #expect(run.outcome == "mismatch")
  }

  @Test(arguments: matching)
  func `among many events in any order one finds its entry`(matcher: Value, value: Value) {
    let run = Rehearsal("a")
    run.expect(list: [.anyOrder(([matcher] + Self.constants).map { .of("a", $0) })])
    for value in Self.constants.reversed() + [value] { run.emit("a", value) }
    #expect(run.status() == .met)
  }

  @Test func `constants in any order may be as many as there are`() {
    let run = Rehearsal("a")
    let numbers = (0..<5_000).map { Value.int($0 / 2) }
    run.expect(["a": [["$anyOrder": .list(numbers)]]])
    run.emit("a", .list(numbers.reversed()))
    #expect(run.outcome == "met")
  }

  @Test func `matchers in any order that would need too many tries are an error`() {
    let run = Rehearsal("a")
    run.expect(["a": [["$anyOrder": .list(Array(repeating: ["$gt": 0], count: 1_001))]]])
    run.emit("a", .list(Array(repeating: 1, count: 1_001)))
    guard case .expectation(.mismatch(_, let found, _))? = run.failure?.kind,
      case .evaluation(let failure) = found.first.reason
    else {
      Issue.record("\(run.outcome)")
      return
    }
    #expect(failure.message == "`$anyOrder` tries at most 1000000 pairs, and would need more")
  }

  @Test func `the part of the matcher that failed is pointed at`() {
    let run = Rehearsal("a")
    run.expect(["a": [["x": 1, "y": ["z": "no"]]]])
    run.emit("a", ["x": 1, "y": ["z": "yes"]])
    guard case .expectation(.mismatch(_, let found, _))? = run.failure?.kind else { return }
    #expect(run.text(of: found.first.range) == "\"no\"")
  }

  @Test func `what a failed alternative captured is forgotten`() {
    let run = Rehearsal("a")
    let first: Value = ["id": ["$as": "x"], "kind": "k1"]
    run.expect(["a": [["$in": [first, ["kind": "k2"]]]]])
    run.emit("a", ["id": 5, "kind": "k2"])
    #expect(run.outcome == "met")
    #expect(run.captured("x") == nil)
  }

  @Test func `a part captured is seen by the parts behind it`() {
    let run = Rehearsal("a")
    run.expect(["a": [["id": ["$as": "x"], "again": "${x}"]]])
    run.emit("a", ["id": 5, "again": 5])
    #expect(run.outcome == "met")
  }
}
