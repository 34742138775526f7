import Diagnostics
import Reports
import Values
import World

// Rows that several commands have.

/// Arguments with the values that a command line gives to scenarios.
protocol TakesInputs {
  var inputs: GivenInputs { get set }
}

extension OptionRow where Arguments: TakesInputs {
  static var variable: Self { Self(.variable) { $1.inputs.variables = try $0.variables() } }
  static var variableFile: Self {
    .texts(
      .variableFile, "FILE", \.inputs.variableFiles,
      "set variables from a YAML or JSON map; --var wins; repeatable")
  }
  static var environment: Self {
    Self(.environment) { $1.inputs.environment = $0.value(of: .environment)?.text }
  }
  static var environmentFile: Self {
    .texts(
      .environmentFile, "FILE", \.inputs.environmentFiles,
      "read NAME=VALUE lines for unset ${env.NAME}; repeatable")
  }
}

extension OptionEntry {
  static let environment = OptionEntry(
    .environment, value: "NAME", "use this environment of `rehearse.yaml`")
}

/// Arguments of a command that writes reports.
protocol WritesReports {
  var output: ReportOutput { get set }
}

extension OptionRow where Arguments: WritesReports {
  static var report: Self {
    Self(
      .format, value: "FORMAT[=FILE]", repeatable: true,
      ReportRequest.Format.allCases.map(\.rawValue).joined(separator: ", ")
    ) { $1.output.requests = try $0.reports() }
  }
  static var history: Self {
    .text(
      .history, "FILE", \.output.history,
      "add the results to this file; html shows the last runs")
  }
  static var compare: Self {
    Self(
      .compare, value: "FILE", "show in html what has changed since this JSON report or history"
    ) { $1.output.compared = try $0.reportToCompare() }
  }
  static var color: Self { .color(\.output.color) }
  static func verbose(_ purpose: String) -> Self {
    Self(.verbose, short: "v", purpose) { $1.output.detail = try $0.detail() }
  }
  static func quiet(_ purpose: String = "report failures only") -> Self {
    Self(.quiet, short: "q", purpose) { $1.output.detail = try $0.detail() }
  }
}

extension OptionEntry {
  static let variable = OptionEntry(
    .variable, value: "NAME=VALUE", repeatable: true, "set a variable; repeatable")
  static let seed = OptionEntry(
    .seed, value: "N", "the seed of random choices (decimal, or hexadecimal 0x…)")
}

extension OptionRow {
  static func color(_ path: WritableKeyPath<Arguments, ColorChoice>) -> Self {
    .choice(
      OptionEntry(.color, value: "auto|always|never", "colour the output (default: auto)"), path)
  }
  static func listing(_ path: WritableKeyPath<Arguments, ListingFormat>) -> Self {
    .choice(
      OptionEntry(
        .format, value: "human|json|ndjson", "how to print what was found (default: human)"),
      path)
  }
  static func seed(_ path: WritableKeyPath<Arguments, UInt64?>) -> Self {
    Self(.seed) { $1[keyPath: path] = try $0.seed() }
  }
  static func jobs(_ path: WritableKeyPath<Arguments, Int?>, _ purpose: String) -> Self {
    .number(.jobs, 1...mostJobs, path, purpose)
  }
  static func finallyTime(_ path: WritableKeyPath<Arguments, Microseconds>) -> Self {
    Self(.finallyTime, value: "TIME", "the time for `finally` after Ctrl-C (default: 5s)") {
      if let time = try $0.time(.finallyTime) { $1[keyPath: path] = time }
    }
  }
  static func showCredentials(_ path: WritableKeyPath<Arguments, Bool>) -> Self {
    Self(.showCredentials, "show tokens of others on a terminal; refused if CI is set") {
      try $0.refuseCredentialsInFiles()
      $1[keyPath: path] = true
    }
  }

  // What fails a run.
  static func strict(_ path: WritableKeyPath<Arguments, Bool>) -> Self {
    .flag(.strict, path, "treat what a scenario never exercises as a failure")
  }
  static func failOn(_ path: WritableKeyPath<Arguments, FailureConditions>) -> Self {
    Self(
      .failOn, value: "warnings|flaky|doubts", repeatable: true,
      "treat these as failures of the run; repeatable"
    ) { try $0.read(into: &$1[keyPath: path]) }
  }

  // Runs.
  static func disturb(_ path: WritableKeyPath<Arguments, [Disturbance]>) -> Self {
    Self(
      .disturb, value: "NAME", repeatable: true,
      "let this go wrong, as `sweep` names it; repeatable"
    ) { $1[keyPath: path] = try $0.disturbances() }
  }
  static func record(_ path: WritableKeyPath<Arguments, RecordChoice?>) -> Self {
    Self(
      .record, value: "DIR", optional: true,
      "record a trace of each scenario, in traces beside it or in DIR"
    ) { $1[keyPath: path] = try $0.record() }
  }
}

extension OptionEntry {
  // What `ScenarioChoice` reads together.
  static let tag = OptionEntry(
    .tag, value: "TAG", repeatable: true,
    "only scenarios with this tag, or with !TAG without it; repeatable")
  static let grep = OptionEntry(
    .grep, short: "g", value: "PATTERN", repeatable: true,
    "only titles that match this regular expression; repeatable")
  static let shard = OptionEntry(
    .shard, value: "I/N", "only part I of N; auto takes it from the build server")
  static let durations = OptionEntry(
    .durations, value: "FILE", "balance the parts by the durations of this JSON report")
  static let failed = OptionEntry(
    .failed, value: "only|first", optional: true,
    "only what failed last, or its files first (default: only)")

  // What `world` reads together.
  static func against(_ purpose: String) -> OptionEntry {
    OptionEntry(.against, value: "WORLD", repeatable: true, purpose)
  }
  static let trustedFile = OptionEntry(
    .trustedFile, value: "FILE", "trust these certificates too, with real endpoints")
  static let certificate = OptionEntry(
    .certificate, value: "FILE", "show real endpoints this certificate")
  static let key = OptionEntry(
    .key, value: "FILE", "the key of that certificate (default: the same file)")
  static let insecure = OptionEntry(
    .insecure, "do not verify the certificates of real endpoints")
  static let proxy = OptionEntry(
    .proxy, value: "URL", "reach real endpoints through this proxy")
}
