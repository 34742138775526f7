import Diagnostics
import Glibc
import LiveWorld
import ScenarioRuns
import Synchronization

/// The scenarios that one command serves, each on a thread of its own.
final class ServingGroup: Sendable {
  private struct State {
    var progress: ServedTogether
    var names: ServedNames
    /// By scenario: the addresses of its endpoints, under the names that the file of ports has.
    var places: [[ServedPlace]]
    /// By scenario: the files that its text was read from, if they are watched.
    var watched: [Set<String>]
  }

  let paths: [String]
  /// By scenario: what wakes it.
  let bells: [ServingBell]
  /// By scenario: what is asked of it.
  let mailboxes: [ServingMailbox]
  /// Rung whenever a scenario has ended.
  let end = ServingBell()
  private let portsFile: String?
  private let state: Mutex<State>
  /// By scenario: what its thread waits for until it may be announced.
  private let turns: [ThreadSignal]

  init(_ choices: [ServedChoice], _ names: ServedNames, _ arguments: ServeArguments) {
    paths = choices.map(\.path)
    portsFile = arguments.portsFile
    let progress = ServedTogether(haveSteps: choices.map(\.endsBySteps))
    let bells = choices.map { _ in ServingBell() }
    self.bells = bells
    mailboxes = bells.map { ServingMailbox(ringing: $0) }
    turns = choices.map { _ in ThreadSignal() }
    state = Mutex(
      State(
        progress: progress, names: names, places: choices.map { _ in [] },
        watched: choices.map { _ in [] }))
  }

  var isSingle: Bool { paths.count == 1 }
  var names: ServedNames { state.withLock { $0.names } }
  var endsBySteps: Bool { state.withLock { $0.progress.endsBySteps } }

  /// Returns whether a scenario is the last of all.
  func isLast(_ index: Int) -> Bool { index == paths.count - 1 }

  /// Waits until all scenarios can be reached and those before this one are announced. Returns
  /// false if one of them cannot be served, so that none is.
  ///
  /// The wait is as long as the others take to listen. Hundreds of threads may wait here, so each
  /// sleeps until it is its turn.
  func mayBegin(_ index: Int) -> Bool {
    wakeWaiting(
      after: state.withLock {
        $0.progress.markReady(index)
        return $0.progress
      })
    while true {
      let answer: Bool? = state.withLock {
        if $0.progress.isRefused { return false }
        return $0.progress.isNext(index) ? true : nil
      }
      if let answer { return answer }
      turns[index].wait()
    }
  }

  /// Wakes the thread whose turn it is; all of them if none may begin.
  private func wakeWaiting(after progress: ServedTogether) {
    if progress.isRefused {
      for turn in turns { turn.send() }
    } else if let next = progress.next {
      turns[next].send()
    }
  }

  /// Notes that a scenario was announced. Writes the file of ports as soon as all are, and returns
  /// the reason if it cannot be written.
  func began(_ index: Int, at places: [ServedPlace]) -> Diagnostic? {
    defer { wakeWaiting(after: state.withLock(\.progress)) }
    return state.withLock { state in
      state.progress.markAnnounced(index)
      state.places[index] = places
      guard let portsFile, state.progress.areAllAnnounced else { return nil }
      let text = portsJSON(of: state.places.flatMap(\.self))
      guard let problem = writeFile(portsFile, text) else { return nil }
      state.progress.refuse()
      ringAll()
      return .unwritable(portsFile, problem.message)
    }
  }

  /// Notes that a new version of a scenario is about to be served. Others may end because of it.
  func replace(_ index: Int, by choice: ServedChoice) {
    state.withLock { state in
      state.names.scenarios[index] = ServedNames.Scenario(choice)
      state.progress.replace(index, hasSteps: choice.endsBySteps)
    }
    ringAll()
  }

  /// Notes that a scenario has ended, and wakes the others if they end because of it.
  func ended(_ index: Int) {
    let endsOthers = state.withLock { state in
      let before = state.progress.endsOthers
      state.progress.end(index)
      return !before && state.progress.endsOthers
    }
    end.ring()
    wakeWaiting(after: state.withLock(\.progress))
    if endsOthers { ringAll() }
  }

  /// Wakes all scenarios.
  func ringAll() {
    for bell in bells { bell.ring() }
  }

  /// Watches these files of a scenario as well.
  func watch(_ paths: some Sequence<String>, of index: Int) {
    state.withLock { $0.watched[index].formUnion(paths) }
  }

  /// By scenario: the files that are watched.
  var watched: [Set<String>] { state.withLock { $0.watched } }

  /// True if all scenarios have ended.
  var isOver: Bool { state.withLock { $0.progress.haveAllEnded } }

  /// Returns whether a scenario ends because of the others.
  func isOver(_ index: Int) -> Bool { state.withLock { $0.progress.isOver(index) } }
}

extension ServedChoice {
  /// True if the steps of the scenario end it.
  var endsBySteps: Bool {
    !arguments.isEndless && !arguments.isForPrograms && !plan.isServedWithoutEnd
  }
}
