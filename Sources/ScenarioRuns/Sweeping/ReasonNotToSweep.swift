import ScenarioPlan
import ScenarioSpec
import Values

extension ScenarioPlan {
  /// Returns the reason why the scenario cannot be swept; nil if it can.
  ///
  /// - Parameters:
  ///   - kind: The world that the command line chooses.
  ///   - hasSubjects: True if Swift objects play parts of the scenario.
  package func reasonNotToSweep(in kind: WorldKind = .mock, hasSubjects: Bool = false) -> String? {
    if let reason = reasonNotToDisturb(in: kind, hasSubjects: hasSubjects) { return reason }
    return disturbances.isEmpty ? nil : "its `disturb` is one course of a sweep"
  }

  /// Returns the reason why nothing can go wrong in the scenario as in a sweep; nil if it can.
  ///
  /// - Parameters:
  ///   - kind: The world that the command line chooses.
  ///   - hasSubjects: True if Swift objects play parts of the scenario.
  package func reasonNotToDisturb(in kind: WorldKind = .mock, hasSubjects: Bool) -> String? {
    if let reason = reasonToSkip(in: kind, hasSubjects: hasSubjects) { return reason }
    let worlds = Set(worlds(in: kind))
    if hasSubjects, runsInRealTime(in: kind) || worlds != [.mock] {
      return "a sweep of Swift objects needs virtual time and mocks in memory"
    }
    if worlds.contains(.real), !kind.choosesRealServers {
      return "it asks real servers, which `--against real` allows a sweep to do again and again"
    }
    if databases.contains(where: { !$0.isInMemory }) {
      return "its runs would share a database on disk"
    }
    return nil
  }
}

extension ScenarioPlan {
  /// Returns the reason why a run had no place at which something could go wrong.
  func reasonForNoPlace(_ found: FoundCourses) -> String {
    if endpoints.isEmpty { return "the scenario has no endpoint, so that nothing travels" }
    if found.withoutNetwork > 0 { return "there was no network for any of its connections" }
    return sweep.disturbed == nil
      ? "no client connects to an endpoint"
      : "the run comes to no place of what `sweep: { disturb: … }` chooses"
  }
}

extension WorldKind {
  /// True if the command line chooses real endpoints, for all or for one of them.
  fileprivate var choosesRealServers: Bool {
    switch self {
    case .mock, .sockets, .trace: false
    case .real: true
    case .chosen(let choices):
      choices.others == .real || choices.choices.contains { $0.world == .real }
    }
  }
}

extension DatabasePlan {
  fileprivate var isInMemory: Bool {
    if case .constant(.string(":memory:")) = path.content { true } else { false }
  }
}
