import ScenarioRuns
import Testing

@testable import rehearse

@Suite struct ServedTogetherTests {
  /// What happens to a scenario.
  private enum Change {
    case ready(Int)
    case announced(Int)
    case ended(Int)
  }

  private static func progress(_ haveSteps: [Bool], _ changes: [Change]) -> ServedTogether {
    var progress = ServedTogether(haveSteps: haveSteps)
    for change in changes {
      switch change {
      case .ready(let index): progress.markReady(index)
      case .announced(let index): progress.markAnnounced(index)
      case .ended(let index): progress.end(index)
      }
    }
    return progress
  }

  @Test(
    arguments: [
      ([], []), ([.ready(0)], []), ([.ready(1), .ready(0)], [0]),
      ([.ready(1), .ready(0), .announced(0)], [0, 1]),
    ] as [([Change], [Int])])
  private func `scenarios are announced in their order, and only if all can be reached`(
    changes: [Change], next: [Int]
  ) {
    let progress = Self.progress([true, true], changes)
    #expect([0, 1].filter(progress.isNext) == next)
    let waiting = progress.next.map { [$0] } ?? []
    // The thread that is woken is the only one that may begin and has not begun.
    #expect(waiting == next.suffix(1))
  }

  @Test(
    arguments: [
      ([true, false], [.ended(0)], [1]), ([true, false], [], []),
      ([true, true, false], [.ended(0)], []), ([true, true, false], [.ended(0), .ended(1)], [2]),
      ([false, false], [.ended(0)], []),
    ] as [([Bool], [Change], [Int])])
  private func `a scenario without steps ends when all that have steps have ended`(
    haveSteps: [Bool], changes: [Change], over: [Int]
  ) {
    let start = haveSteps.indices.flatMap { [Change.ready($0), .announced($0)] }
    let progress = Self.progress(haveSteps, start + changes)
    #expect(haveSteps.indices.filter(progress.isOver) == over)
  }

  @Test func `if one scenario cannot begin, all end`() {
    let progress = Self.progress([true, true], [.ready(0), .ended(1)])
    #expect(progress.isRefused && progress.isOver(0))
  }

  private static func names(_ titles: [String]) -> ServedNames {
    ServedNames(
      scenarios: titles.enumerated().map { index, title in
        .init(title: title, place: "\(index).yaml:1", endpoints: ["api", "p\(index)"])
      })
  }

  @Test(arguments: [
    (["A"], ["api", "p0"]), (["A", "B"], ["A::api", "A::p0", "B::api", "B::p1"]),
    (["A", "A"], ["0.yaml:1::api", "0.yaml:1::p0", "1.yaml:1::api", "1.yaml:1::p1"]),
  ])
  func `the title of a scenario, or its place, distinguishes endpoints of the same name`(
    titles: [String], names: [String]
  ) {
    #expect(Self.names(titles).all == names)
  }

  @Test(
    arguments: [
      ("p1", [[:], ["p1": 80]]), ("A::api", [["api": 80], [:]]), ("api", nil), ("p2", nil),
      (nil, nil),
    ] as [(String?, [[String: UInt16]]?)])
  func `a port needs a title only if several scenarios have an endpoint of its name`(
    name: String?, ports: [[String: UInt16]]?
  ) {
    let setting = PortSetting(endpoint: name, port: 80)
    #expect((try? portsOfEach([setting], Self.names(["A", "B"])).get()) == ports)
  }

  @Test(
    arguments: [
      ([.passed, .failed], .failed), ([.failed, .interrupted, .badInput], .interrupted),
      ([.couldNotRun, .badInput], .couldNotRun), ([], .passed),
    ] as [([ExitCode], ExitCode)])
  func `the worst exit code is that of all`(codes: [ExitCode], worst: ExitCode) {
    #expect(ExitCode.worst(of: codes) == worst)
  }
}
