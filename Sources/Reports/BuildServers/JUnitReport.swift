import Diagnostics
import Secrets
import Values
import Verdicts

/// Returns a run in the format of build servers: a suite per file, a case per scenario or row.
package func junitReport(_ run: RunReport) -> String {
  let tally = Tally(run.files)
  var xml = XMLWriter()
  xml.open("testsuites", [("name", "rehearse")] + counts(tally) + time(run.wall))
  if !run.leftOut.entries.isEmpty { xml.write(run.leftOut) }
  for file in run.files { xml.write(file, withTimes: run.wall != nil) }
  xml.close("testsuites")
  return xml.text
}

private func counts(_ tally: Tally) -> [(String, String)] {
  [
    ("tests", "\(tally.total)"), ("failures", "\(tally.failed)"),
    ("errors", "\(tally.couldNotRun)"), ("skipped", "\(tally.skipped)"),
  ]
}

/// Returns a duration in seconds, as the format requires.
private func time(_ wall: Microseconds?) -> [(String, String)] {
  guard let wall else { return [] }
  let millionths = String(1_000_000 + wall.magnitude % 1_000_000).dropFirst()
  return [("time", "\(wall.magnitude / 1_000_000).\(millionths)")]
}

extension XMLWriter {
  /// Writes what was left out as properties of the whole run.
  fileprivate mutating func write(_ leftOut: LeftOut) {
    open("properties", [])
    for entry in leftOut.entries {
      element(
        "property", [("name", "leftOut.\(entry.reason.rawValue)"), ("value", "\(entry.count)")])
    }
    close("properties")
  }

  fileprivate mutating func write(_ file: FileReport, withTimes: Bool) {
    let walls = file.scenarios.compactMap(\.wall)
    let wall = withTimes ? walls.reduce(0, +) : nil
    open("testsuite", [("name", file.path)] + counts(Tally([file])) + time(wall))
    if file.couldNotRun { writeUnreadable(file) }
    for scenario in file.scenarios { write(scenario, in: file, withTimes: withTimes) }
    close("testsuite")
  }

  private mutating func writeUnreadable(_ file: FileReport) {
    open("testcase", [("name", file.path), ("classname", file.path), ("file", file.path)])
    write(file.diagnostics.filter { $0.severity == .error }, as: "error", in: file, file.mask)
    close("testcase")
  }

  private mutating func write(
    _ scenario: ScenarioReport, in file: FileReport, withTimes: Bool
  ) {
    let verdict = scenario.verdict
    open(
      "testcase",
      [
        ("name", scenario.name), ("classname", file.path), ("file", file.path),
        ("line", "\(scenario.line)"), ("assertions", "\(verdict.assertionsReached)"),
      ] + time(withTimes ? scenario.wall : nil))
    writeProperties(of: scenario)
    switch verdict.outcome {
    case .passed: break
    case .flaky:
      for failures in verdict.tries { writeFlaky(failures, in: file, scenario.mask) }
    case .failed: write(verdict.failures, as: "failure", in: file, scenario.mask)
    case .couldNotRun: write(verdict.failures, as: "error", in: file, scenario.mask)
    case .skipped(let reason): element("skipped", [("message", scenario.mask.masked(reason))])
    }
    // GitLab and Jenkins show what is written like this as an attachment of the case.
    if let trace = scenario.trace { element("system-out", [], content: "[[ATTACHMENT|\(trace)]]") }
    close("testcase")
  }

  private mutating func writeProperties(of scenario: ScenarioReport) {
    open("properties", [])
    if let seed = scenario.seed { property("seed", "\(UInt64(bitPattern: Int64(seed)))") }
    if scenario.hasTimes {
      property("virtual-time", durationText(scenario.verdict.duration))
      property("events", "\(scenario.verdict.eventCount)")
    }
    if let place = scenario.rowPlace { property("row-place", place) }
    for tag in scenario.tags { property("tag", scenario.mask.masked(tag)) }
    for part in scenario.verdict.neverExercised {
      property("never-exercised", scenario.mask.masked("\(part.part), line \(part.line)"))
    }
    for warning in scenario.verdict.warnings {
      property("warning", scenario.mask.masked(page: warning.message))
    }
    close("properties")
  }

  private mutating func property(_ name: String, _ value: String) {
    element("property", [("name", name), ("value", value)])
  }

  /// Writes one failure per case, because readers of this format show only one. The first names it;
  /// its text has all.
  private mutating func write(
    _ failures: [Diagnostic], as name: String, in file: FileReport, _ mask: SecretMask
  ) {
    let first = failures.first
    element(
      name,
      [("type", first?.id.rawValue ?? name), ("message", mask.masked(page: first?.message ?? ""))],
      content: page(of: failures, in: file, mask))
  }
}

extension XMLWriter {
  /// Writes a failed attempt before the one that passed, in the form of Maven's Surefire.
  fileprivate mutating func writeFlaky(
    _ failures: [Diagnostic], in file: FileReport, _ mask: SecretMask
  ) {
    let first = failures.first
    open(
      "flakyFailure",
      [
        ("type", first?.id.rawValue ?? "failure"),
        ("message", mask.masked(page: first?.message ?? "")),
      ])
    element("stackTrace", [], content: page(of: failures, in: file, mask))
    close("flakyFailure")
  }
}

/// Returns failures as a person reads them, without secrets.
func page(
  of failures: [Diagnostic], in file: FileReport, _ mask: SecretMask
) -> String {
  let masked = failures.map { $0.masked(by: mask.masked(page:)) }
  return render(masked, in: file.sources, hiding: file.hiding(mask))
}

extension String {
  /// The text without the line breaks at its end.
  var trimmingLines: String {
    var text = self
    while text.last == "\n" { text.removeLast() }
    return text
  }
}

/// A writer of XML that stays valid for all texts.
struct XMLWriter {
  private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
  private var depth = 0

  mutating func open(_ name: String, _ attributes: [(String, String)]) {
    text += indent + "<\(name)\(written(attributes))>\n"
    depth += 1
  }

  mutating func close(_ name: String) {
    depth -= 1
    text += indent + "</\(name)>\n"
  }

  mutating func element(
    _ name: String, _ attributes: [(String, String)], content: String? = nil
  ) {
    let end = content.map { ">\(escaped($0, inAttribute: false))</\(name)>" } ?? "/>"
    text += indent + "<\(name)\(written(attributes))\(end)\n"
  }

  private var indent: String { String(repeating: "  ", count: depth) }

  private func written(_ attributes: [(String, String)]) -> String {
    attributes.map { " \($0.0)=\"\(escaped($0.1, inAttribute: true))\"" }.joined()
  }

  private func escaped(_ text: String, inAttribute: Bool) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      case "\"": result += inAttribute ? "&quot;" : "\""
      case "\n" where inAttribute: result += "&#10;"
      case "\t" where inAttribute: result += "&#9;"
      case "\r": result += "&#13;"
      default: result.unicodeScalars.append(isAllowed(scalar) ? scalar : "\u{FFFD}")
      }
    }
  }

  /// Returns whether XML 1.0 allows a character; control characters are not allowed, not even
  /// escaped.
  private func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: true
    case 0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: false
    default: true
    }
  }
}
