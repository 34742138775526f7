import Events
import ScenarioPlan
import Values
import World

extension ScriptRun {
  /// Changes the world between clients and endpoints.
  func network(_ settings: [NetworkPlan]) -> Flow { .next }
}

extension ScenarioRun {
  /// How long a mock waits; an expression that gives no duration fails the run.
  func length(of duration: DurationPlan?, _ locals: [Value]) -> Microseconds {
    guard let duration else { return 0 }
    switch evaluate(duration, in: RunSlots(self, locals)) {
    case .success(let length): return length
    case .failure(let failure):
      fail(.evaluation(range: failure.range, message: failure.message, step: nil))
      return 0
    }
  }
}
