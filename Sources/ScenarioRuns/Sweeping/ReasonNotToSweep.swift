import ScenarioPlan
import Values

extension ScenarioPlan {
  /// Returns the reason why the scenario cannot be swept; nil if it can.
  package func reasonNotToSweep(hasSubjects: Bool = false) -> String? {
    if let reason = reasonNotToDisturb(hasSubjects: hasSubjects) { return reason }
    return disturbances.isEmpty ? nil : "its `disturb` is one course of a sweep"
  }

  /// Returns the reason why nothing can go wrong in the scenario as in a sweep; nil if it can.
  package func reasonNotToDisturb(hasSubjects: Bool) -> String? {
    if let reason = reasonToSkip(in: .mock, hasSubjects: hasSubjects) { return reason }
    if isInRealTime || !programs.isEmpty || Set(worlds(in: .mock)) != [.mock] {
      return "a sweep needs virtual time and mocks in memory"
    }
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
