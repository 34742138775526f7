import ScenarioRuns
import Values
import World

/// The arguments of `sweep`.
struct SweepArguments: VerbArguments, TakesInputs, WritesReports {
  var scenarios = ScenarioChoice()
  var inputs = GivenInputs()
  var seed: UInt64?
  var jobs: Int?
  var scope = SweepScope()
  /// True if courses that fail are written as scenarios.
  var pins = false
  /// True if courses that are not judged fail their scenario.
  var isStrict = false
  var world = WorldKind.mock
  /// The most real time of the whole sweep.
  var maxTime: Microseconds?
  /// The file with the failures that are known.
  var baseline: String?
  /// True if the baseline is written, and not compared with.
  var writesBaseline = false
  var output = ReportOutput()
  var showsCredentials = false

  static var rows: [OptionRow<Self>] {
    [
      OptionRow(.tag), OptionRow(.grep), .variable, .variableFile, .environmentFile, .environment,
      .seed(\.seed),
      .jobs(
        \.jobs,
        "run this many at once (default: one per core; in real time three)"),
      OptionRow(.against("mock, sockets or real; NAME=… for one (default: mock)")),
      OptionRow(.trace, value: "FILE", "answer as in this trace, which names the scenario"),
      .flag(.pairs, \.scope.pairs, "disturb what a client does to recover, too"),
      .flag(.allPlaces, \.scope.allPlaces, "try all places, also of many that are alike"),
      .flag(
        .same, \.scope.demandsProposed,
        "try the line `same` that is proposed where no value is demanded"),
      .flag(.strict, \.isStrict, "treat courses that are not judged as failures"),
      .flag(.listing, \.scope.listsOnly, "list the courses, a line each, and try none"),
      .flag(.pin, \.pins, "write courses that fail as scenarios, beside their files"),
      .time(.maxTime, \.maxTime, "the most real time of the whole sweep"),
      .text(.baseline, "FILE", \.baseline, "report only failures that this file does not have"),
      OptionRow(.update, value: "force", optional: true, "write the failures into the baseline") {
        $1.writesBaseline = true
      },
      OptionRow(.trustedFile), OptionRow(.certificate), OptionRow(.key), OptionRow(.insecure),
      OptionRow(.proxy),
      .report, .color,
      .verbose("report scenarios that held as well"), .quiet(),
      .showCredentials(\.showsCredentials),
    ]
  }

  mutating func finish(_ words: ArgumentWords) throws(UsageProblem) {
    scenarios = try words.scenarios()
    world = try words.world()
    if let trace = words.value(of: .trace) {
      try words.refuse(.against, beside: .trace)
      try words.refuse(.pin, beside: .trace)
      world = .trace(TraceWorld(trace.text))
    }
    if let update = words.value(of: .update), baseline == nil {
      throw .updateWithoutBaseline(update, words.line)
    }
    try words.refuse(.listing, beside: pins ? .pin : .update)
  }
}

extension ArgumentWords {
  /// Returns the disturbances of a run.
  func disturbances() throws(UsageProblem) -> [Disturbance] {
    var disturbances: [Disturbance] = []
    for word in values(of: .disturb) {
      // Lists of courses have several in one line.
      for name in word.text.split(separator: ";", omittingEmptySubsequences: false) {
        guard let disturbance = Disturbance(name: String(name)) else {
          throw .badDisturbance(name, of: word, line)
        }
        disturbances.append(disturbance)
      }
    }
    return disturbances
  }
}

extension UsageProblem {
  /// The problem with one of the disturbances of an argument, which is marked alone.
  fileprivate static func badDisturbance(
    _ name: Substring, of word: ArgumentWords.Word, _ line: CommandLineText
  ) -> UsageProblem {
    let text = name.drop { $0 == " " }
    let isMissing = text.isEmpty && text.startIndex != word.text.startIndex
    return badValue(
      word, isMissing ? "a disturbance is missing behind `;`" : "`\(text)` names no disturbance",
      line, at: isMissing ? nil : text.startIndex..<text.endIndex,
      help: "write it as `rehearse sweep` does: `cut after event 3 of feed, connection 1`")
  }
}

extension Verb {
  static let sweepPage = VerbPage(
    verb: .sweep,
    purpose: "Run scenarios once more for each place at which something can go wrong.",
    operands: "[PATH…]",
    operandLines: scenarioOperands, operandCount: 0...Int.max, options: SweepArguments.entries,
    examples: [
      ("rehearse sweep feed.scenario.yaml", "every cut, lost answer and refused connection"),
      (
        "rehearse sweep shop.scenario.yaml --against real",
        "your client and the real server, with bytes that break on the way"
      ),
      ("rehearse sweep --trace feed.trace.jsonl", "a recording, without its server"),
      ("rehearse sweep scenarios --max-time 1m --format junit=report.xml", "on a build server"),
    ])
}
