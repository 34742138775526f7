import Diagnostics
import Values

/// The arguments of `trace`.
struct TraceArguments: Equatable {
  enum Action: String, CaseIterable { case show, audit }

  var action: Action
  var path: String
  var sources: [String]
  var kinds: [String]
  /// The times that lines are shown from and up to.
  var begin: Microseconds?
  var end: Microseconds?
  var variables: [VariableSetting]
  var variableFiles: [String]
  var environmentFiles: [String]
  var color: ColorChoice
}

/// Where a log goes, and in which form.
enum LogDestination: Equatable {
  case file(String)
  /// Standard output: for people on a terminal, unless JSON is asked for.
  case output(json: Bool)
}

/// Which runs get a trace of their own, and where.
struct RecordChoice: Equatable {
  var onlyFailures = false
  /// Nil stands for `traces` beside each scenario.
  var folder: String?
}

extension TraceArguments {
  init(_ words: ArgumentWords) throws(UsageProblem) {
    guard let word = words.operands.first else { throw .missingOperand(of: words.page, words.line) }
    guard let action = Action(rawValue: word.text) else {
      throw .badChoice(word, of: Action.allCases.map(\.rawValue), words.line)
    }
    self.action = action
    path = words.operands.dropFirst().first?.text ?? ""
    sources = words.values(of: .source).map(\.text)
    kinds = words.values(of: .kind).map(\.text)
    begin = try words.time(.begin)
    end = try words.time(.end)
    variables = try words.variables()
    variableFiles = words.values(of: .variableFile).map(\.text)
    environmentFiles = words.values(of: .environmentFile).map(\.text)
    color = try words.choice(.color) ?? .auto
  }
}

extension ArgumentWords {
  fileprivate func time(_ name: OptionName) throws(UsageProblem) -> Microseconds? {
    guard let word = value(of: name) else { return nil }
    guard case .success(let time) = parseDuration(word.text) else { throw .badTimeout(word, line) }
    return time
  }

  /// Returns where `--log` leads: to a file, or with `-` or `json` to standard output.
  func log() -> LogDestination? {
    guard let text = value(of: .log)?.text else { return nil }
    switch text {
    case "-": return .output(json: false)
    case "json", "json=-": return .output(json: true)
    default: return .file(text.hasPrefix("json=") ? String(text.dropFirst(5)) : text)
    }
  }

  func record() throws(UsageProblem) -> RecordChoice? {
    switch (value(of: .record), value(of: .recordFailures)) {
    case (let all?, let failures?): throw .contradiction(all, failures, line)
    case (let all?, nil): RecordChoice(folder: all.text.isEmpty ? nil : all.text)
    case (nil, let failures?):
      RecordChoice(onlyFailures: true, folder: failures.text.isEmpty ? nil : failures.text)
    case (nil, nil): nil
    }
  }
}

extension OptionEntry {
  static let record = OptionEntry(
    .record, value: "DIR", optional: true,
    "record a trace of each scenario, in traces beside it or in DIR")
  static let recordFailures = OptionEntry(
    .recordFailures, value: "DIR", optional: true, "keep the traces of failed scenarios only")
}

extension Verb {
  static let tracePage = VerbPage(
    verb: .trace, purpose: "Show a trace, or search it for secrets.", operands: "show|audit FILE",
    operandLines: [
      ("show FILE", "print the lines of a trace, and say where it ends"),
      ("audit FILE", "search a trace for tokens and for the values of --var"),
    ],
    operandCount: 2...2,
    options: [
      OptionEntry(
        .source, value: "NAME", repeatable: true, "only lines of this source; repeatable"),
      OptionEntry(.kind, value: "KIND", repeatable: true, "only lines of this kind; repeatable"),
      OptionEntry(.begin, value: "TIME", "only lines from this time on, such as 1.5s"),
      OptionEntry(.end, value: "TIME", "only lines up to this time"),
      .variable, .variableFile, .environmentFile, .color,
    ],
    examples: [
      ("rehearse trace show traces/prices.a-feed.trace.jsonl --source feed", "its conversation"),
      ("rehearse trace audit prices.a-feed.trace.jsonl --var token=abc", "before sharing it"),
    ])
}
