import Diagnostics
import Testing
import Values

@testable import rehearse

@Suite struct VariablesFileTests {
  @Test(arguments: [
    ("a: 1\nb: x\nc: '1'\n", ["a=1", "b=\"x\"", "c=\"1\""]),
    ("{ a: [1, { b: 2 }], c: }", ["a=[1,{\"b\":2}]", "c=null"]),
    ("{}", []),
  ])
  func `a map in YAML sets variables, typed as it says`(_ text: String, _ expected: [String]) {
    #expect(read(text, "v.yaml").lines == expected)
  }

  @Test(arguments: [
    ("{\"a\": 1, \"b\": \"1\"}", ["a=1", "b=\"1\""]),
    ("\u{FEFF}{\"a\": \"\\ud83d\\ude00\"}", ["a=\"😀\""]),
  ])
  func `a map in JSON sets variables`(_ text: String, _ expected: [String]) {
    #expect(read(text, "v.json").lines == expected)
  }

  @Test(arguments: [
    ("- a", "v.yaml", "`v.yaml` must be a map from names of variables to values, and is a list"),
    (
      "a: 1\n---\nb: 2", "v.yaml",
      "`v.yaml` must be a map from names of variables to values, and is several documents"
    ),
    ("[1]", "v.json", "`v.json` must be a map from names of variables to values, and is a list"),
    ("{\n \"a\" 1}", "v.json", "v.json:2:6: a colon separates a JSON key from its value"),
    ("a: 1\na: 2", "v.yaml", "v.yaml:2:1: "),
  ])
  func `what is no map is refused`(_ text: String, _ path: String, _ message: String) {
    let file = parseVariablesFile(SourceFile(path: path, text: text))
    #expect(file.value.isEmpty)
    #expect(file.diagnostics.map(\.id) == ["variables-file"])
    #expect(file.diagnostics.first?.message.hasPrefix(message) ?? false)
  }

  @Test func `a complaint does not show the line, which may hold a secret`() {
    let file = parseVariablesFile(SourceFile(path: "v.yaml", text: "token: [s3cret\nb: 1"))
    #expect(!file.diagnostics.isEmpty)
    for complaint in file.diagnostics {
      #expect(complaint.labels.isEmpty && !complaint.message.contains("s3cret"))
    }
  }

  @Test func `later files go before earlier ones, and the command line before all`() {
    let inputs = loadInputs(
      GivenInputs(
        variables: [VariableSetting(name: "a", value: "8")], variableFiles: ["/no/such/file"]))
    #expect(inputs.diagnostics.map(\.id) == ["unreadable-file"])
    #expect(inputs.value.variables.last?.name == "a")
  }

  private func read(_ text: String, _ path: String) -> (lines: [String], ids: [String]) {
    let file = parseVariablesFile(SourceFile(path: path, text: text))
    return (file.value.map { "\($0.name)=\($0.value.json())" }, file.diagnostics.map(\.id.rawValue))
  }
}
