import Diagnostics

/// The places of labels: several on a line, in a file, in several files.
let placeCases = [
  RenderingCase(
    name: "one label", texts: [("a.yaml", "steps:\n  - «chek»: true\n")], labels: ["no such step"],
    help: "did you mean `check`?",
    page: """
      error[some-rule]: the rule in one sentence
       --> a.yaml:2:5
        |
      2 |   - chek: true
        |     ^^^^ no such step
        = help  did you mean `check`?
      """),
  RenderingCase(
    name: "two labels on one line, the one it is about nearest to its facts",
    texts: [("a.yaml", "{ «a»: 1, «a»: 2 }")], labels: ["first here", "given again"], primary: 1,
    facts: [.init("actual", "2")], severity: .warning,
    page: """
      warning[some-rule]: the rule in one sentence
       --> a.yaml:1:9
        |
      1 | { a: 1, a: 2 }
        |   - first here
        |         ^ given again
        |           actual  2
      """),
  RenderingCase(
    name: "labels above, just below and far below",
    texts: [("a.yaml", "one: «1»\ntwo: 2\n«three»: 3\n4\n5\n6\n7\n8\n9\n10: «x»")],
    labels: ["main", "near", "far"],
    page: """
      error[some-rule]: the rule in one sentence
        --> a.yaml:1:6
         |
       1 | one: 1
         |      ^ main
       2 | two: 2
       3 | three: 3
         | ----- near
       … |
      10 | 10: x
         |     - far
      """),
  RenderingCase(
    name: "a second file", texts: [("a.yaml", "use: «b»\n"), ("b.yaml", "\n\nparams: [«x»]\n")],
    labels: ["used here", "declared here"],
    page: """
      error[some-rule]: the rule in one sentence
       --> a.yaml:1:6
        |
      1 | use: b
        |      ^ used here
       ::: b.yaml:3:10
        |
      3 | params: [x]
        |          - declared here
      """),
  RenderingCase(
    name: "a range of several lines", texts: [("a.yaml", "a: «|\n  b\n  c\n»d: 1\n")],
    labels: ["never ends"],
    page: """
      error[some-rule]: the rule in one sentence
       --> a.yaml:1:4
        |
      1 | a: |
        |    ^… never ends
      """),
  RenderingCase(
    name: "a block that ends where the next begins",
    texts: [("a.yaml", "«set: 1\n\n  »b: 2")], labels: ["this"],
    page: """
      error[some-rule]: the rule in one sentence
       --> a.yaml:1:1
        |
      1 | set: 1
        | ^^^^^^ this
      """),
  RenderingCase(
    name: "an empty range at the end of the text", texts: [("a.yaml", "a:«»")],
    labels: ["a value is missing"],
    page: """
      error[some-rule]: the rule in one sentence
       --> a.yaml:1:3
        |
      1 | a:
        |   ^ a value is missing
      """),
]

/// Texts that are hard to show: tabs, wide characters, terminal commands, very long lines.
let awkwardTextCases = [
  RenderingCase(
    name: "a tab", texts: [("a.yaml", "\ta: «\t»b")],
    page: """
      error[some-rule]: the rule in one sentence
       --> a.yaml:1:5
        |
      1 |     a:     b
        |        ^^^^
      """),
  RenderingCase(
    name: "wide characters", texts: [("a.yaml", "猫: «日本», 🇩🇪👩‍👩‍👧: «❤️»e\u{301}«x»")],
    labels: ["main", "", "last"],
    page: """
      error[some-rule]: the rule in one sentence
       --> a.yaml:1:4
        |
      1 | 猫: 日本, 🇩🇪👩‍👩‍👧: ❤️e\u{301}x
        |                 --
        |                    - last
        |     ^^^^ main
      """),
  RenderingCase(
    name: "terminal commands",
    texts: [("a\u{1B}[2J.yaml", "a: \u{1B}[31m«\u{7}»\u{202E}\u{9B}\r\n")],
    labels: ["\u{1B}[0m"], facts: [.init("actual", "\u{8}\u{7F}")], help: "say \u{1B}]0;x\u{7}",
    page: """
      error[some-rule]: the rule in one sentence
       --> a␛[2J.yaml:1:9
        |
      1 | a: ␛[31m␇<U+202E><U+009B>
        |         ^ ␛[0m
        |           actual  ␈␡
        = help  say ␛]0;x␇
      """),
  RenderingCase(
    name: "a long line, cut on both sides",
    texts: [("a.yaml", String(repeating: "abcdefghij", count: 5) + "«K»01234567890123456789")],
    labels: ["here"], width: 35,
    page: """
      error[some-rule]: the rule in one sentence
       --> a.yaml:1:51
        |
      1 | …abcdefghijK01234567890123456…
        |            ^ here
      """),
  RenderingCase(
    name: "a line of megabytes, cut on both sides",
    texts: [
      (
        "a.yaml",
        String(repeating: "abcdefghij", count: 100_000) + "«K»"
          + String(repeating: "0123456789", count: 100_000)
      )
    ], labels: ["here"], width: 35,
    page: """
      error[some-rule]: the rule in one sentence
       --> a.yaml:1:1000001
        |
      1 | …abcdefghijK01234567890123456…
        |            ^ here
      """),
  RenderingCase(
    name: "a long line, cut after the caret",
    texts: [("a.yaml", "«a»" + String(repeating: "b", count: 40))], width: 35,
    page: """
      error[some-rule]: the rule in one sentence
       --> a.yaml:1:1
        |
      1 | abbbbbbbbbbbbbbbbbbbbbbbbbbbb…
        | ^
      """),
  RenderingCase(
    name: "a long line, cut before the caret",
    texts: [("a.yaml", String(repeating: "b", count: 40) + "«a»")], width: 35,
    page: """
      error[some-rule]: the rule in one sentence
       --> a.yaml:1:41
        |
      1 | …bbbbbbbbbbbbbbbbbbbbbbbbbbbba
        |                              ^
      """),
]

/// The lines below the caret, and below the excerpt.
let factCases = [
  RenderingCase(
    name: "texts of several lines stay aligned", texts: [("a.yaml", "  «a»: 1")],
    facts: [.init("actual", "{ a: 1,\n  b: 2 }"), .init("expected", "3")],
    notes: [.init("timeline", "0ms a\n5ms b")], help: "wait",
    page: """
      error[some-rule]: the rule in one sentence
       --> a.yaml:1:3
        |
      1 |   a: 1
        |   ^
        |     actual    { a: 1,
        |                 b: 2 }
        |     expected  3
        = timeline  0ms a
                    5ms b
        = help      wait
      """),
  RenderingCase(
    name: "facts move left where they would not fit",
    texts: [("a.yaml", String(repeating: " ", count: 20) + "«a»: 1")],
    facts: [.init("actual", "0123456789012345")], width: 35,
    page: """
      error[some-rule]: the rule in one sentence
       --> a.yaml:1:21
        |
      1 |                     a: 1
        |                     ^
        |       actual  0123456789012345
      """),
  RenderingCase(
    name: "no place at all", texts: [], facts: [.init("actual", "1")],
    notes: [.init("rerun", "rehearse run a.yaml")],
    page: """
      error[some-rule]: the rule in one sentence
        |
        |   actual  1
        = rerun  rehearse run a.yaml
      """),
]
