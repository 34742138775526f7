import Diagnostics
import Secrets
import Values
import Verdicts

/// Returns a run in the Test Anything Protocol, version 14: a line for each scenario or row, and
/// the failures below it as YAML.
package func tapReport(_ run: RunReport) -> String {
  var writer = TAPWriter(withTimes: run.wall != nil)
  for file in run.files {
    if file.couldNotRun { writer.addUnreadable(file) }
    for scenario in file.scenarios { writer.add(scenario, in: file) }
  }
  let leftOut = run.leftOut.texts.map { "# \($0)\n" }.joined()
  return "TAP version 14\n1..\(writer.count)\n" + writer.text + leftOut
}

private struct TAPWriter {
  private let withTimes: Bool
  private(set) var text = ""
  private(set) var count = 0

  init(withTimes: Bool) { self.withTimes = withTimes }

  mutating func addUnreadable(_ file: FileReport) {
    addPoint(isGood: false, file.path)
    let errors = file.diagnostics.filter { $0.severity == .error }
    addDiagnostics(errors, in: file, file.mask, [], severity: "error")
  }

  mutating func add(_ scenario: ScenarioReport, in file: FileReport) {
    let verdict = scenario.verdict
    let name = "\(file.path):\(scenario.line) \(scenario.name)"
    let time = withTimes ? scenario.wall.map { [("duration_ms", milliseconds($0))] } ?? [] : []
    switch verdict.outcome {
    case .passed:
      addPoint(isGood: true, name)
      addBlock(time)
    case .flaky:
      addPoint(isGood: true, name)
      addDiagnostics(verdict.tries.first ?? [], in: file, scenario.mask, time, severity: "flaky")
    case .failed:
      addPoint(isGood: false, name)
      addDiagnostics(verdict.failures, in: file, scenario.mask, time)
    case .couldNotRun:
      addPoint(isGood: false, name)
      addDiagnostics(verdict.failures, in: file, scenario.mask, time, severity: "error")
    case .skipped(let reason):
      addPoint(isGood: true, name, directive: "SKIP " + scenario.mask.masked(reason))
    }
  }

  private mutating func addPoint(isGood: Bool, _ name: String, directive: String? = nil) {
    count += 1
    text += (isGood ? "ok " : "not ok ") + "\(count) - " + escaped(name)
    if let directive { text += " # " + escaped(directive) }
    text += "\n"
  }

  /// Adds the first failure as members, and all of them as a reader sees them.
  private mutating func addDiagnostics(
    _ failures: [Diagnostic], in file: FileReport, _ mask: SecretMask, _ time: [(String, String)],
    severity: String = "fail"
  ) {
    guard let first = failures.first else { return addBlock(time) }
    var members = [
      ("message", quoted(mask.masked(page: first.message))), ("severity", severity),
      ("id", first.id.rawValue),
    ]
    if let place = place(of: first, in: file) { members.append(("at", quoted(place))) }
    let page = page(of: failures, in: file, mask)
    addBlock(members + time, report: page.trimmingLines)
  }

  /// Adds a block of YAML. A report is a literal block, which needs no escapes. Its empty lines are
  /// indented as well, because some parsers end the block at a line that is not.
  private mutating func addBlock(_ members: [(String, String)], report: String? = nil) {
    if members.isEmpty, report == nil { return }
    text += "  ---\n"
    for (name, value) in members { text += "  \(name): \(value)\n" }
    if let report {
      text += "  report: |-\n"
      for line in report.split(separator: "\n", omittingEmptySubsequences: false) {
        text += "    \(line)\n"
      }
    }
    text += "  ...\n"
  }

  /// A line of the protocol ends its description at `#`, and a line break would end the line. A
  /// terminal would obey control characters.
  private func escaped(_ text: String) -> String {
    let line = String(text.map { $0.isNewline ? " " : $0 })
    return visibleText(line).unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "#", "\\": result += "\\\(scalar)"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  /// A text as a double-quoted scalar, of which a JSON string is one.
  private func quoted(_ text: String) -> String { Value.string(text).json() }
}

/// Returns a duration in milliseconds, with its fraction.
private func milliseconds(_ wall: Microseconds) -> String {
  let thousandths = String(1000 + wall.magnitude % 1000).dropFirst()
  return "\(wall.magnitude / 1000).\(thousandths)"
}

/// Returns the place of a diagnostic's main label: `path:line:column`.
func place(of diagnostic: Diagnostic, in file: FileReport) -> String? {
  guard let range = diagnostic.labels.first?.range else { return nil }
  return file.sources.placeText(of: range)
}
