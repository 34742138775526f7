import Diagnostics
import ScenarioSpec
import Values
import World

/// All that a plan says: flat tables with typed ids, compiled expressions, and a place in the text
/// beside each item. Lowering fills it, and `ScenarioPlan` holds it from then on.
package struct PlanContents: Sendable {
  package var title: String
  package var description: String?
  package var tags: [String]
  package var skip: String?
  /// The worlds that it runs in; empty means all of them.
  package var only: [WorldName] = []
  /// The worlds that the scenario chooses, unless the command line does.
  package var against = WorldsPlan()
  /// The scenario's place: its title.
  package var range: SourceRange
  /// From the first to the last byte of the document.
  package var extent: SourceRange
  package var timeout: Microseconds
  /// True if it runs in real time even against mocks in memory.
  package var isInRealTime = false
  /// The place that asks for virtual time, if there are programs that have it.
  package var virtualTime: SourceRange?
  /// True if they have the machine's clock nevertheless.
  package var hasMachineClock = false
  package var clock = ClockPlan.usual
  package var seed: Int?
  package var sweep = SweepPlan()
  package var traces = TracesPlan()
  /// The disturbances of each run, unless the command line has its own.
  package var disturbances: [Disturbance] = []
  /// Everything that emits, in document order.
  package var sources: Table<SourcePlan> = []
  /// True for the sources whose events no expectation and no invariant asks for; empty if there
  /// are none.
  package var isUnasked: PerID<SourcePlan, Bool> = []
  /// True for the sources whose events nothing asks for once a step has ignored them; empty if
  /// there are none.
  package var isForgotten: PerID<SourcePlan, Bool> = []
  /// The sources whose last event a computed node reads, each once.
  package var followed: [SourceID] = []
  /// The sources whose events an expression counts by a condition.
  package var kept: Set<SourceID> = []
  package var nodes: Table<NodePlan> = []
  /// The nodes that are observed, parents before children, else in document order.
  package var observedNodes: [NodeID] = []
  package var reactors: Table<ReactorPlan> = []
  package var actions: Table<ActionPlan> = []
  package var follows: [FollowPlan] = []
  /// The actions that are sent before the first step, in the order of the document.
  package var starts: [ActionID] = []
  package var endpoints: Table<EndpointPlan> = []
  package var providers: Table<ProviderPlan> = []
  package var databases: Table<DatabasePlan> = []
  package var lists: Table<ListPlan> = []
  package var connections: Table<ConnectionPlan> = []
  package var streams: Table<StreamPlan> = []
  package var programs: Table<ProgramPlan> = []
  /// The programs that must be installed.
  package var requires: [String] = []
  package var declaredSources: Table<DeclaredSourcePlan> = []
  package var invariants: Table<InvariantPlan> = []
  /// How much later than a line with a later time a line of a trace may come.
  package var reorder: Microseconds?
  package var scripts: Table<ScriptPlan> = []
  package var assertions: Table<AssertionPlan> = []
  /// The meaning of each slot of compiled expressions.
  package var slots: Table<SlotPlan> = []
  package var variables: Table<VariablePlan> = []
  /// All variables that are declared, constant or not.
  package var variableNames: [String] = []
  /// The parameters of components, by their names from outside.
  package var parameters: [ParameterPlan] = []
  package var columns: Table<ColumnPlan> = []
  package var rows: [RowPlan] = []
  package var captures: Table<CapturePlan> = []
  package var steps: FramePlan = .empty
  package var finally: FramePlan?
  package var snapshots = SnapshotFiles()
  /// Values that must not leave the process in clear text, as far as all runs know them.
  package var secrets: [String] = []
  /// Those of the secrets that expressions compute from others. They may stand elsewhere by chance.
  package var computedSecrets: Set<String> = []
  /// The literals of the scenario that steps capture as secrets. Reports hide them from the start,
  /// and traces from the capture on.
  package var literalSecrets: [String] = []
  /// The matchers that capture secrets.
  package var secretMatchers: [SecretMatcherPlan] = []
  /// The names of secrets, by their text.
  package var secretNames: [String: String] = [:]
  /// By name of a secret that is no text: its form, with placeholders and zeros.
  package var secretShapes: [String: Value] = [:]
  /// The place of the steps, if the plan is that of a set-up.
  package var setup: SourceRange?
  /// The names that set-ups have captured for the scenario, with their values.
  package var setupValues: [(name: String, value: Value)] = []
  /// The names of set-ups that have no value, because the set-ups have not run.
  package var unsetNames: [String] = []
  /// The number of configurations among its files. They come behind the scenario's own file.
  package var configurationFiles = 0
  /// The values of variables that are no secrets, and that everybody may see therefore.
  package var publicValues: [Value] = []
  /// The names of the variables that are secret.
  package var secretVariables: Set<String> = []

  package init(title: String, range: SourceRange, extent: SourceRange) {
    self.title = title
    self.range = range
    self.extent = extent
    tags = []
    timeout = ScenarioPlan.defaultTimeout
  }
}
