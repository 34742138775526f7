import Testing

/// Reactors in Swift and reactors in YAML do the same.
@Suite struct ReactorLawTests {
  @Test(arguments: ReactorLaw.all)
  func `a reactor written in Swift keeps the law`(law: ReactorLaw) {
    #expect(LawReactor(law).run() == law.log)
  }

  @Test(arguments: ReactorLaw.all)
  func `a reactor written in YAML keeps the law`(law: ReactorLaw) {
    #expect(LawScenario(law).run() == law.log)
  }

  @Test func `each law has a promise of its own`() {
    let promises = ReactorLaw.all.map(\.promise)
    #expect(Set(promises).count == promises.count)
  }
}
