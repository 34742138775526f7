import CLoading
import CSQLite
import Testing

@Suite("Libraries that are loaded when they are first used")
struct LoadingTests {
  @Test("A library that is there is no problem, and one that is not is named")
  func problem() throws {
    #expect(csqlite_problem() == nil)
    let problem = try #require(cloading_problem("libnothing-of-this-name.so.7"))
    #expect(String(cString: problem).contains("libnothing-of-this-name.so.7"))
  }
}
