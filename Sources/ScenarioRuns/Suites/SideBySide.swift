import Values

/// The resources that a scenario needs while it runs.
struct RunNeeds: Sendable, Equatable {
  enum Kind: Comparable, CaseIterable {
    /// A processor, all the time.
    case processor
    /// Little: most of the time it waits for servers.
    case servers
    /// A machine that is never late, since its mocks or programs run in real time here.
    case machine
  }

  var kind = Kind.processor
  /// Its connections by host.
  var connections: [String: Int] = [:]

  /// Adds the needs of a scenario that runs before or after this one.
  mutating func add(_ other: RunNeeds) {
    kind = max(kind, other.kind)
    connections.merge(other.connections, uniquingKeysWith: max)
  }
}

/// Decides which scenarios of a suite run side by side.
///
/// Scenarios that wait for servers do not disturb each other. Those with mocks or programs in real
/// time do, if the machine gets late: the fewer of them run, the later their times were.
struct SideBySide {
  /// The most scenarios with real endpoints, and the most with mocks or programs in real time.
  static let most = 8
  /// The most connections to one host. A browser has as many.
  static let connectionsOfHost = 6
  /// A scenario that was never later than this lets one more begin.
  static let punctual: Microseconds = 1_000
  /// A scenario that was later than this takes one back.
  static let late: Microseconds = 5_000

  private let jobs: Int
  /// True if the command line chose the number of jobs, which then stands for all of them.
  private let isFixed: Bool
  private(set) var onMachine: Int
  private var running: [RunNeeds.Kind: Int] = [:]
  private var connections: [String: Int] = [:]
  /// The most scenarios in real time that were under way at the same time.
  private(set) var mostInRealTime = 0

  /// - Parameters:
  ///   - jobs: The number of scenarios in virtual time that run at once.
  ///   - onMachine: The number of scenarios to begin with that have mocks or programs in real time.
  init(jobs: Int, isFixed: Bool, onMachine: Int) {
    self.jobs = jobs
    self.isFixed = isFixed
    self.onMachine = max(1, onMachine)
  }

  /// The most scenarios that may run at once.
  var most: Int { isFixed ? jobs : jobs + 2 * SideBySide.most }

  /// The number of scenarios of a kind that may begin, if their hosts admit them.
  func room(for kind: RunNeeds.Kind) -> Int {
    if isFixed { return jobs - running.values.reduce(0, +) }
    return switch kind {
    // A scenario in real time takes a processor now and then.
    case .processor: jobs - count(.processor) - min(count(.machine), max(1, jobs / 2))
    case .machine: onMachine - count(.machine)
    case .servers: SideBySide.most - count(.servers)
    }
  }

  /// Returns whether a scenario with these needs may begin.
  func admits(_ needs: RunNeeds) -> Bool {
    guard room(for: needs.kind) > 0 else { return false }
    return isFixed
      || needs.connections.allSatisfy { host, count in
        let others = connections[host] ?? 0
        return others == 0 || others + count <= SideBySide.connectionsOfHost
      }
  }

  private func count(_ kind: RunNeeds.Kind) -> Int { running[kind] ?? 0 }

  mutating func begin(_ needs: RunNeeds) {
    running[needs.kind, default: 0] += 1
    for (host, count) in needs.connections { connections[host, default: 0] += count }
    mostInRealTime = max(mostInRealTime, count(.machine) + count(.servers))
  }

  /// - Parameter lag: How late the machine was; nil if that was not measured.
  mutating func end(_ needs: RunNeeds, lag: Microseconds? = nil) {
    running[needs.kind, default: 0] -= 1
    for (host, count) in needs.connections { connections[host, default: 0] -= count }
    guard needs.kind == .machine, let lag else { return }
    if lag < SideBySide.punctual { onMachine = min(onMachine + 1, SideBySide.most) }
    if lag > SideBySide.late { onMachine = max(onMachine - 1, 1) }
  }
}
