import ScenarioPlan
import Values

extension ScenarioPlan {
  /// The reason why the scenario cannot be swept; nil if it can.
  package var reasonNotToSweep: String? {
    if let reason = reasonToSkip(in: .mock) { return reason }
    if isInRealTime || !programs.isEmpty || Set(worlds(in: .mock)) != [.mock] {
      return "a sweep needs virtual time and mocks in memory"
    }
    if !disturbances.isEmpty { return "its `disturb` is one course of a sweep" }
    if databases.contains(where: { !$0.isInMemory }) {
      return "its runs would share a database on disk"
    }
    return nil
  }
}

extension DatabasePlan {
  fileprivate var isInMemory: Bool {
    if case .constant(.string(":memory:")) = path.content { true } else { false }
  }
}
