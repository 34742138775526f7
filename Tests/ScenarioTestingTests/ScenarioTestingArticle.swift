import ScenarioTesting
import Testing

@Suite struct ScenarioTestingArticle {
  // The code of the page.

  @Test func `an hour takes no time`() async throws {
    try await withVirtualTime { clock in
      let start = clock.now
      try await clock.sleep(for: .seconds(3600))
      #expect(start.duration(to: clock.now) == .seconds(3600))
    }
  }
}
