/// The progress of scenarios that are served together: when each may begin, and when each ends.
struct ServedTogether {
  private enum State {
    case starting, ready, announced, ended
  }

  private var states: [State]
  /// By scenario: true if its steps end it.
  private var haveSteps: [Bool]
  /// True if one of them cannot begin, so that none begins.
  private(set) var isRefused = false

  init(haveSteps: [Bool]) {
    states = haveSteps.map { _ in .starting }
    self.haveSteps = haveSteps
  }

  /// Notes that clients can connect to a scenario.
  mutating func markReady(_ index: Int) {
    if states[index] == .starting { states[index] = .ready }
  }

  /// Notes that people can read where a scenario is served.
  mutating func markAnnounced(_ index: Int) { states[index] = .announced }

  /// Notes that a new version of a scenario replaces the old one.
  mutating func replace(_ index: Int, hasSteps: Bool) { haveSteps[index] = hasSteps }

  /// Notes that a scenario has ended. Before it was announced, that is a refusal of all.
  mutating func end(_ index: Int) {
    if states[index] != .announced { isRefused = true }
    states[index] = .ended
  }

  /// Ends all scenarios, since something that they have in common has failed.
  mutating func refuse() { isRefused = true }

  /// Returns whether a scenario is next to be announced: all are ready, and those before it are
  /// announced.
  func isNext(_ index: Int) -> Bool {
    !states.contains(.starting) && !states[..<index].contains(.ready)
  }

  /// The scenario that is next to be announced; nil if there is none, or some are not ready.
  var next: Int? { states.contains(.starting) ? nil : states.firstIndex(of: .ready) }

  /// True if each scenario was announced, so that all addresses are known.
  var areAllAnnounced: Bool { !states.contains(.starting) && !states.contains(.ready) }

  /// True if no scenario is served any more.
  var haveAllEnded: Bool { states.allSatisfy { $0 == .ended } }

  /// True if the steps of some scenario end serving.
  var endsBySteps: Bool { haveSteps.contains(true) }

  /// Returns whether a scenario ends, because another could not begin, or because all that have
  /// steps have ended and it has none.
  func isOver(_ index: Int) -> Bool {
    isRefused || (!haveSteps[index] && endsOthers)
  }

  /// True if scenarios without steps end, because another could not begin, or because all that have
  /// steps have ended.
  var endsOthers: Bool {
    if isRefused { return true }
    let others = states.indices.filter { haveSteps[$0] }
    return !others.isEmpty && others.allSatisfy { states[$0] == .ended }
  }
}
