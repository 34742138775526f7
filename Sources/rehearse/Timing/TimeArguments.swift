import Diagnostics
import Values

/// The arguments of `time`.
struct TimeArguments: VerbArguments {
  /// The command with its own arguments.
  var command: [String] = []
  /// The file of a scenario whose endpoints are served beside the command.
  var served: String?
  /// The ports of its endpoints, as `serve` reads them.
  var ports: [String] = []
  /// The point in time at which the command begins; nil for the machine's, in whole seconds.
  var clock: Timestamp?
  /// The most virtual time of the command: a program that tries again for ever would never end.
  var timeout: Microseconds = 30 * 86_400_000_000
  /// True if the command runs again, and what its programs send is compared.
  var isTwice = false
  var failsOnDoubts = false
  /// The file that receives what happened, a line of JSON each.
  var log: String?
  var seed: UInt64?
  var color = ColorChoice.auto
  var isQuiet = false

  static var rows: [OptionRow<Self>] {
    [
      .text(.serve, "FILE", \.served, "serve a scenario beside it; API_URL is where its `api` is"),
      .texts(
        .port, "[NAME=]PORT", \.ports, "the port of an endpoint of --serve; repeatable"),
      OptionRow(.clock, value: "TIME", "when it begins (default: now, in whole seconds)") {
        $1.clock = try $0.clock()
      },
      .seed(\.seed),
      OptionRow(.timeout, value: "TIME", "the most virtual time of the command (default: 30d)") {
        if let time = try $0.time(.timeout) { $1.timeout = time }
      },
      .flag(.twice, \.isTwice, "run it again, and fail if its programs send something else"),
      OptionRow(
        .failOn, value: "doubts", repeatable: true,
        "fail if the run cannot promise that it is repeatable"
      ) {
        for word in $0.values(of: .failOn) { let _: ProgramFailureWord = try $0.known(word) }
        $1.failsOnDoubts = true
      },
      .text(.log, "FILE", \.log, "write what is sent, and doubts, as lines of JSON"),
      .color(\.color),
      .flag(.quiet, short: "q", \.isQuiet, "print doubts and failures only"),
    ]
  }

  mutating func finish(_ words: ArgumentWords) throws(UsageProblem) {
    command = words.operands.map(\.text)
    if served == nil, let port = words.value(of: .port) {
      throw .portWithoutScenario(port, words.line)
    }
    try words.refuse(.serve, beside: .twice)
  }
}

/// The words of `--fail-on` for programs.
private enum ProgramFailureWord: String, CaseIterable { case doubts }

extension ArgumentWords {
  fileprivate func clock() throws(UsageProblem) -> Timestamp? {
    guard let word = value(of: .clock) else { return nil }
    guard let time = Timestamp(text: word.text) else { throw .badPointInTime(word, line) }
    return time
  }
}

extension UsageProblem {
  fileprivate static func badPointInTime(
    _ word: ArgumentWords.Word, _ line: CommandLineText
  ) -> UsageProblem {
    badValue(
      word, "`\(word.text)` is not a point in time", line,
      help: "write it like 2026-03-01T09:00:00Z")
  }

  fileprivate static func portWithoutScenario(
    _ word: ArgumentWords.Word, _ line: CommandLineText
  ) -> UsageProblem {
    badValue(
      word, "only the endpoints of `--serve` have ports", line,
      help: "add `--serve FILE`, or leave `--port` out")
  }
}

extension Verb {
  static let timePage = VerbPage(
    verb: .time, purpose: "Run a command and all its processes in virtual time.",
    operands: "[--] COMMAND…",
    operandLines: [("COMMAND…", "the command with its own options, as without `rehearse time`")],
    operandCount: 1...Int.max, options: TimeArguments.entries,
    examples: [
      ("rehearse time -- pytest -q", "the tests of a project, with all their waits"),
      ("rehearse time --serve feed.scenario.yaml -- npm test", "with a mock on the same clock"),
      ("rehearse time -- rehearse sweep scenarios/sweep/programs", "a sweep of programs"),
      (
        "rehearse time --clock 2026-03-01T09:00:00Z --twice -- node client.js",
        "is it repeatable?"
      ),
    ], takesCommand: true)
}
