import TestKit
import Testing
import Traces

/// The files that are made from the tables of the format.
@Suite struct TracePagesTests {
  @Test func `the table of kinds has each kind once, in order`() {
    #expect(TraceKind.table.map(\.kind) == TraceKind.allCases)
  }

  @Test func `the schema of traces is up to date`() {
    let made = traceSchema()
    #expect(
      goldenText("schemas/trace.schema.json", made: made) == made,
      "run the tests once with UPDATE_EXPECTED=1")
  }

  @Test func `the page on traces has the tables of the format`() {
    let parts = (fileText("docs/traces.md") ?? "").split(separator: Self.mark)
    #expect(parts.count == 3)
    let made = [parts.first ?? "", "\n\n\(traceReference())\n\n", parts.last ?? ""]
      .joined(separator: Self.mark)
    #expect(goldenText("docs/traces.md", made: made) == made, "run with UPDATE_EXPECTED=1")
  }

  private static let mark = "<!-- the tables of the format -->"
}
