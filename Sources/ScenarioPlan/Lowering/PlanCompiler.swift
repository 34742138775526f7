import CEL
import Diagnostics
import ScenarioSpec

/// One compilation: what it is given, and the parts that its files work with. Each file of this
/// room adds what it is named for.
///
/// What is used all the time is not watched for accesses that overlap: the watch took a twentieth
/// of the time of loading.
final class PlanCompiler {
  let document: ScenarioDocument
  let inputs: PlanInputs
  @exclusivity(unchecked) var tables: PlanTables
  var reporter = DiagnosticReporter()
  /// The names of the complete stage.
  @exclusivity(unchecked) var names = StageNames()
  /// The part that is being compiled, and the meaning of names in it.
  @exclusivity(unchecked) var position: CompilationPosition
  @exclusivity(unchecked) var frame = FrameBuilder()
  /// The number of expressions so far.
  var expressionCount = 0
  /// The locals that the expressions of a stream begin with: its parameters.
  var streamFrame = FrameBuilder()
  /// The sources that the operator being compiled follows.
  var followed: [SourceID] = []
  /// The shapes of what sources emit, as far as they are known.
  var shapes = KnownShapes()
  var scriptNames = ScriptNames()
  /// True while matchers are compiled that choose among events or requests.
  var matchersSelect = false
  /// True if values that go through the stage may have been computed from secrets.
  let mayHaveSecrets: Bool
  /// The constants that are secrets.
  var secretConstants: [SecretConstant] = []
  /// The variables that are computed from secrets when a run begins.
  var derivedVariables: Set<VariableID> = []
  /// By secret: the number of expressions that compute something from it.
  var derivationCounts: [String: Int] = [:]
  /// The spellings of variables, parameters and columns, by their names from outside.
  var spellings: [String: WrittenForm] = [:]

  init(_ document: ScenarioDocument, inputs: PlanInputs) {
    self.document = document
    mayHaveSecrets =
      document.stage.mayHaveSecrets || document.includesFiles
      || document.vars.contains(where: \.isSecret)
      || document.setupNames.contains(where: \.isSecret)
    self.inputs = inputs
    tables = PlanTables(PlanContents(document))
    tables.plan.configurationFiles = inputs.configurationFiles
    position = CompilationPosition(StageUnit(prefix: "", stage: document.stage))
  }

  /// Complaints about a component also say where it is used.
  func report(_ diagnostic: Diagnostic) { reporter.report(diagnostic, usedAt: unit.uses) }

  /// The slot that stands for something expressions read; the same one at each call.
  func slot(_ meaning: SlotPlan) -> SlotID { tables.slot(meaning) }

  /// Runs a part of the compilation in a scope of its own; what it declares is gone afterwards.
  func nested<Result>(_ body: () -> Result) -> Result {
    let outer = (scope, owner)
    defer { (scope, owner) = outer }
    return body()
  }
}

// What nearly every file needs, by its own name.
extension PlanCompiler {
  var plan: PlanContents {
    _read { yield tables.plan }
    _modify { yield &tables.plan }
  }

  var unit: StageUnit {
    _read { yield position.unit }
    _modify { yield &position.unit }
  }

  var scope: CELScope {
    _read { yield position.scope }
    _modify { yield &position.scope }
  }

  var owner: StageNames.Owner {
    _read { yield position.owner }
    _modify { yield &position.owner }
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

extension StageSpec {
  /// True if something in its document, or in one of its components, is marked as secret.
  fileprivate var mayHaveSecrets: Bool {
    marksSecrets || components.contains { $0?.stage.mayHaveSecrets == true }
  }
}

extension ClockPlan {
  fileprivate init(_ spec: ClockSpec?) {
    switch spec {
    case nil: self = .usual
    case .machine: self = .machine
    case .fixed(let time): self = .fixed(time)
    }
  }
}

extension PlanContents {
  /// Makes the plan's general part from a document; the tables are empty.
  fileprivate init(_ document: ScenarioDocument) {
    self.init(title: document.title.value, range: document.title.range, extent: document.range)
    description = document.description
    tags = document.tags.map(\.value)
    skip = document.skip?.value
    only = document.only
    against.others = document.against.others
    against.haveAddresses =
      !only.isEmpty && !only.contains(.mock) || against.others == .real
      || document.against.endpoints.contains { $0.world == .real }
    timeout = document.timeout?.value ?? ScenarioPlan.defaultTimeout
    isInRealTime = document.isInRealTime
    requires = document.requires.map(\.value)
    clock = ClockPlan(document.clock)
    seed = document.seed?.value
    traces = TracesPlan(document.traces)
    reorder = document.reorder
    variableNames = (document.stage.vars.map(\.name) + document.setupNames.map(\.name)).map(\.value)
    secretVariables = Set(document.stage.vars.filter(\.isSecret).map(\.name.value))
  }
}
