import Diagnostics
import Testing
import Values
import YAMLSyntax

func parsed(_ text: String) -> Diagnosed<[YAMLDocument]> {
  parseYAML(SourceFile(path: "test.yaml", text: text), index: 0)
}

func value(_ text: String) -> Value? { parsed(text).value.first?.root.value }

/// Returns the bytes of a range as text.
func excerpt(_ text: String, _ range: SourceRange) -> String {
  String(decoding: Array(text.utf8)[Int(range.start)..<Int(range.end)], as: UTF8.self)
}

@Suite struct YAMLTreeTests {
  @Test(
    arguments: [
      ("a: 1", ["a": 1]), ("- a\n- [b, 2]", ["a", ["b", 2]]),
      ("{a: {b: null}}", ["a": ["b": .null]]),
      ("a: |\n  x\n   y\n", ["a": "x\n y\n"]), ("a: >-\n  x\n  y\n", ["a": "x y"]),
      ("'1'", "1"), ("\"a\\u00e9\"", "aé"), ("1: a\ntrue: b", [1: "a", true: "b"]),
      ("!!str 1", "1"), ("! 1", "1"), ("!!float 1", 1.0), ("!!int '12'", 12),
      ("a: !!map {b: 1}", ["a": ["b": 1]]),
      ("\u{FEFF}a: 1\nb: 2", ["a": 1, "b": 2]), ("a: 1\r\nb: 2\r\n", ["a": 1, "b": 2]),
    ] as [(String, Value)])
  func `a document reads as its value`(text: String, expected: Value) {
    #expect(value(text) == expected)
    #expect(parsed(text).diagnostics.isEmpty)
  }

  @Test func `documents are separated by lines of three dashes`() {
    let result = parsed("a: 1\n---\nb: 2\n...\n---\nc: 3\n")
    #expect(result.value.map(\.root.value) == [["a": 1], ["b": 2], ["c": 3]])
    #expect(result.diagnostics.isEmpty)
  }

  @Test func `nodes are found by key and by index`() {
    let root = parsed("a: [x, {b: y}]").value[0].root
    #expect(root["a"]?[1]?["b"]?.text == "y")
    #expect(root["a"]?[2] == nil)
    #expect(root["b"] == nil)
    #expect(root["a"]?.kindName == "a list")
    #expect(root["a"]?[0]?.kindName == "text")
  }

  @Test func `keys keep their source text beside their typed value`() {
    let entries = parsed("0x10: a\n\"0x10\": b").value[0].root.entries ?? []
    #expect(entries.map(\.key) == ["0x10", "0x10"])
    #expect(entries.map(\.keyValue) == [16, "0x10"])
  }

  @Test func `an alias stands for the value its anchor names`() {
    #expect(value("a: &x [1, 2]\nb: *x") == ["a": [1, 2], "b": [1, 2]])
    #expect(value("a: &x 1\nb: &x 2\nc: *x") == ["a": 1, "b": 2, "c": 2])
  }

  @Test func `merged keys give way to explicit ones, later sources to earlier ones`() {
    let text = "b: &b {x: 1, y: 1}\nc: &c {y: 2, z: 2}\nd: {<<: [*b, *c], x: 3}"
    #expect(value(text)?["d"] == ["x": 3, "y": 1, "z": 2])
    #expect(value("b: &b {x: 1}\nd:\n  x: 2\n  <<: *b")?["d"] == ["x": 2])
    #expect(value("'<<': {x: 1}") == ["<<": ["x": 1]])
  }
}

@Suite struct RangeTests {
  @Test(arguments: [
    ("a: plain text  # c", "plain text"), ("a: 'it''s'  ", "'it''s'"), ("a: \"x\\n\" ", "\"x\\n\""),
    ("é: ü\nb: 1\na: €uro", "€uro"), ("a: |\n  x\n\n  y\n\nb: 1", "|\n  x\n\n  y"),
    ("a: &n !!str 12 ", "12"), ("a: !!map # c\n  b: 1\nc: 2", "b: 1"),
    ("a: [1, 2 ] # x", "[1, 2 ]"),
    ("a:\n  b: 1\n  c: 2\n\n# x\nd: 3", "b: 1\n  c: 2"), ("a:\n- 1\n- é\nb: 2", "- 1\n- é"),
    ("\u{FEFF}x: é\r\na: b\r\n", "b"), ("a: &n { b: 1 }", "{ b: 1 }"), ("a:   # nothing", ""),
    ("x: \t y\na: \"\u{1F600}\"", "\"\u{1F600}\""), ("a: &n\n  b: *n2\n", "b: *n2"),
  ])
  func `the range of a value covers what is written`(text: String, content: String) throws {
    let node = try #require(parsed(text).value.first?.root["a"])
    #expect(excerpt(text, node.range) == content)
  }

  @Test func `the range of a key covers the key`() throws {
    let text = "é: 1\n'b c' : 2"
    let entries = try #require(parsed(text).value.first?.root.entries)
    #expect(entries.map { excerpt(text, $0.keyRange) } == ["é", "'b c'"])
  }

  @Test func `an aliased node lies where it was written`() throws {
    let text = "a: &x [1]\nb: *x"
    let node = try #require(parsed(text).value.first?.root["b"])
    #expect(excerpt(text, node.range) == "[1]")
  }

  @Test func `ranges are right in a document behind a broken one`() throws {
    let text = "é: [\n---\né: 'x'\n---\na: [b, ü]"
    let roots = parsed(text).value.map(\.root)
    #expect(roots.map { excerpt(text, $0.range) } == ["é: 'x'", "a: [b, ü]"])
  }
}
