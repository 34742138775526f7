import Diagnostics
import ScenarioPlan
import ScenarioRuns
import ScenarioSpec

// What a configuration gives to commands. An option of the command line takes precedence.
extension ScenarioChoice {
  mutating func complete(by configuration: Configuration) {
    if isDefault, let paths = configuration.document.paths {
      selectors = paths.map { path in
        let text = configuration.resolved(path)
        let place = configuration.place(of: path.range).map { "`\($0.path):\($0.line)`" }
        return Selector(text: text, selection: Selection(text) ?? .path(text), place: place)
      }
    }
    if tags == TagFilter(), let wanted = configuration.document.tags, let first = wanted.first {
      tagsPlace = configuration.place(of: first.range).map { "\($0.path):\($0.line)" }
      for tag in wanted.map(\.value) {
        if tag.hasPrefix("!") {
          tags.excluded.append(String(tag.dropFirst()))
        } else {
          tags.wanted.append(tag)
        }
      }
    }
  }
}

extension ScenarioChoice {
  /// Finds the files, after the configuration of the folder of the command has completed the
  /// choice, and reads the configurations that hold for them.
  mutating func select(
    _ inputs: PlanInputs, files: ComponentFiles = .onDisk
  ) -> (SelectedFiles, Configurations) {
    var configurations = Configurations(of: ["."], inputs: inputs, files: files)
    complete(by: configurations.configuration(of: "."))
    let selected = SelectedFiles(self, environment: inputs.environment)
    configurations.read(for: selected.files.map(\.path))
    return (selected, configurations)
  }
}

extension RunArguments {
  /// Completes the arguments, and returns the complaints about reports.
  mutating func complete(by configuration: Configuration) -> [Diagnostic] {
    let limits = configuration.document.limits
    jobs = jobs ?? limits.jobs?.value
    if !given.contains(.retries), let configured = limits.retries { retries = configured.value }
    maxTime = maxTime ?? limits.maxTime?.value
    deadline = deadline ?? limits.deadline?.value
    options.logLimit = options.logLimit ?? limits.logLimit.map { $0.value * 1_000_000 }
    guard !given.contains(.format), !configuration.document.reports.isEmpty else { return [] }
    let requests = configuration.document.reports.compactMap { report in
      ReportRequest.Format(rawValue: report.format.value).map { format in
        ReportRequest(
          format: format,
          path: report.path.value == "-" ? nil : configuration.resolved(report.path))
      }
    }
    let shown = requests.filter { $0.path == nil }
    if shown.count > 1 { return [.twoReportsConfigured(shown.map(\.format.rawValue))] }
    output.requests = (shown.isEmpty ? [ReportRequest(format: .human)] : []) + requests
    return []
  }
}

extension Configurations {
  /// Prints what is wrong with the files, and returns whether the command has to end.
  func complain(_ style: DiagnosticStyle) -> Bool {
    for (diagnostic, file) in complaints {
      Terminal.complain(
        render(diagnostic, in: file.sources, style: style, hiding: file.mask.places(in:)))
    }
    if let unknownEnvironment { Terminal.complain([unknownEnvironment], style) }
    for (path, problem) in unreadable {
      Terminal.complain(
        render(.unreadable(path, problem.message), in: SourceMap(), style: style))
    }
    return haveErrors
  }

  /// The diagnostics of the files, each with what it was found in.
  var complaints: [(Diagnostic, LoadedFile)] {
    loaded.flatMap { file in file.diagnostics.sortedForReport().map { ($0, file) } }
  }
}

extension Diagnostic {
  fileprivate static func twoReportsConfigured(_ formats: [String]) -> Diagnostic {
    Diagnostic(
      "two-reports-shown",
      "`reports` sends \(formats.map { "`\($0)`" }.joined(separator: " and ")) to standard output",
      help: "write all but one of them to files")
  }
}
