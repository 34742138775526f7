import Diagnostics

/// Something because of which a run in virtual time cannot promise that it is repeatable.
package struct Doubt: Hashable {
  /// The kinds of doubts, by their names in logs and in the warden.
  package enum Kind: String, CaseIterable {
    case spins, leaves, foreign, refused, untimed, random, race, busy, clock
    case processorTime = "processor-time"
  }

  package var kind: Kind
  package var detail: String
}

/// The doubts of a run, in the order in which they came up, each with its number of times.
package struct CountedDoubts {
  private var all: [(doubt: Doubt, times: Int)] = []

  package init() {}

  package var isEmpty: Bool { all.isEmpty }
  package var count: Int { all.count }

  package mutating func add(_ doubt: Doubt) {
    if let place = all.firstIndex(where: { $0.doubt == doubt }) {
      all[place].times += 1
    } else {
      all.append((doubt, 1))
    }
  }

  /// The warnings about them.
  package var diagnostics: [Diagnostic] { all.map { $0.doubt.diagnostic(times: $0.times) } }
}

extension Diagnostic {
  /// True for the warning about a doubt.
  package var isDoubt: Bool { id.rawValue.hasPrefix("doubt-") }
}

extension Doubt {
  /// Returns the warning about a doubt, which came up so often.
  func diagnostic(times: Int) -> Diagnostic {
    var diagnostic = diagnostic
    if times > 1 { diagnostic.notes.append(.init("times", "\(times)")) }
    return diagnostic
  }

  private var diagnostic: Diagnostic {
    switch kind {
    case .spins:
      Diagnostic(
        "doubt-spins", severity: .warning,
        "a program waits for its clock in a loop: \(detail)",
        help: "let it sleep; until then its times are off by a few per cent")
    case .leaves:
      Diagnostic(
        "doubt-leaves", severity: .warning,
        "a program wanted to reach \(detail), which is not on this machine",
        help: "serve a mock of it on this machine, and give the program its address")
    case .foreign:
      Diagnostic(
        "doubt-foreign", severity: .warning,
        "virtual time passed beside \(detail), which is in real time",
        help: "start it by the same command, so that it has the same clock")
    case .refused:
      Diagnostic(
        "doubt-refused", severity: .warning,
        "a program was refused: \(detail)",
        help: "most programs use another call then; a switch of the program may turn it off")
    case .untimed:
      Diagnostic(
        "doubt-untimed", severity: .warning,
        "a program waits in a way that has no virtual time: \(detail)",
        help: "give it another kind of time-out")
    case .random:
      Diagnostic(
        "doubt-random", severity: .warning,
        "random numbers of programs may differ from run to run: \(detail)",
        help: "give the program a seed of its own")
    case .race:
      Diagnostic(
        "doubt-race", severity: .warning,
        "\(detail): the order of their work before that is not known",
        help: "let one thread do it; `--twice` shows if the order matters")
    case .busy:
      Diagnostic(
        "doubt-busy", severity: .warning,
        "\(detail) computed for 10s without a rest, while others waited for their time",
        help: "let it wait for something between, or run the command in real time")
    case .clock:
      Diagnostic(
        "doubt-clock", severity: .warning,
        "\(detail), so that it is in real time",
        help: "start it outside, or use a program for this system")
    case .processorTime:
      Diagnostic(
        "doubt-processor-time", severity: .warning,
        "a program uses \(detail), which depends on the machine",
        help: "use a timer of real time (ITIMER_REAL)")
    }
  }
}
