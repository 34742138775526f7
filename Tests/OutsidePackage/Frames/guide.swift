import Observation

func randomFact() async throws -> String { "A fact." }
struct Toggle {
  init(_ title: String, isOn: @autoclosure () -> Any) {}
}
// BLOCK
