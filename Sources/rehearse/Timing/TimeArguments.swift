import Diagnostics
import Values

/// The arguments of `time`.
struct TimeArguments: Equatable {
  /// The command with its own arguments.
  var command: [String]
  /// The file of a scenario whose endpoints are served beside the command.
  var served: String?
  /// The ports of its endpoints, as `serve` reads them.
  var ports: [String] = []
  /// The point in time at which the command begins; nil for the machine's, in whole seconds.
  var clock: Timestamp?
  var seed: UInt64?
  /// The most virtual time of the command.
  var timeout = defaultTimeout
  var failsOnDoubts = false
  /// True if the command runs again, and what its programs send is compared.
  var isTwice = false
  /// The file that receives what happened, a line of JSON each.
  var log: String?
  var isQuiet = false
  var color = ColorChoice.auto
}

extension TimeArguments {
  /// Thirty days: a program that tries again for ever would never end.
  static let defaultTimeout: Microseconds = 30 * 86_400_000_000

  init(_ words: ArgumentWords) throws(UsageProblem) {
    command = words.operands.map(\.text)
    served = words.value(of: .serve)?.text
    ports = words.values(of: .port).map(\.text)
    clock = try words.clock()
    seed = try words.seed()
    timeout = try words.time(.timeout) ?? Self.defaultTimeout
    failsOnDoubts = try words.failsOnDoubts()
    isTwice = words.has(.twice)
    log = words.value(of: .log)?.text
    isQuiet = words.has(.quiet)
    color = try words.choice(.color) ?? .auto
    if served == nil, let port = words.value(of: .port) {
      throw .portWithoutScenario(port, words.line)
    }
    if let serve = words.value(of: .serve), let twice = words.value(of: .twice) {
      throw .contradiction(serve, twice, words.line)
    }
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

  fileprivate func failsOnDoubts() throws(UsageProblem) -> Bool {
    for word in values(of: .failOn) where ProgramFailureWord(rawValue: word.text) == nil {
      throw .badChoice(word, of: ProgramFailureWord.allCases.map(\.rawValue), line)
    }
    return has(.failOn)
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
    operandCount: 1...Int.max,
    options: [
      OptionEntry(
        .serve, value: "FILE",
        "serve a scenario beside it; API_URL is where its `api` is"),
      OptionEntry(
        .port, value: "[NAME=]PORT", repeatable: true,
        "the port of an endpoint of --serve; repeatable"),
      OptionEntry(
        .clock, value: "TIME", "when it begins (default: now, in whole seconds)"),
      .seed,
      OptionEntry(.timeout, value: "TIME", "the most virtual time of the command (default: 30d)"),
      OptionEntry(.twice, "run it again, and fail if its programs send something else"),
      OptionEntry(
        .failOn, value: "doubts", repeatable: true,
        "fail if the run cannot promise that it is repeatable"),
      OptionEntry(.log, value: "FILE", "write what is sent, and doubts, as lines of JSON"),
      .color,
      OptionEntry(.quiet, short: "q", "print doubts and failures only"),
    ],
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
