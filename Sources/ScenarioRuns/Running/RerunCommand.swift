import Diagnostics
import Protocols
import ScenarioEngine
import ScenarioPlan
import Verdicts

/// The options of a command line that the command to repeat one of its runs has as well: those that
/// set variables, and the proxy.
package struct RepeatedOptions: Sendable {
  package var variables: [(name: String, text: String)] = []
  package var variableFiles: [String] = []
  package var environmentFiles: [String] = []
  package var environment: String?
  /// The proxy of the command line. A proxy of the environment is not part of the command.
  package var proxy: ProxySettings?

  package init() {}
}

/// Returns the command that repeats a run. It names the run by its line, or by the scenario's title
/// and the row if the row stands in another file, or on a line with others.
func rerunCommand(
  _ plan: ScenarioPlan, inputs: RunInputs, sources: SourceMap, in kind: WorldKind,
  repeating repeated: RepeatedOptions
) -> String? {
  guard let file = sources.file(of: plan.range) else { return nil }
  let place = shellQuoted(place(of: plan, inputs.row, in: file))
  let seed = UInt64(bitPattern: Int64(inputs.seed))
  let disturbed = inputs.options.disturbances.flatMap { ["--disturb", shellQuoted("\($0)")] }
  let words = ["rehearse", "run", place, "--seed", String(seed)] + disturbed + options(of: kind)
  let clock = plan.virtualTime != nil && plan.hasMachineClock ? ["--real-time"] : []
  return (words + clock + repeated.words(for: plan)).joined(separator: " ")
}

private func place(of plan: ScenarioPlan, _ row: RowPlan?, in file: SourceFile) -> String {
  let path = fileOperand(file.path)
  if let row, row.range.file != plan.range.file || sharesLine(row, of: plan, in: file) {
    return "\(path)::\(plan.title)::\(row.id)"
  }
  let range = row?.range ?? plan.range
  return "\(path):\(file.place(of: Int(range.start)).line)"
}

/// Returns whether another row stands on the line of this one, so that the line means both.
private func sharesLine(_ row: RowPlan, of plan: ScenarioPlan, in file: SourceFile) -> Bool {
  let reach = row.range.start - longestLine...row.range.start + longestLine
  let line = file.place(of: Int(row.range.start)).line
  return plan.rows.contains { other in
    // Each failed row asks all others, since an alias may stand anywhere. Numbers come first.
    reach.contains(other.range.start) && other.id != row.id
      && file.place(of: Int(other.range.start)).line == line
  }
}

/// The reach in bytes in which rows of the same line are looked for.
private let longestLine: Int32 = 10_000

private func options(of world: WorldKind) -> [String] {
  if world == .mock { return [] }
  if case .trace(let trace) = world {
    return ["--against", shellQuoted("trace:\(trace.path)")]
  }
  if case .chosen(let choices) = world {
    let text = choices.text.isEmpty ? [] : ["--against", shellQuoted(choices.text)]
    return text + choices.settings.options
  }
  let name = ["--against", world.worldName.rawValue]
  guard case .real(let settings) = world else { return name }
  return name + settings.options
}

extension RealWorldSettings {
  fileprivate var options: [String] {
    (curlOptions + (ignoresDrift ? ["--no-drift"] : [])).map(shellQuoted)
  }
}

extension RepeatedOptions {
  /// Returns the options in quotes. They are masked before that, since quoting may change how a
  /// secret is written.
  package func words(for plan: ScenarioPlan) -> [String] {
    let mask = plan.secretMask
    let quoted = { (text: String) in shellQuoted(mask.masked(text)) }
    var words = environment.map { ["--env", quoted($0)] } ?? []
    words += environmentFiles.flatMap { ["--env-file", quoted(fileOperand($0))] }
    words += variableFiles.flatMap { ["--vars-file", quoted(fileOperand($0))] }
    for variable in variables {
      let isSecret =
        plan.secretVariables.contains(variable.name) || mask.masked(variable.text) == "***"
      // A reader has to replace the stars in any case, so they need no quotes.
      let name = variable.name
      let setting = isSecret ? "\(name)=***" : quoted("\(name)=\(variable.text)")
      words += ["--var", setting]
    }
    return words + (proxy?.plain.map { ["--proxy", quoted($0.shownWithoutPassword)] } ?? [])
  }
}

extension AbsoluteURL {
  fileprivate var shownWithoutPassword: String {
    "http://" + (credentials == nil ? "" : "***@") + authority
  }
}
