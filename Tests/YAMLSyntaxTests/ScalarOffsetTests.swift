import Diagnostics
import Testing
import YAMLSyntax

@Suite struct ScalarOffsetTests {
  /// In each text, `X` of the scalar under `a` is to be found at the `X` of the source.
  @Test(arguments: [
    "a: X", "a: one X two", "é: 1\na: ééé X", "a: one\n  two\n\n\n  three X", "a: one \r\n  X",
    "a: 'X'", "a: 'it''s X'", "a: 'é\n  é\n\n  X'", "a: '  X'", "a: '''X'", "a: ''''''",
    "a: \"X\"", "a: \"\\n\\t\\\"X\"", "a: \"\\u00e9\\x41\\U0001F600X\"", "a: \"\\N\\_\\L\\P X\"",
    "a: \"one \\\n  two\\\n\n  X\"", "a: \"one\n\n  two\\\\X\"", "a: \"\\/\\0\\eX\"",
    "a: |\n  X", "a: |\n  one\n  two X", "a: |\n\n\n  one\n\n  X", "a: |2\n    X",
    "a: |  # c\n  é\n   éX",
    "a: |+\n  one\r\n  X\r\n\r\n", "b:\n  - a: |-\n      one\n      X",
    "a: >\n  X", "a: >\n  one\n  X", "a: >\n  one\n\n\n  two X", "a: >\n\n  one\n    more\n    X",
    "a: >\n  one\n   more\n  X", "a: >-\n  é\n\n   more\n\n  X", "a: >2\n    one\n  X",
    "a: &n !!str X", "b: &n one\na: é X",
  ])
  func `a place in the text is found in the source`(text: String) throws {
    let file = SourceFile(path: "t", text: text)
    let document = try #require(parseYAML(file, index: 0).value.first)
    let scalar = try #require(find("a", in: document.root)?.scalar)
    let offset = scalar.text.utf8.firstIndex(of: UInt8(ascii: "X")) ?? scalar.text.utf8.endIndex
    let inText = scalar.text.utf8.distance(from: scalar.text.utf8.startIndex, to: offset)
    let found = scalar.sourceOffset(ofTextOffset: inText, in: file)
    let expected = file.bytes.lastIndex(of: UInt8(ascii: "X")) ?? file.bytes.count - 1
    #expect(Int(found) == expected)
  }

  private func find(_ key: String, in node: YAMLNode) -> YAMLNode? {
    if let found = node[key] { return found }
    for child in (node.elements ?? []) + (node.entries ?? []).map(\.value) {
      if let found = find(key, in: child) { return found }
    }
    return nil
  }

  @Test(arguments: [
    "a: one two  three", "a: 'one''s two\n  three\n\n  four'", "a: \"one\\ttwo\n  three\\u00e9 é\"",
    "a: |\n  one\n    two\n\n  three é\n", "a: >\n  one\n  two\n\n    three\n  four é\n",
  ])
  func `every letter is found where it stands`(text: String) throws {
    let file = SourceFile(path: "t", text: text)
    let scalar = try #require(parseYAML(file, index: 0).value.first?.root["a"]?.scalar)
    for (offset, byte) in scalar.text.utf8.enumerated() where byte &- UInt8(ascii: "a") < 26 {
      let found = Int(scalar.sourceOffset(ofTextOffset: offset, in: file))
      #expect(file.bytes[found] == byte)
    }
  }

  @Test func `offsets outside the text stay within the scalar`() throws {
    for text in ["a: x", "a: ''", "a: |\n  x\n", "a:", "a: >\n"] {
      let file = SourceFile(path: "t", text: text)
      let scalar = try #require(parseYAML(file, index: 0).value.first?.root["a"]?.scalar)
      for offset in [-5, 0, 1, 2, 1000] {
        let found = scalar.sourceOffset(ofTextOffset: offset, in: file)
        #expect((scalar.range.start...scalar.range.end).contains(found))
      }
    }
  }

  @Test func `a part of the text has a range`() throws {
    let file = SourceFile(path: "t", text: "a: 'x == ''y'' && z'")
    let scalar = try #require(parseYAML(file, index: 0).value.first?.root["a"]?.scalar)
    let range = scalar.sourceRange(ofTextRange: 5..<8, in: file)
    #expect(excerpt("a: 'x == ''y'' && z'", range) == "''y''")
  }
}
