import Diagnostics
import Reports
import ScenarioRuns
import Values
import World

/// The arguments of `sweep`.
struct SweepArguments: Equatable {
  var scenarios: ScenarioChoice
  var variables: [VariableSetting]
  var variableFiles: [String]
  var environmentFiles: [String]
  var seed: UInt64?
  var jobs: Int?
  /// True if each two disturbances are tried together.
  var pairs: Bool
  /// True if courses that fail are written as scenarios.
  var pins: Bool
  /// True if all courses are tried of those that are alike.
  var allPlaces: Bool
  /// True if a scenario that demands no value is swept as if it did.
  var demandsProposed: Bool
  /// True if courses that are not judged fail their scenario.
  var isStrict: Bool
  /// True if courses are listed, and not tried.
  var lists: Bool
  var world: WorldKind
  /// The most real time of the whole sweep.
  var maxTime: Microseconds?
  /// The file with the failures that are known.
  var baseline: String?
  /// True if the baseline is written, and not compared with.
  var writesBaseline: Bool
  var reports: [ReportRequest]
  var detail: Detail
  var color: ColorChoice
  /// True if credentials that nobody has declared are shown as they are.
  var showsCredentials = false
}

extension SweepArguments {
  init(_ words: ArgumentWords) throws(UsageProblem) {
    scenarios = try words.scenarios()
    variables = try words.variables()
    variableFiles = words.values(of: .variableFile).map(\.text)
    environmentFiles = words.values(of: .environmentFile).map(\.text)
    seed = try words.seed()
    jobs = try words.jobs()
    pairs = words.has(.pairs)
    allPlaces = words.has(.allPlaces)
    pins = words.has(.pin)
    demandsProposed = words.has(.same)
    isStrict = words.has(.strict)
    lists = words.has(.listing)
    world = try words.world()
    maxTime = try words.time(.maxTime)
    baseline = words.value(of: .baseline)?.text
    writesBaseline = words.has(.update)
    if let update = words.value(of: .update), baseline == nil {
      throw .updateWithoutBaseline(update, words.line)
    }
    let written = words.value(of: .pin) ?? words.value(of: .update)
    if let list = words.value(of: .listing), let written {
      throw .contradiction(list, written, words.line)
    }
    reports = try words.reports()
    showsCredentials = try words.showsCredentials(in: reports)
    detail = try words.detail()
    color = try words.choice(.color) ?? .auto
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
    operandLines: [
      ("PATH…", "files, folders, patterns or - for stdin (default: \(defaultScenarioPath))"),
      ("FILE:LINE", "the scenario a line belongs to"),
      ("FILE::TITLE[::ROW]", "one scenario by its title, or one row of its cases"),
    ], operandCount: 0...Int.max,
    options: [
      .tag, .grep, .variable, .variableFile, .environmentFile, .seed,
      OptionEntry(
        .jobs, value: "N", "run this many at once (default: one per core; in real time three)"),
      OptionEntry(
        .against, value: "WORLD", repeatable: true,
        "mock, sockets or real; NAME=… for one (default: mock)"),
      OptionEntry(.pairs, "disturb each run at two places"),
      OptionEntry(.allPlaces, "try all places, also of many that are alike"),
      OptionEntry(.same, "try the line `same` that is proposed where no value is demanded"),
      OptionEntry(.strict, "treat courses that are not judged as failures"),
      OptionEntry(.listing, "list the courses, a line each, and try none"),
      OptionEntry(.pin, "write courses that fail as scenarios, beside their files"),
      OptionEntry(.maxTime, value: "TIME", "the most real time of the whole sweep"),
      OptionEntry(.baseline, value: "FILE", "report only failures that this file does not have"),
      OptionEntry(
        .update, value: "force", optional: true, "write the failures into the baseline"),
      .trustedFile, .certificate, .key, .insecure, .proxy,
      .report, .color,
      OptionEntry(.verbose, short: "v", "report scenarios that held as well"),
      OptionEntry(.quiet, short: "q", "report failures only"),
      .showCredentials,
    ],
    examples: [
      ("rehearse sweep feed.scenario.yaml", "every cut, lost answer and refused connection"),
      (
        "rehearse sweep shop.scenario.yaml --against real",
        "your client and the real server, with bytes that break on the way"
      ),
      ("rehearse sweep scenarios --max-time 1m --format junit=report.xml", "on a build server"),
    ])
}
