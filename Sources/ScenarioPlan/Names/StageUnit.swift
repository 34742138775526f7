import CEL
import Diagnostics
import ScenarioSpec

/// A stage that is part of the whole one: the scenario's own, or that of a component.
///
/// What stands in it is named without its prefix there, and with it from outside.
struct StageUnit {
  /// The prefix of its parts' names: empty for the scenario, else for example `license.`.
  let prefix: String
  /// The parts. They stand apart, because a unit is copied more often than its stage is changed.
  private var parts: Parts
  /// The prefix of the unit that uses this one.
  var userPrefix = ""
  /// The places that use the component, innermost first.
  var uses: [Diagnostic.Label] = []
  /// The names that its expressions may use besides the stage.
  var scope = CELScope()
  /// The first numbers of its parts in the plan, with those of the components that it uses.
  var start = PartCounts()
  /// The first numbers of the parts that it holds itself.
  var own = PartCounts()
  var end = PartCounts()
  /// Components of which nothing is known, because their files could not be read.
  var unread: [String] = []

  init(prefix: String, stage: StageSpec, scope: CELScope = CELScope()) {
    self.prefix = prefix
    parts = Parts(stage)
    self.scope = scope
  }

  var stage: StageSpec {
    _read { yield parts.stage }
    set { parts = Parts(newValue) }
  }

  private final class Parts {
    let stage: StageSpec

    init(_ stage: StageSpec) { self.stage = stage }
  }

  /// A name as it is said in here.
  func name(_ full: String) -> String {
    prefix.isEmpty ? full : String(full.dropFirst(prefix.count))
  }
}

/// The ends of the tables of parts. The parts that are declared next begin there.
struct PartCounts {
  var nodes = NodeID(0)
  var reactors = ReactorID(0)
  var endpoints = EndpointID(0)
  var databases = DatabaseID(0)
  var providers = ProviderID(0)
  var lists = ListID(0)
  var connections = ConnectionID(0)
  var streams = StreamID(0)
  var programs = ProgramID(0)
  var variables = VariableID(0)

  init() {}

  init(_ plan: PlanContents) {
    nodes = plan.nodes.endIndex
    reactors = plan.reactors.endIndex
    endpoints = plan.endpoints.endIndex
    databases = plan.databases.endIndex
    providers = plan.providers.endIndex
    lists = plan.lists.endIndex
    connections = plan.connections.endIndex
    streams = plan.streams.endIndex
    programs = plan.programs.endIndex
    variables = plan.variables.endIndex
  }
}

extension PlanCompiler {
  /// Goes into a unit; names and expressions mean what they mean there from now on.
  func enter(_ unit: StageUnit) {
    self.unit = unit
    scope = unit.scope
  }

  /// Runs a part of the compilation inside another unit, and comes back.
  func inside<Result>(_ other: StageUnit, _ body: () -> Result) -> Result {
    let outer = unit
    return nested {
      defer { unit = outer }
      enter(other)
      return body()
    }
  }
}
