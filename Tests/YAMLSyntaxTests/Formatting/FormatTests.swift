import Diagnostics
import Testing
import YAMLSyntax

/// What `fmt` writes, form by form.
@Suite struct FormatTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    var form: String
    var testDescription: String { name }
  }

  @Test(arguments: formatCases)
  func `a file is written in the one form, and stays as it is the second time`(
    example: Case
  ) {
    let form = formatted(example.text)
    #expect(form == example.form)
    #expect(formatted(example.form) == example.form)
  }

  @Test(arguments: [
    ("? [a, b]\n: 1\n", "not-formatted"),
    ("\"a\n  b\": 1\n", "bad-indentation"),
    ("%YAML 1.1\n---\na: 1\n", "not-formatted"),
    ("a: [1\n", "unclosed"),
  ])
  func `a file that cannot be written again is left alone, with a complaint`(
    text: String, id: String
  ) {
    guard case .refused(let problems) = formatYAML(SourceFile(path: "t", text: text)) else {
      Issue.record("written: \(formatted(text))")
      return
    }
    #expect(!problems.isEmpty)
  }

  @Test func `lines in brackets are as long as is asked for`() {
    let text = "list: [one, two, three, four, five, six, seven, eight]\n"
    let form = formatYAML(SourceFile(path: "t", text: text), width: 40)
    let lines = "one two three four five six seven eight".split(separator: " ").map {
      "  - \($0)\n"
    }
    #expect(form == .formatted(Array(("list:\n" + lines.joined()).utf8)))
  }
}

func formatted(_ text: String) -> String {
  switch formatYAML(SourceFile(path: "t", text: text)) {
  case .formatted(let bytes): String(decoding: bytes, as: UTF8.self)
  case .refused(let problems): "refused: \(problems.map(\.message))"
  }
}
