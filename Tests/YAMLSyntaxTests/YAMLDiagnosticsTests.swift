import Diagnostics
import Explanations
import Testing
import YAMLSyntax

@Suite struct YAMLDiagnosticsTests {
  /// Returns the single diagnostic of a text, its place, and the line that its help proposes.
  @Test(
    arguments: [
      ("a: 'x' + b  # c", "needs-quotes", "+", #"write `a: "'x' + b"  # c`"#),
      ("- x: \"a\" + 'b'", "needs-quotes", "+", #"write `- x: '"a" + ''b'''`"#),
      ("a: x ? 'b: c' : d", "needs-quotes", ":", #"write `a: "x ? 'b: c' : d"`"#),
      (
        "- { computed: items[0], x: 1 }", "needs-quotes", "[",
        #"write `- { computed: "items[0]", x: 1 }`"#
      ),
      ("a: { x: ${v} }", "needs-quotes", "{", #"write `a: { x: "${v}" }`"#),
      ("a: [b, c d[0]]", "needs-quotes", "[", #"write `a: [b, "c d[0]"]`"#),
      ("a: { b: 'x' + y }", "needs-quotes", "+", #"write `a: { b: "'x' + y" }`"#),
      ("x: {\n  a: b[0], # c\n  c: 1 }", "needs-quotes", "[", #"write `a: "b[0]", # c`"#),
      ("x: {\n  a: b[0] # c\n}", "needs-quotes", "[", #"write `a: "b[0]" # c`"#),
      (
        "x: {\n  a: *b,\n  c: 1 }", "undefined-alias", "*b",
        #"text that begins with `*` must be in quotes: `a: "*b",`"#
      ),
      ("a: {b: 'x' c: 2}", "unclosed-bracket", "c", nil),
      ("a: ['x' 'y']", "unclosed-bracket", "'", nil),
      ("if: !a && b", "needs-quotes", "&", #"write `if: "!a && b"`"#),
      ("a: [1, 2].size() == 2", "needs-quotes", ".", #"write `a: "[1, 2].size() == 2"`"#),
      ("a: {}.size()", "needs-quotes", ".", #"write `a: "{}.size()"`"#),
      ("a: @x", "needs-quotes", "@", #"write `a: "@x"`"#),
      ("a: %x", "needs-quotes", "%", #"write `a: "%x"`"#),
      ("a: `x`", "needs-quotes", "`", #"write `a: "`x`"`"#),
      ("a: * 2", "needs-quotes", " ", #"write `a: "* 2"`"#),
      ("a: > 5", "needs-quotes", "5", #"write `a: "> 5"`"#),
      (
        "if: !flag", "unknown-tag", "!flag",
        #"a value that begins with `!` must be in quotes: `if: "!flag"`"#
      ),
      ("a: { if: !flag, x: 1 }", "unknown-tag", "!flag", nil),
      (
        "a: *b", "undefined-alias", "*b", #"text that begins with `*` must be in quotes: `a: "*b"`"#
      ),
      ("a: &base 1\nb: *bace", "undefined-alias", "*bace", "write `*base`"),
      ("a:1\nb: 2", "missing-space-after-colon", "a", "write `a: 1`"),
      ("- a:1\n  b: 2", "missing-space-after-colon", "-", "write `a: 1`"),
      ("a: { b:1 }", "missing-space-after-colon", "b:1", "write `b: 1`"),
      ("a: x == 'b #c'", "comment-cut", "#c'", #"write `a: "x == 'b #c'"`"#),
      ("a: { b: f(x, y) }", "split-by-comma", "f(x", #"write `a: { b: "f(x, y)" }`"#),
      ("a: { b: f(x, [y]) }", "split-by-comma", "f(x", #"write `a: { b: "f(x, [y])" }`"#),
      (
        "data: [DONE]", "list-of-one-word", "[DONE]",
        #"write `data: "[DONE]"` for the text, or `data: ["DONE"]` for the list"#
      ),
      ("a: &b", "anchor-on-nothing", "&b", #"text that begins with `&` must be in quotes: `"&b"`"#),
      ("a: 010", "yaml-1-1-reading", "010", "write `10` or `8`, or `\"010\"` for the text"),
      ("a: 1_000", "yaml-1-1-reading", "1_000", "write `\"1_000\"` for the text, or `1000`"),
      ("a: No", "yaml-1-1-reading", "No", "write `\"No\"` for the text, or `false`"),
      ("a: yes", "yaml-1-1-reading", "yes", "write `\"yes\"` for the text, or `true`"),
      ("a: 0b11", "yaml-1-1-reading", "0b11", "write `\"0b11\"` for the text, or `3`"),
      ("a: 'x\n", "unclosed-quote", "'", nil), ("a: {\n", "unclosed-bracket", "", nil),
      ("a: {b: 1 c: 2}", "unclosed-bracket", ":", nil),
      ("a:\n\tb: 1", "tab-indentation", "\t", "replace the tab with spaces"),
      ("a: 1\na: 2", "duplicate-key", "a", nil),
      (
        "<<: {}\n<<: {}", "duplicate-key", "<<",
        "merge several mappings with one `<<: [*first, *second]`"
      ),
      ("? {a: 1}\n: b", "complex-key", "{a: 1}", nil), ("a: !!int x", "tag-mismatch", "x", nil),
      ("a: &a [*a]", "recursive-alias", "*a", nil), ("<<: [1]", "merge-not-mapping", "[1]", nil),
      ("a: \u{1}x", "control-character", "\u{1}", "in double quotes it is `\\u0001`"),
      ("a: b\u{2028}", "unusual-line-break", "\u{2028}", "in double quotes it is `\\u2028`"),
      ("a: 1\rb: 2", "unusual-line-break", "\r", "in double quotes it is `\\u000D`"),
      ("", "empty-file", "", nil), ("a: 1\n---\n", "empty-document", "", nil),
      ("a: 1\n b: 2", "yaml-syntax", ":", nil), ("key\nb: 1", "yaml-syntax", "k", nil),
      ("%YAML 1.3\n---\n", "yaml-syntax", "%", nil), ("a: \"\\q\"", "yaml-syntax", "\\", nil),
    ] as [(String, String, String, String?)])
  func `a mistake is named once, in its place, with the line to write`(
    text: String, id: String, place: String, help: String?
  ) throws {
    let diagnostics = parsed(text).diagnostics.filter {
      id == "empty-document" || $0.id != "empty-document"
    }
    #expect(diagnostics.map(\.id.rawValue) == [id])
    let diagnostic = try #require(diagnostics.first)
    #expect(excerpt(text, try #require(diagnostic.labels.first).range) == place)
    if help != nil { #expect(diagnostic.help == help) }
  }

  @Test(arguments: [
    "a: it's fine # really", "a: don't # can't", "a: http://x/y#z", "tags: [API]", "a: [DONE]",
    "a: [x: 1]",
    "a: 2000-01-01T00:00:00Z", "a: 0", "a: 00", "a: 07", "a: 1e3", "a: 0o17", "y: 1\non: 2",
    "a: 'no'", "a: now",
    "a: (b, c)", "a: { b: \"f(x, y)\" }", "a: {b: 1, c}", "a: f(x) # (", "a: x == \"y\" # \"z\"",
    "a: 12:61",
    "a: &x 1\nb: *x", "a: >-\n  x # 'y'\n  z", "a: {http://x: 1}", "a: { x: f(b) , y: 1 }",
    "a: 10.0.0.1",
    "data: [\"DONE\"]", "a: \"x: y\"", "a: b:c", "a: !!str yes", "a: 'x #y'", "a: [http://x, z]",
  ])
  func `what is meant as it stands is not complained about`(text: String) {
    #expect(parsed(text).diagnostics == [])
  }

  @Test func `all that is wrong is named at once, in the order of the file`() {
    let text = "a: 1\na: 2\nb: no\n---\nc: 'x' y\n---\nd: !t x\n---\ne: ["
    let ids = parsed(text).diagnostics.map(\.id)
    #expect(
      ids == [
        "duplicate-key", "yaml-1-1-reading", "needs-quotes", "unknown-tag", "unclosed-bracket",
      ])
    #expect(parsed(text).value.count == 2)
  }

  @Test func `each byte that is not UTF-8 is named, and the rest is read`() {
    let bytes: [UInt8] = Array("a: ".utf8) + [0xFF, 0xC3] + Array("x\nb: 2".utf8)
    let result = parseYAML(SourceFile(path: "t", bytes: bytes), index: 0)
    #expect(result.diagnostics.map(\.id) == ["invalid-utf8", "invalid-utf8"])
    #expect(result.diagnostics.compactMap(\.labels.first?.range.start) == [3, 4])
    #expect(result.value.first?.root["b"]?.value == 2)
  }

  @Test func `of many wrong bytes only the first are named`() {
    let result = parseYAML(
      SourceFile(path: "t", bytes: [UInt8](repeating: 0xFF, count: 1000)), index: 0)
    #expect(result.diagnostics.count { $0.id == "invalid-utf8" } == YAMLLimit.namedBytes)
  }

  @Test func `a second duplicate of a long mapping is found`() {
    let lines = (0..<100).map { "k\($0): 0" } + ["k50: 1"]
    let result = parsed(lines.joined(separator: "\n"))
    #expect(result.diagnostics.map(\.id) == ["duplicate-key"])
    #expect(result.value.first?.root.entries?.count == 100)
  }
}

@Suite struct YAMLLimitTests {
  @Test(arguments: ["[", "- ", "{a: "])
  func `nesting is bounded`(opening: String) {
    func nested(_ depth: Int) -> String {
      let closing = opening == "- " ? "" : opening == "[" ? "]" : "}"
      return String(repeating: opening, count: depth) + "1"
        + String(repeating: closing, count: depth)
    }
    #expect(parsed(nested(YAMLLimit.depth)).diagnostics == [])
    #expect(parsed(nested(YAMLLimit.depth + 1)).diagnostics.map(\.id) == ["too-deep"])
    #expect(parsed(nested(20_000)).diagnostics.map(\.id) == ["too-deep"])
  }

  @Test func `nesting through aliases is bounded as well`() {
    let lines = (1...200).map { "a\($0): &a\($0) [*a\($0 - 1)]" }
    let result = parsed("a0: &a0 1\n" + lines.joined(separator: "\n"))
    #expect(result.diagnostics.map(\.id) == ["too-deep"])
  }

  @Test func `merging does not multiply entries without bound`() {
    let base = "b: &b {" + (0..<2000).map { "k\($0): 1" }.joined(separator: ", ") + "}\n"
    let merges = (0..<2000).map { "m\($0): {<<: *b}\n" }.joined()
    #expect(parsed(base + merges).diagnostics.map(\.id) == ["alias-bomb"])
  }

  @Test func `the complaints about one file are bounded, and errors come first`() {
    let text = String(repeating: "- no\n", count: 5000) + "- !t x\n"
    #expect(parsed(text).diagnostics.map(\.id) == ["unknown-tag"])
    #expect(
      parsed(String(repeating: "- no\n", count: 5000)).diagnostics.count == YAMLLimit.diagnostics)
  }

  @Test func `a document behind one that is too deep is read`() {
    let text = String(repeating: "[", count: 500) + "\n---\na: 1"
    #expect(parsed(text).value.map(\.root.value) == [["a": 1]])
  }
}

private let pages = diagnosticPages(on: .yaml)

@Suite struct YAMLPageTests {
  private static let notWrittenAsText = ["file-too-large", "invalid-utf8", "too-many-nodes"]

  @Test(arguments: pages.map(\.id.rawValue).filter { !notWrittenAsText.contains($0) })
  func `the wrong lines of a page are complained about, the right ones are not`(id: String) throws {
    let page = try #require(pages.first { $0.id.rawValue == id })
    #expect(parsed(page.wrong).diagnostics.map(\.id.rawValue).contains(id))
    #expect(parsed(page.right).diagnostics == [])
  }

  @Test func `each id has one page`() {
    #expect(Set(pages.map(\.id)).count == pages.count)
  }
}
