import Testing

/// The rooms that decide verdicts, routes and drift, or read what is compared there.
private let decidingRooms = [
  "CEL", "JSONSchemas", "Protocols", "ScenarioEngine", "ScenarioPlan", "ScenarioRuns",
  "ScenarioSpec", "TraceRecording", "Traces", "Values", "Verdicts",
]

/// The rooms whose import brings the equality of texts by code points.
private let roomsWithEquality = ["TextSearch", "Values", "Diagnostics"]

private let comparisons = [
  " == ", " != ", "hasPrefix(", "hasSuffix(", "firstIndex(of:", ".contains(",
]

@Suite struct TextEqualityTests {
  /// Swift finds two spellings of one letter equal, and `K` and the sign of Kelvin. A file that
  /// compares without one of these imports would do so silently.
  @Test func `rooms that decide compare texts by code points`() {
    let rooms = sourceTexts.filter { text in
      decidingRooms.contains { text.path.hasPrefix("Sources/\($0)/") }
    }
    #expect(rooms.count > 500)
    let found = rooms.filter { text in
      text.code.contains { line in comparisons.contains { holds(line, $0) } }
        && !text.code.contains { line in
          roomsWithEquality.contains { line.hasSuffix("import \($0)") }
        }
    }
    #expect(found.map(\.path) == [], "write `import TextSearch`")
  }

  private func holds(_ line: String, _ part: String) -> Bool {
    part.utf8.count <= line.utf8.count
      && line.utf8.indices.contains { line.utf8[$0...].starts(with: part.utf8) }
  }
}
