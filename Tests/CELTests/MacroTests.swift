import CEL
import Testing
import Values

@Suite struct MacroTests {
  @Test(
    arguments: [
      ("[1, 2, 3].all(n, n > 0)", true), ("[].all(n, false)", true), ("[].exists(n, true)", false),
      ("[1, 2, 2].exists_one(n, n == 1)", true), ("[1, 2, 2].exists_one(n, n == 2)", false),
      ("[1, 2, 3].map(n, n * n)", [1, 4, 9]), ("[1, 2, 3].map(n, n > 1, n * 10)", [20, 30]),
      ("[1, 2, 3].filter(n, n % 2 == 1)", [1, 3]), ("{'a': 1, 'b': 2}.map(k, k)", ["a", "b"]),
      ("{'a': 1, 'b': 2}.filter(k, k > 'a')", ["b"]), ("has({'a': 1}.a)", true),
      ("has({'a': 1}.b)", false), ("[[1, 2], [3]].map(l, l.map(n, n + size(l)))", [[3, 4], [4]]),
      ("[5, 7].exists(i, v, i == 1 && v == 7)", true), ("[5, 7].all(i, v, v > i)", true),
      ("[1, 1].existsOne(i, v, i == v)", true), ("[5, 7].transformList(i, v, i * v)", [0, 7]),
      ("[5, 7].transformList(i, v, i > 0, v)", [7]),
      ("{'a': 1}.transformMap(k, v, k + string(v))", ["a": "a1"]),
      ("{'a': 1, 'b': 2}.transformMap(k, v, v > 1, v)", ["b": 2]),
      ("['x', 'y'].transformMapEntry(i, v, {v: i})", ["x": 0, "y": 1]),
      ("cel.bind(x, 20, x + x + 2)", 42), ("[1].map(x, [2].map(x, x))", [[2]]),
      ("cel.bind(a, 1, cel.bind(b, a + 1, [a, b].map(a, a * 10) + [a]))", [10, 20, 1]),
    ] as [(String, Value)])
  func `a macro walks, asks and collects`(text: String, expected: Value) {
    #expect(value(text) == expected)
  }

  @Test(
    arguments: [
      ("optional.of(1).value()", 1), ("optional.none().orValue(3)", 3),
      ("optional.of(1).orValue(1 / 0)", 1), ("{'a': {'b': 2}}.?a.b.orValue(0)", 2),
      ("{'a': {}}.?a.b.orValue(0)", 0), ("[1, 2][?5].hasValue()", false), ("[1, 2][?1].value()", 2),
      ("{'a': null}.?a.hasValue()", true), ("has({'a': {}}.?b.c)", false),
      ("optional.none().or(optional.of(4)).value()", 4),
      ("optional.of(2).optMap(x, x * 2).value()", 4),
      ("optional.of({'k': 3}).optFlatMap(m, m.?k).value()", 3),
      ("optional.none().optMap(x, x / 0).hasValue()", false),
      ("optional.ofNonZeroValue('').hasValue()", false),
      ("[?optional.none(), ?optional.of(1)]", [1]),
      ("{?'a': optional.none(), ?'b': optional.of(2)}", ["b": 2]),
      ("optional.unwrap([optional.of(1), optional.none()])", [1]),
      ("optional.of(1) == optional.of(1.0) && optional.none() != optional.of(1)", true),
    ] as [(String, Value)])
  func `what may be missing is asked for without a failure`(text: String, expected: Value) {
    #expect(value(text) == expected)
  }

  @Test(arguments: [
    ("optional.none().value()", "has no value"), ("[?1]", "takes an optional"),
    ("[1].map(1, 2)", "plain name"), ("has(1)", "takes a field"),
    ("['x', 'x'].transformMapEntry(i, v, {v: i})", "repeated key"),
    ("[1].all(n, n)", "a condition is a bool"),
  ])
  func `a macro misused says what it wants`(text: String, words: String) {
    #expect(complaint(text)?.contains(words) == true, "\(complaint(text) ?? "a value")")
  }
}
