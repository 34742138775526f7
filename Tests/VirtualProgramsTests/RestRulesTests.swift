import CWarden
import Glibc
import TestKit
import Testing

/// Time that jumps too far ends the innocent wait of a client. Each rule by which rest is found is
/// needed: without it, something fails.
@Suite(.serialized) struct RestRulesTests {
  typealias Action = RestModel.Action

  /// Threads that wake each other, at once or by something that the system carries.
  static let programs: [[[Action]]] = [
    [[.wake(1), .wake(1), .wake(1)], [.wake(0), .wake(0)]],
    [[.wake(1), .wake(2)], [.wake(2)], [.wake(0)]],
    [[.send(1), .send(1)], [.send(0), .wake(0)]],
    [[.wake(1), .wake(1)], [.end]],
  ]

  private func falseRests(without rule: UInt32, rounds: UInt64 = 4_000) -> Int {
    var count = 0
    for program in Self.programs {
      for seed in 1...rounds {
        switch findsRest(program, seed: seed, without: rule) {
        case true?: break
        case false?: count += 1
        case nil: Issue.record("rest is never found")
        }
      }
    }
    return count
  }

  @Test func `rest is found when there is rest, and never else`() {
    #expect(falseRests(without: 0, rounds: 20_000) == 0)
  }

  @Test(arguments: [
    cwarden_looks_at_processors, cwarden_looks_at_states, cwarden_counts_around_looks,
    cwarden_knows_ends, cwarden_looks_at_lines,
  ])
  func `without one of the rules, rest is found where there is none`(_ rule: cwarden_rule) {
    #expect(falseRests(without: rule.rawValue) > 0)
  }
}

/// The rules that show with real programs alone.
@Suite(.serialized) struct RestRulesOfProgramsTests {
  private func trial(
    without rule: UInt32 = 0, pauses: Int = 0, _ name: String
  ) throws -> String {
    try #require(TimedCommand("\"$T\" \(rule) \(pauses) \"$M\" \(name)")).said
  }

  @Test func `a child that is faster than the news of it has the numbers of its program`() throws {
    let usual = try trial("random-of-child")
    #expect(usual.hasPrefix("random "))
    #expect(try trial(pauses: 77, "random-of-child") == usual)
    let rule = cwarden_holds_children.rawValue
    #expect(try trial(without: rule, pauses: 77, "random-of-child") != usual)
  }

  @Test func `where addresses change from run to run, random numbers are doubted`() throws {
    #expect(try trial("nanosleep") == "result 0 after 10000.000 ms\nended\n")
    let rule = cwarden_fixes_addresses.rawValue
    #expect(try trial(without: rule, "nanosleep").contains("doubt random: the addresses"))
  }

  @Test func `a program on a busy machine is not taken for one that spins`() throws {
    let machine = (0..<2).compactMap { _ in SpawnedCommand.busyProcessor() }
    #expect(machine.count == 2)
    usleep(200_000)
    let rule = cwarden_counts_own_work.rawValue
    // A program that is taken for one that spins is stopped at each reading of the clock, which
    // costs it its turn each time.
    var isMuchSlower = false
    for _ in 0..<3 where !isMuchSlower {
      let start = ContinuousClock.now
      #expect(try trial("starved") == "result 0 after 0.000 ms\nended\n")
      let usual = ContinuousClock.now
      _ = try trial(without: rule, "starved")
      isMuchSlower = usual.duration(to: .now) > start.duration(to: usual) * 3
    }
    #expect(isMuchSlower)
    for busy in machine { busy.interrupt(by: SIGKILL) }
  }

  @Test(arguments: [
    "threads", "timerfd-poll", "handler", "receive-time-of-line", "small-writes", "system",
    "daemon", "condition", "end-of-many",
  ])
  func `pauses at random between looks change nothing`(name: String) throws {
    let usual = try trial(name)
    #expect(usual.hasPrefix("result 0 after ") && usual.hasSuffix("ended\n"), "\(usual)")
    for seed in [7919, 104_729] { #expect(try trial(pauses: seed, name) == usual) }
  }

  @Test func `many runs of one client are alike`() throws {
    let soak = try #require(
      TimedCommand(
        "R=\"$R\" '\(packageRoot)/Tests/TimePrograms/soak' 20", patience: 120_000_000))
    #expect(soak.code == 0, "\(soak.said)")
  }
}

extension SpawnedCommand {
  /// A process that computes for ever on the first processor.
  fileprivate static func busyProcessor() -> SpawnedCommand? {
    SpawnedCommand(["busy"], program: built("TimeMechanisms"))
  }
}
