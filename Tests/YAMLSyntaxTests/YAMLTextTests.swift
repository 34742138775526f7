import Testing
import Values
import YAMLSyntax

/// Trees that are written and read again.
@Suite struct YAMLTextTests {
  private static let texts = [
    "", " ", "a", "no", "yes", "null", "~", "010", "1:30", "1e3", "0x1f", "-", "- a", "a: b", "a:b",
    "a #b", "#a", "'a'", "\"a\"", "a, b", "[a]", "{a}", "&a", "*a", "!a", "%a", "@a", "`a`", "|",
    ">",
    "?", "? a", "=", "<<", "a\nb", "a\nb\n", "a\n\n", "\na", " a\nb", "a \nb", "a\tb", "\ta\nb",
    "a\r\nb", "\u{0}", "\u{7F}", "\u{85}", "\u{2028}", "\u{FEFF}", "\u{1F600}", "e\u{301}", "ä",
    "\\", "a\\nb", "2026-01-05T10:00:02Z", "${a}", "a:", "-1", "+1", ".5", "1_000",
    String(repeating: "long ", count: 40), String(repeating: "x", count: 300),
  ]

  @Test(arguments: texts)
  func `text is read as it was, wherever it stands`(text: String) {
    let text = Value.string(text)
    for tree in [
      Value.list([text]), [text: 1], ["a": text], ["a": [text, text]],
      ["a": ["b": [["c": text, "d": [[text: text]]]]]],
      [[text], ["a": text], ["a": text, "b": [:]], []],
    ] {
      let written = YAMLText(tree).written()
      #expect(value(written) == tree, "\(written)")
      #expect(parsed(written).diagnostics.isEmpty, "\(written)")
    }
  }

  @Test(arguments: [0.5, 1e300, -0.1, .infinity, -.infinity, 1e21] as [Double])
  func `a number is read as it was`(number: Double) {
    #expect(value(YAMLText(["a": .double(number)]).written()) == ["a": .double(number)])
  }

  @Test func `a part that is too long for its line has lines of its own`() {
    let long = Value.string(String(repeating: "word ", count: 12) + "end")
    let tree = YAMLText([
      "short": ["a": 1, "b": [1, 2]], "list": [["send": "a"], ["a": 1, "b": 2]],
      "long": ["first": long, "second": long], "text": "one\ntwo\n",
    ])
    #expect(
      tree.written() == """
        short: { a: 1, b: [1, 2] }
        list: [{ send: a }, { a: 1, b: 2 }]
        long:
          first: \(long.plainText)
          second: \(long.plainText)
        text: |
          one
          two

        """)
  }
}
