import TestKit
import Testing
import Verdicts

/// How lists start.
@Suite struct ListStartTests {
  private func failures(_ text: String) throws -> [String] {
    let loading = Loading(text)
    #expect(loading.complaints == [])
    return try #require(loading.run()).verdict.failures.map(\.message)
  }

  @Test(arguments: [("", "[1]"), (", start: load", "[1]"), (", start: idle", "[]")])
  func `a list loads before the first step unless it is idle`(start: String, items: String) throws {
    let text = """
      scenario: s
      providers: { one: { items: [1] } }
      lists: { l: { from: one\(start) } }
      steps: [{ check: "l.items == \(items)" }, { wait: 1s }, { check: "l.items == \(items)" }]
      """
    #expect(try failures(text) == [])
  }

  @Test func `an idle list asks its provider at a refresh, and later the one of a load`() throws {
    let text = """
      scenario: s
      providers: { one: { items: [1] }, two: { items: [2] } }
      lists: { a: { from: one, start: idle }, b: { from: one, start: idle } }
      steps:
        - refresh: a
        - load: { b: two }
        - refresh: b
        - check: a.items == [1] && b.items == [2]
      """
    #expect(try failures(text) == [])
  }
}
