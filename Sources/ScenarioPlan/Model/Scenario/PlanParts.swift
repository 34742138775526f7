import Diagnostics
import ScenarioSpec
import Values
import World

// The parts, by their names in `PlanContents`.
extension ScenarioPlan {
  @inlinable @inline(__always)
  package var title: String { _read { yield box.contents.title } }
  @inlinable @inline(__always)
  package var description: String? { _read { yield box.contents.description } }
  @inlinable @inline(__always)
  package var tags: [String] { _read { yield box.contents.tags } }
  @inlinable @inline(__always)
  package var skip: String? { _read { yield box.contents.skip } }
  @inlinable @inline(__always)
  package var only: [WorldName] { _read { yield box.contents.only } }
  @inlinable @inline(__always)
  package var against: WorldsPlan { _read { yield box.contents.against } }
  @inlinable @inline(__always)
  package var range: SourceRange { _read { yield box.contents.range } }
  @inlinable @inline(__always)
  package var extent: SourceRange { _read { yield box.contents.extent } }
  @inlinable @inline(__always)
  package var timeout: Microseconds { _read { yield box.contents.timeout } }
  @inlinable @inline(__always)
  package var isInRealTime: Bool { _read { yield box.contents.isInRealTime } }
  @inlinable @inline(__always)
  package var virtualTime: SourceRange? { _read { yield box.contents.virtualTime } }
  @inlinable @inline(__always)
  package var hasMachineClock: Bool { _read { yield box.contents.hasMachineClock } }
  /// True if its programs are in virtual time.
  package var hasVirtualPrograms: Bool { virtualTime != nil && !hasMachineClock }
  @inlinable @inline(__always)
  package var clock: ClockPlan { _read { yield box.contents.clock } }
  @inlinable @inline(__always)
  package var seed: Int? { _read { yield box.contents.seed } }
  @inlinable @inline(__always)
  package var sweep: SweepPlan { _read { yield box.contents.sweep } }
  @inlinable @inline(__always)
  package var traces: TracesPlan { _read { yield box.contents.traces } }
  @inlinable @inline(__always)
  package var disturbances: [Disturbance] { _read { yield box.contents.disturbances } }
  @inlinable @inline(__always)
  package var sources: Table<SourcePlan> { _read { yield box.contents.sources } }
  @inlinable @inline(__always)
  package var isUnasked: PerID<SourcePlan, Bool> { _read { yield box.contents.isUnasked } }
  @inlinable @inline(__always)
  package var isForgotten: PerID<SourcePlan, Bool> { _read { yield box.contents.isForgotten } }
  @inlinable @inline(__always)
  package var followed: [SourceID] { _read { yield box.contents.followed } }
  @inlinable @inline(__always)
  package var kept: Set<SourceID> { _read { yield box.contents.kept } }
  @inlinable @inline(__always)
  package var nodes: Table<NodePlan> { _read { yield box.contents.nodes } }
  @inlinable @inline(__always)
  package var observedNodes: [NodeID] { _read { yield box.contents.observedNodes } }
  @inlinable @inline(__always)
  package var reactors: Table<ReactorPlan> { _read { yield box.contents.reactors } }
  @inlinable @inline(__always)
  package var actions: Table<ActionPlan> { _read { yield box.contents.actions } }
  @inlinable @inline(__always)
  package var follows: [FollowPlan] { _read { yield box.contents.follows } }
  @inlinable @inline(__always)
  package var starts: [ActionID] { _read { yield box.contents.starts } }
  @inlinable @inline(__always)
  package var endpoints: Table<EndpointPlan> { _read { yield box.contents.endpoints } }
  @inlinable @inline(__always)
  package var providers: Table<ProviderPlan> { _read { yield box.contents.providers } }
  @inlinable @inline(__always)
  package var databases: Table<DatabasePlan> { _read { yield box.contents.databases } }
  @inlinable @inline(__always)
  package var lists: Table<ListPlan> { _read { yield box.contents.lists } }
  @inlinable @inline(__always)
  package var connections: Table<ConnectionPlan> { _read { yield box.contents.connections } }
  @inlinable @inline(__always)
  package var streams: Table<StreamPlan> { _read { yield box.contents.streams } }
  @inlinable @inline(__always)
  package var programs: Table<ProgramPlan> { _read { yield box.contents.programs } }
  @inlinable @inline(__always)
  package var requires: [String] { _read { yield box.contents.requires } }
  @inlinable @inline(__always)
  package var declaredSources: Table<DeclaredSourcePlan> {
    _read { yield box.contents.declaredSources }
  }
  @inlinable @inline(__always)
  package var invariants: Table<InvariantPlan> { _read { yield box.contents.invariants } }
  @inlinable @inline(__always)
  package var reorder: Microseconds? { _read { yield box.contents.reorder } }
  @inlinable @inline(__always)
  package var scripts: Table<ScriptPlan> { _read { yield box.contents.scripts } }
  @inlinable @inline(__always)
  package var assertions: Table<AssertionPlan> { _read { yield box.contents.assertions } }
  @inlinable @inline(__always)
  package var slots: Table<SlotPlan> { _read { yield box.contents.slots } }
  @inlinable @inline(__always)
  package var variables: Table<VariablePlan> { _read { yield box.contents.variables } }
  @inlinable @inline(__always)
  package var variableNames: [String] { _read { yield box.contents.variableNames } }
  @inlinable @inline(__always)
  package var parameters: [ParameterPlan] { _read { yield box.contents.parameters } }
  @inlinable @inline(__always)
  package var columns: Table<ColumnPlan> { _read { yield box.contents.columns } }
  @inlinable @inline(__always)
  package var rows: [RowPlan] { _read { yield box.contents.rows } }
  @inlinable @inline(__always)
  package var captures: Table<CapturePlan> { _read { yield box.contents.captures } }
  @inlinable @inline(__always)
  package var steps: FramePlan { _read { yield box.contents.steps } }
  @inlinable @inline(__always)
  package var finally: FramePlan? { _read { yield box.contents.finally } }
  @inlinable @inline(__always)
  package var snapshots: SnapshotFiles { _read { yield box.contents.snapshots } }
  @inlinable @inline(__always)
  package var secrets: [String] { _read { yield box.contents.secrets } }
  @inlinable @inline(__always)
  package var literalSecrets: [String] { _read { yield box.contents.literalSecrets } }
  @inlinable @inline(__always)
  package var computedSecrets: Set<String> { _read { yield box.contents.computedSecrets } }
  @inlinable @inline(__always)
  package var secretMatchers: [SecretMatcherPlan] { _read { yield box.contents.secretMatchers } }
  @inlinable @inline(__always)
  package var secretNames: [String: String] { _read { yield box.contents.secretNames } }
  @inlinable @inline(__always)
  package var secretShapes: [String: Value] { _read { yield box.contents.secretShapes } }
  @inlinable @inline(__always)
  package var setup: SourceRange? { _read { yield box.contents.setup } }
  @inlinable @inline(__always)
  package var setupValues: [(name: String, value: Value)] {
    _read { yield box.contents.setupValues }
  }
  @inlinable @inline(__always)
  package var unsetNames: [String] { _read { yield box.contents.unsetNames } }
  @inlinable @inline(__always)
  package var configurationFiles: Int { _read { yield box.contents.configurationFiles } }
  @inlinable @inline(__always)
  package var publicValues: [Value] { _read { yield box.contents.publicValues } }
  @inlinable @inline(__always)
  package var secretVariables: Set<String> { _read { yield box.contents.secretVariables } }
  @inlinable @inline(__always)
  package var hasFollowers: Bool { _read { yield box.hasFollowers } }
}
