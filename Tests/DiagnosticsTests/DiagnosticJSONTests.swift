import Diagnostics
import Testing

@Suite struct DiagnosticJSONTests {
  @Test func `a complaint is one object on one line with every key`() {
    var sources = SourceMap()
    let file = sources.add(SourceFile(path: "a.yaml", text: "a: 1\nb: 日本\n"))
    let diagnostic = Diagnostic(
      "some-rule", severity: .warning, "the \"rule\"",
      labels: [.init(SourceRange(file: file, start: 8, end: 14), "here"), .init(.none, "nowhere")],
      facts: [.init("actual", "1\n2")], notes: [.init("cause", "c:\\d")], help: "do\u{1B}\u{9B}",
      differences: [.init(path: ".b", kind: .missing, actual: nil, expected: "[1]")])
    let expected = [
      #"{"id":"some-rule","page":"reference/diagnostics.html#some-rule","#,
      #""severity":"warning","message":"the \"rule\"","labels":["#,
      #"{"path":"a.yaml","line":2,"column":4,"endLine":2,"endColumn":6,"text":"here"},"#,
      #"{"path":null,"line":null,"column":null,"endLine":null,"endColumn":null,"#,
      #""text":"nowhere"}],"facts":[{"name":"actual","text":"1\n2"}],"#,
      #""notes":[{"name":"cause","text":"c:\\d"}],"help":"do\u001b\u009b","#,
      #""differences":[{"path":".b","kind":"missing","expected":[1]}]}"#,
    ]
    #expect(diagnosticJSON(diagnostic, in: sources) == expected.joined())
  }

  @Test func `what a complaint does not have is empty, not missing`() {
    let expected = [
      #"{"id":"a","page":"reference/diagnostics.html#a","severity":"error","message":"m","#,
      #""labels":[],"facts":[],"notes":[],"help":null,"differences":[]}"#,
    ]
    #expect(diagnosticJSON(Diagnostic("a", "m"), in: SourceMap()) == expected.joined())
  }
}
