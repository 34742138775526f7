import Testing

@testable import ScenarioSpec

@Suite struct SpaceNamesTests {
  @Test func `every space outside of ASCII has the name that Unicode gives it`() {
    let spaces = (0x80...0x10FFFF).compactMap { Unicode.Scalar(UInt32($0)) }
      .filter { $0.properties.isWhitespace }
    let named = spaces.compactMap { space in
      space.properties.name.map { (space.value, $0.lowercased()) }
    }
    #expect(Dictionary(uniqueKeysWithValues: named) == spaceNames)
  }
}
