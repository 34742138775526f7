import Diagnostics
import ScenarioRuns
import Traces
import Values
import World

/// The arguments of `serve`.
struct ServeArguments: Equatable {
  /// A choice of one scenario of each file, as far as that is known before the files are read.
  var scenarios: ScenarioChoice
  var variables: [VariableSetting]
  var variableFiles: [String]
  var environmentFiles: [String]
  var seed: UInt64?
  var ports: [PortSetting]
  var portsFile: String?
  var isEndless: Bool
  var timeout: Microseconds?
  var finallyTime: Microseconds
  var isSecure: Bool
  var allowsOtherOrigins = false
  /// The address of this machine that clients connect to.
  var host = ServedPlace.loopback
  var certificateFile: String?
  /// What goes wrong on the connections of the clients.
  var disturbances: [Disturbance] = []
  /// The file that receives the courses that a sweep would try.
  var coursesFile: String?
  var log: LogDestination?
  var record: RecordChoice?
  var isQuiet: Bool
  var color: ColorChoice
  /// True if credentials that nobody has declared are shown as they are.
  var showsCredentials = false
}

/// `--port NAME=PORT`, or `--port PORT` for a single endpoint.
struct PortSetting: Equatable {
  var endpoint: String?
  var port: UInt16
}

extension ServeArguments {
  init(_ words: ArgumentWords) throws(UsageProblem) {
    scenarios = try words.scenarios()
    variables = try words.variables()
    variableFiles = words.values(of: .variableFile).map(\.text)
    environmentFiles = words.values(of: .environmentFile).map(\.text)
    seed = try words.seed()
    ports = try words.ports()
    portsFile = words.value(of: .portsFile)?.text
    isEndless = words.has(.forever)
    timeout = try words.timeout()
    finallyTime = try words.finallyTime()
    isSecure = words.has(.tls)
    allowsOtherOrigins = words.has(.cors)
    host = words.value(of: .host)?.text ?? ServedPlace.loopback
    certificateFile = try words.certificateFile()
    disturbances = try words.disturbances()
    coursesFile = words.value(of: .courses)?.text
    log = words.log()
    record = try words.record()
    isQuiet = words.has(.quiet)
    showsCredentials = words.has(.showCredentials)
    color = try words.choice(.color) ?? .auto
    if let disturb = words.value(of: .disturb), let courses = words.value(of: .courses) {
      throw .contradiction(disturb, courses, words.line)
    }
    if let forever = words.value(of: .forever), let timeout = words.value(of: .timeout) {
      throw .contradiction(forever, timeout, words.line)
    }
  }
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

  /// Returns the file for the certificate, which only `--tls` makes.
  fileprivate func certificateFile() throws(UsageProblem) -> String? {
    guard let word = value(of: .certificateFile) else { return nil }
    guard has(.tls) else { throw .certificateWithoutTLS(word, line) }
    return word.text
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
    operandCount: 1...Int.max,
    options: [
      OptionEntry(
        .port, value: "[NAME=]PORT", repeatable: true,
        "the port of an endpoint (default: a free one); repeatable"),
      OptionEntry(
        .host, value: "ADDRESS",
        "the address to listen at: 0.0.0.0, ::1, … (default: 127.0.0.1)"),
      OptionEntry(.portsFile, value: "FILE", "write where the endpoints are, as JSON, when ready"),
      OptionEntry(.forever, "skip the steps, and serve until interrupted (Ctrl-C)"),
      OptionEntry(
        .timeout, value: "TIME", "the time to wait for an event (default: as the scenario says)"),
      .finallyTime,
      OptionEntry(.tls, "https and wss, with a new certificate"),
      OptionEntry(.cors, "let pages of any origin use endpoints without a `cors` of their own"),
      OptionEntry(.certificateFile, value: "FILE", "write that certificate, for clients to trust"),
      OptionEntry(
        .disturb, value: "NAME", repeatable: true,
        "let this go wrong, as `sweep` names it; repeatable"),
      OptionEntry(
        .courses, value: "FILE", "write what could go wrong for the clients, a line each"),
      OptionEntry(
        .log, value: "FILE", "write each event as a line of JSON; - is standard output"),
      .record,
      .variable, .variableFile, .environmentFile, .seed, .color,
      OptionEntry(.quiet, short: "q", "print only where the endpoints are, and the verdict"),
      .showCredentials,
    ],
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
