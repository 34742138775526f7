import Diagnostics
import Testing

@Suite struct DiagnosticOrderTests {
  private func complaint(
    _ id: DiagnosticID, _ place: (Int32, Int32)? = nil, _ severity: Diagnostic.Severity = .error
  ) -> Diagnostic {
    let labels = place.map {
      [Diagnostic.Label(SourceRange(file: $0.0, start: $0.1, end: $0.1))]
    }
    return Diagnostic(id, severity: severity, "m", labels: labels ?? [])
  }

  @Test func `files come as they were read, each from top to bottom, warnings among errors`() {
    let given = [
      complaint("e", (1, 0)), complaint("d", (0, 30)), complaint("b", (0, 10), .warning),
      complaint("c", (0, 20)), complaint("a"),
    ]
    #expect(given.sortedForReport().map(\.id) == ["a", "b", "c", "d", "e"])
  }

  @Test func `complaints about one place keep their order`() {
    let ids = (0..<200).map { DiagnosticID(rawValue: "id-\($0)") }
    #expect(ids.map { complaint($0, (0, 5)) }.sortedForReport().map(\.id) == ids)
  }

  @Test func `what was said twice is said once, and only that`() {
    let given = [
      complaint("a", (0, 1)), complaint("a", (0, 1)), complaint("a", (0, 1), .warning),
      complaint("a", (0, 2)),
    ]
    #expect(given.sortedForReport() == [given[0], given[2], given[3]])
  }
}
