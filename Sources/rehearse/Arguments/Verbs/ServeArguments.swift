import Diagnostics
import ScenarioRuns
import Traces
import Values
import World

/// The arguments of `serve`.
struct ServeArguments: VerbArguments, TakesInputs {
  /// A choice of one scenario of each file, as far as that is known before the files are read.
  var scenarios = ScenarioChoice()
  var inputs = GivenInputs()
  var seed: UInt64?
  var ports: [PortSetting] = []
  var portsFile: String?
  var isEndless = false
  var timeout: Microseconds?
  var finallyTime = Interruption.defaultFinallyTime
  var isSecure = false
  var allowsOtherOrigins = false
  /// The address of this machine that clients connect to.
  var host = ServedPlace.loopback
  var certificateFile: String?
  /// The disturbances of the clients' connections.
  var disturbances: [Disturbance] = []
  /// The file that receives the courses that a sweep would try.
  var coursesFile: String?
  var log: LogDestination?
  var record: RecordChoice?
  var isQuiet = false
  /// True if a program has started it, which reads and writes messages.
  var isForPrograms = false
  var color = ColorChoice.auto
  var showsCredentials = false

  static var rows: [OptionRow<Self>] {
    [
      OptionRow(
        .port, value: "[NAME=]PORT", repeatable: true,
        "the port of an endpoint (default: a free one); repeatable"
      ) { $1.ports = try $0.ports() },
      OptionRow(
        .host, value: "ADDRESS",
        "the address to listen at: 0.0.0.0, ::1, … (default: 127.0.0.1)"
      ) { if let word = $0.value(of: .host) { $1.host = word.text } },
      .text(
        .portsFile, "FILE", \.portsFile, "write where the endpoints are, as JSON, when ready"),
      .flag(.forever, \.isEndless, "skip the steps, and serve until interrupted (Ctrl-C)"),
      OptionRow(
        .timeout, value: "TIME", "the time to wait for an event (default: as the scenario says)"
      ) { $1.timeout = try $0.timeout() },
      .finallyTime(\.finallyTime),
      .flag(.tls, \.isSecure, "https and wss, with a new certificate"),
      .flag(
        .cors, \.allowsOtherOrigins,
        "let pages of any origin use endpoints without a `cors` of their own"),
      .text(
        .certificateFile, "FILE", \.certificateFile,
        "write that certificate, for clients to trust"),
      .disturb(\.disturbances),
      .text(
        .courses, "FILE", \.coursesFile, "write what could go wrong for the clients, a line each"),
      OptionRow(.log, value: "FILE", "write each event as a line of JSON; - is standard output") {
        $1.log = $0.log()
      },
      .flag(
        .json, \.isForPrograms,
        "talk to the program that started it: a message in JSON on each line"),
      .record(\.record),
      .variable, .variableFile, .environmentFile, .environment, .seed(\.seed), .color(\.color),
      .flag(
        .quiet, short: "q", \.isQuiet, "print only where the endpoints are, and the verdict"),
      .showCredentials(\.showsCredentials),
    ]
  }

  mutating func finish(_ words: ArgumentWords) throws(UsageProblem) {
    scenarios = try words.scenarios()
    if let word = words.value(of: .certificateFile), !isSecure {
      throw .certificateWithoutTLS(word, words.line)
    }
    try words.refuse(.json, beside: .log)
    try words.refuse(.json, beside: .record)
    try words.refuse(.disturb, beside: .courses)
    try words.refuse(.forever, beside: .timeout)
  }
}

/// `--port NAME=PORT`, or `--port PORT` for a single endpoint.
struct PortSetting: Equatable {
  var endpoint: String?
  var port: UInt16
}

extension ServeArguments {
  /// The options that change what is served, for the header of a trace.
  var recordedOptions: ValueMap {
    var options = ValueMap()
    if isEndless { options[ServingOption.forever.rawValue] = true }
    options[ServingOption.timeout.rawValue] = timeout.map { .int(Int($0)) }
    return options
  }
}

extension ArgumentWords {
  fileprivate func ports() throws(UsageProblem) -> [PortSetting] {
    var settings: [PortSetting] = []
    for word in values(of: .port) {
      // A title, which an endpoint's name may begin with, may hold `=` itself.
      let equals = word.text.lastIndex(of: "=")
      let name = equals.map { String(word.text[..<$0]) }
      let digits = equals.map { word.text[word.text.index(after: $0)...] } ?? word.text[...]
      guard let port = UInt16(digits), port > 0, digits.first != "+", name != ""
      else { throw .badPort(word, line) }
      settings.append(PortSetting(endpoint: name, port: port))
    }
    return settings
  }

  fileprivate func timeout() throws(UsageProblem) -> Microseconds? {
    guard let word = value(of: .timeout) else { return nil }
    guard case .success(let timeout) = parseDuration(word.text), timeout > 0 else {
      throw .badTimeout(word, line)
    }
    return timeout
  }
}

extension Verb {
  static let servePage = VerbPage(
    verb: .serve, purpose: "Serve the endpoints of scenarios to any client, and judge them.",
    operands: "PATH[:LINE]…",
    operandLines: [
      ("PATH", "a file with one scenario, or a folder of such files"),
      ("FILE:LINE", "the scenario, or the row of its cases, that a line belongs to"),
      ("FILE::TITLE[::ROW]", "one scenario by its title, or one row of its cases"),
    ],
    operandCount: 1...Int.max, options: ServeArguments.entries,
    examples: [
      (
        "rehearse serve chat.scenario.yaml",
        "until its steps are done; the exit code is the verdict"
      ),
      ("rehearse serve chat.scenario.yaml --forever --port 8080", "as a mock server"),
      (
        "rehearse serve shop.scenario.yaml payments.scenario.yaml",
        "both, each with its endpoints"
      ),
      ("rehearse serve shop.scenario.yaml:12 --port api=8080 --ports-file ports.json", "two ports"),
    ])
}
