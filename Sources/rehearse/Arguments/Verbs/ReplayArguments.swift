import Diagnostics
import ScenarioRuns

/// The arguments of `replay`.
struct ReplayArguments: VerbArguments, TakesInputs, WritesReports {
  /// Files and folders of traces.
  var traces: [String] = []
  var tags = TagFilter()
  var inputs = GivenInputs()
  var jobs: Int?
  var choice = ReplayChoice()
  var update = UpdateChoice.no
  var failsOn = FailureConditions()
  var output = ReportOutput()

  static var rows: [OptionRow<Self>] {
    [
      OptionRow(.tag), .variable, .variableFile, .environmentFile, .environment,
      .jobs(\.jobs, "replay this many traces at once (default: one per core)"),
      .text(.scenario, "FILE", \.choice.scenario, "where the scenario of the traces is now"),
      OptionRow(
        .update, value: "force", optional: true,
        "accept what is different; if CI is set, only =force does"
      ) { $1.update = try $0.update() },
      OptionRow(.until, value: "EVENT", "stop when this recorded event came, and show the stage") {
        $1.choice.until = try $0.event($0.value(of: .until))
      },
      .text(.then, "FILE", \.choice.then, "with --until: go on with the steps of this file"),
      OptionRow(
        .answer, value: "EVENT CHANGE", repeatable: true,
        "go on with another answer: status=503, drop, delay=2s or body=FILE"
      ) { $1.choice.answers = try $0.answers() },
      .text(
        .learn, "OTHER", \.choice.learns, "write where another recording differs to NAME.noise.json"
      ),
      .flag(.allowCut, \.choice.allowsCut, "a trace that was cut passes if it holds up to its end"),
      .strict(\.failsOn.isStrict), .failOn(\.failsOn), .report, .color,
      .verbose("report traces that passed as well"),
      .quiet(),
      .showCredentials(\.choice.showsCredentials),
    ]
  }

  mutating func finish(_ words: ArgumentWords) throws(UsageProblem) {
    try words.refuseInputTwice()
    traces = words.operands.map(\.text)
    tags = try words.tags()
    if let word = words.value(of: .learn), update != .no || choice.until != nil {
      throw .learnsOnly(word, words.line)
    }
    if let word = words.value(of: .then), choice.until == nil {
      throw .thenWithoutMoment(word, words.line)
    }
    try words.refuse(.until, beside: .update)
    for name in [OptionName.update, .until, .learn] { try words.refuse(name, beside: .answer) }
  }
}

extension ArgumentWords {
  /// Returns the changes of recorded answers.
  fileprivate func answers() throws(UsageProblem) -> [AnswerChange] {
    var answers: [AnswerChange] = []
    for word in values(of: .answer) {
      let parts = word.text.split(separator: " ", maxSplits: 1).map { String($0) }
      guard let number = parts.first, let event = Int(number), event >= 0 else {
        throw .badEvent(word, line)
      }
      switch AnswerChange.Kind.read(parts.count == 2 ? parts[1] : "") {
      case .success(let kind): answers.append(AnswerChange(event: event, kind: kind))
      case .failure(let problem):
        throw .badValue(word, problem.message, line, help: problem.help)
      }
    }
    return answers
  }
}

extension Verb {
  static let replayPage = VerbPage(
    verb: .replay, purpose: "Run scenarios against the inputs of traces, and compare.",
    operands: "TRACE…",
    operandLines: [("TRACE…", "traces, folders of `*.trace.jsonl`, or - for stdin")],
    operandCount: 1...Int.max, options: ReplayArguments.entries,
    examples: [
      ("rehearse replay scenarios/traces", "all traces of a folder"),
      ("rehearse replay prices.trace.jsonl --update", "accept what is different"),
      ("rehearse replay prices.trace.jsonl --until 13", "the stage at event 13"),
      (
        "rehearse replay prices.trace.jsonl --until 13 --then steps.yaml",
        "what if other steps followed"
      ),
      (
        "rehearse replay prices.trace.jsonl --answer 12 status=503",
        "what if this answer had been another one"
      ),
      ("rehearse replay prices.trace.jsonl --learn other.trace.jsonl", "what may differ"),
    ])
}
