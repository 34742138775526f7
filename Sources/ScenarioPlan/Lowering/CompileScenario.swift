import Diagnostics
import ScenarioSpec
import Secrets
import Values

/// The inputs of a load besides the files.
package struct PlanInputs: Sendable {
  /// Values given on the command line; they replace variables of the same name.
  package var variables: [Variable] = []
  /// The environment of configurations that the command line names.
  package var environmentName: String?
  /// The process environment, with what env files add.
  package var environment = ValueMap()
  /// True if a secret that comes from an unset variable of the environment is its placeholder. What
  /// was recorded has the placeholder as well, so that judging and replaying need no secret.
  package var allowsUnsetSecrets = false
  /// The steps that come in place of a scenario's last ones.
  package var continuation: Continuation?
  /// The path of each file by its number; relative paths start there.
  package var paths: [String] = []
  /// True if programs have the machine's clock even beside `time: virtual`.
  package var hasMachineClock = false
  /// The number of configurations among the files. They come behind the scenario's own file.
  package var configurationFiles = 0
  /// Reads a JSON file that a scenario names, such as a schema; or says why it cannot.
  package var readJSON: @Sendable (String) -> Result<Value, JSONFileFailure> = { _ in
    .failure(JSONFileFailure("there are no files here"))
  }
  /// Reads a file that is the body of an answer, or says why it cannot.
  package var readFile: @Sendable (String) -> Result<[UInt8], JSONFileFailure> = { _ in
    .failure(JSONFileFailure("there are no files here"))
  }

  package init() {}

  /// The steps of a file, in place of those of a scenario behind its first ones.
  package struct Continuation: Sendable {
    /// The place of the scenario's title.
    package var scenario: SourceRange
    /// The number of its own steps that stay.
    package var kept: Int
    /// The file, as it is seen from the scenario's folder.
    package var file: String

    package init(scenario: SourceRange, kept: Int, file: String) {
      self.scenario = scenario
      self.kept = kept
      self.file = file
    }
  }

  /// A variable given from outside.
  package struct Variable: Sendable {
    package var name: String
    /// The value as it was given. It is used if the scenario's own value is text.
    package var text: String
    /// The value that replaces the text.
    package var value: Value
    /// The file it was given in; nil for one of the command line.
    package var file: String?
    /// True if the value only stands for a secret, which a replay does not know.
    package var isPlaceholder = false

    package init(name: String, text: String, value: Value, file: String? = nil) {
      self.name = name
      self.text = text
      self.value = value
      self.file = file
    }

    /// The value that stands for a secret: of the recorded form, with the numbers of the scenario.
    private func placeholder(for written: Value?) -> Value {
      guard let written else { return value }
      if case .string = value { return written.withTexts(text) }
      return value.withNumbers(of: written)
    }

    /// The value in place of the one a scenario has; it stays text where that is text. A file,
    /// though, means a list, a map or null where it has one.
    package func value(insteadOf written: Value?) -> Value {
      if isPlaceholder { return placeholder(for: written) }
      guard case .string? = written else { return value }
      switch value {
      case .list, .map, .null: return file == nil ? .string(text) : value
      case .bool, .int, .uint, .double, .digits, .string, .bytes, .timestamp, .duration, .type,
        .optional:
        return .string(text)
      }
    }
  }
}

/// Why a JSON file could not be read.
package struct JSONFileFailure: Error {
  package var message: String

  package init(_ message: String) { self.message = message }
}

/// Makes a plan from a scenario: resolves every name, checks and compiles every expression.
///
/// All problems are reported; the plan is nil if any of them is an error.
package func compileScenario(
  _ document: ScenarioDocument, inputs: PlanInputs = PlanInputs()
) -> Diagnosed<ScenarioPlan?> {
  let connections = document.stage.allConnections
  if connections.count > PlanLimit.connections {
    return Diagnosed(nil, [.tooManyConnections(connections[PlanLimit.connections].name)])
  }
  let compiler = PlanCompiler(document, inputs: inputs)
  compiler.declareVariables()
  compiler.declareStage()
  compiler.chooseWorlds()
  compiler.compileStage()
  compiler.compileSteps()
  compiler.compileSweep()
  compiler.compileDisturbances()
  compiler.orderObservedNodes()
  compiler.findUnaskedSources()
  compiler.plan.findFollowedSources()
  compiler.reporter.explainCaptures(compiler.plan.captures.map(\.name))
  if compiler.reporter.allowsPlan { compiler.warnOfNothingAsserted() }
  let reporter = compiler.reporter
  let plan = reporter.allowsPlan ? ScenarioPlan(compiler.plan).withLiteralSecrets() : nil
  var result = Diagnosed(plan, reporter.diagnostics)
  result.textPlaces = reporter.textPlaces
  return result
}

/// The limits that are known before a scenario runs.
package enum PlanLimit {
  /// The number of connections between clients and endpoints of one run.
  package static let connections = 20_000
  /// The turns of a `while` without `atMost`.
  package static let turnsOfWhile = 1_000
}

extension StageSpec {
  /// The connections of this stage, and then those of its components.
  fileprivate var allConnections: [ConnectionSpec] {
    connections + components.flatMap { $0?.stage.allConnections ?? [] }
  }
}

extension PlanCompiler {
  /// Finds the endpoints whose worlds the scenario chooses.
  fileprivate func chooseWorlds() {
    for choice in document.against.endpoints {
      guard let id = findEndpoint(choice.name) else { continue }
      plan.against.endpoints[id] = choice.world
    }
  }
}

/// Returns the mistakes of a component by itself, in which parameters without a default may be
/// anything.
package func checkComponent(
  _ component: ComponentDocument, inputs: PlanInputs = PlanInputs()
) -> [Diagnostic] {
  let title = component.title ?? Located("", component.range)
  var document = ScenarioDocument(title: title, range: component.range)
  document.stage = component.stage
  var inputs = inputs
  inputs.variables = []
  let compiler = PlanCompiler(document, inputs: inputs)
  compiler.unit.stage = compiler.stage(of: component, given: [])
  compiler.declareVariables(component.parameters)
  compiler.declareStage()
  compiler.compileStage()
  return compiler.reporter.diagnostics
}
