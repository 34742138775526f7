import CEL
import Diagnostics
import ScenarioSpec
import Values

/// The inputs of a load besides the files.
package struct PlanInputs: Sendable {
  /// Values given on the command line; they replace variables of the same name.
  package var variables: [Variable] = []
  /// The process environment, with what env files add.
  package var environment = ValueMap()
  /// The path of each file by its number; relative paths start there.
  package var paths: [String] = []
  /// Reads a JSON file that a scenario names, such as a schema; or says why it cannot.
  package var readJSON: @Sendable (String) -> Result<Value, JSONFileFailure> = { _ in
    .failure(JSONFileFailure("there are no files here"))
  }

  package init() {}

  /// A variable given from outside.
  package struct Variable: Sendable {
    package var name: String
    /// As it was given; this counts where the scenario's own value is text.
    package var text: String
    /// The value that replaces the text.
    package var value: Value
    /// The file it was given in; nil for one of the command line.
    package var file: String?

    package init(name: String, text: String, value: Value, file: String? = nil) {
      self.name = name
      self.text = text
      self.value = value
      self.file = file
    }

    /// The value in place of the one a scenario has; it stays text where that is text. A file,
    /// though, means a list, a map or null where it has one.
    package func value(insteadOf written: Value?) -> Value {
      guard case .string? = written else { return value }
      switch value {
      case .list, .map, .null: return file == nil ? .string(text) : value
      case .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .type, .optional:
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
  let compiler = PlanCompiler(document, inputs: inputs)
  compiler.declareVariables()
  compiler.declareStage()
  compiler.compileStage()
  compiler.compileSteps()
  compiler.orderObservedNodes()
  let usable = compiler.isWhole && !compiler.diagnostics.hasErrors
  return Diagnosed(usable ? compiler.plan : nil, compiler.diagnostics)
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
  compiler.declareVariables(component.parameters)
  compiler.declareStage()
  compiler.compileStage()
  return compiler.diagnostics
}

/// The state of one compilation. Each file of this room adds the part it is named for.
final class PlanCompiler {
  let document: ScenarioDocument
  let inputs: PlanInputs
  var plan: ScenarioPlan
  var diagnostics: [Diagnostic] = []
  var names = StageNames()
  /// The names that expressions may use at the current place.
  var scope = CELScope()
  var frame = FrameBuilder()
  /// The reactor or endpoint whose script is compiled, whose fields are named without prefix.
  var owner: StageNames.Owner = .scenario
  /// The names that every step may use before anything is captured.
  var stepScope = CELScope()
  /// The places that include the current file, innermost first.
  var includes: [Diagnostic.Label] = []
  /// The part of the stage that compilation is in.
  var unit: StageUnit
  /// All parts of the stage: components before what uses them, the scenario's own last.
  var units: [StageUnit] = []
  /// The names that expressions may use in every unit.
  var functions = CELScope()
  /// Constants of components, by their names from outside.
  var constants: [(name: String, value: Value)] = []
  /// The variables of which no value is known: they are wrong, or parameters that nobody gave.
  var unknownParameters: Set<VariableID> = []
  /// True if all used components could be read.
  var isWhole = true
  /// The type of each node, as far as the checker knows it.
  var nodeTypes: PerID<NodePlan, CELType> = []
  var isComputed: PerID<NodePlan, Bool> = []
  var actionParameters: PerID<ActionPlan, [String]> = []
  var providerParameters: PerID<ProviderPlan, [String]> = []
  /// The word for whether there is a network, where nothing has taken it.
  var connectivity: SourceID?
  var counts: PerID<SourcePlan, SlotID> = []
  var isObserved: PerID<NodePlan, Bool> = []
  /// True for each stream that accepts values.
  var subjects: PerID<StreamPlan, Bool> = []
  var captures: [String: CaptureID] = [:]
  var marks: [String: MarkID] = [:]
  /// The place where each snapshot was named first, by its file's name.
  var snapshotNames: [String: SourceRange] = [:]
  private var slots = SlotTable()

  init(_ document: ScenarioDocument, inputs: PlanInputs) {
    self.document = document
    self.inputs = inputs
    unit = StageUnit(prefix: "", stage: document.stage)
    plan = ScenarioPlan(
      title: document.title.value, range: document.title.range, extent: document.range)
    plan.description = document.description
    plan.tags = document.tags.map(\.value)
    plan.skip = document.skip?.value
    plan.timeout = document.timeout?.value ?? ScenarioPlan.defaultTimeout
    plan.isInWallTime = document.isInWallTime
    plan.clock = document.clock?.value ?? ScenarioPlan.defaultClock
    plan.seed = document.seed?.value
    plan.variableNames = document.vars.map(\.name.value)
  }

  /// Complaints about a component also say where it is used.
  func report(_ diagnostic: Diagnostic) {
    var diagnostic = diagnostic
    diagnostic.labels += unit.uses + includes
    diagnostics.append(diagnostic)
  }

  /// The slot that stands for something expressions read; the same one at each call.
  func slot(_ meaning: SlotPlan) -> SlotID {
    slots.slot(of: meaning) { plan.slots.append(meaning) }
  }

  /// Runs a part of the compilation in a scope of its own; what it declares is gone afterwards.
  func nested<Result>(_ body: () -> Result) -> Result {
    let outer = (scope, owner)
    defer { (scope, owner) = outer }
    return body()
  }
}

/// Counts the locals of a script that can be started.
struct FrameBuilder {
  private(set) var localCount = 0

  mutating func addLocal() -> LocalID {
    localCount += 1
    return LocalID(localCount - 1)
  }
}

/// The slots by what they read. The numbers of one kind are small, so each kind has a row.
private struct SlotTable {
  private var rows: [[SlotID?]] = Array(repeating: [], count: 10)

  /// The slot that stands for this; where there is none yet, one is added.
  mutating func slot(of meaning: SlotPlan, add: () -> SlotID) -> SlotID {
    let (row, number) = SlotTable.place(of: meaning)
    while rows[row].count <= number { rows[row].append(nil) }
    if let known = rows[row][number] { return known }
    let added = add()
    rows[row][number] = added
    return added
  }

  private static func place(of meaning: SlotPlan) -> (row: Int, number: Int) {
    switch meaning {
    case .node(let id): (0, id.index)
    case .variable(let id): (1, id.index)
    case .column(let id): (2, id.index)
    case .capture(let id): (3, id.index)
    case .local(let id): (4, id.index)
    case .matched: (5, 0)
    case .now: (6, 0)
    case .eventCount(let id): (7, id.index)
    case .recomputes(let id): (8, id.index)
    case .lastEvent(let id): (9, id.index)
    }
  }
}
