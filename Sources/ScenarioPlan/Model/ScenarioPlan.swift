import CEL
import Diagnostics
import ScenarioSpec
import Values

/// A scenario made ready to run: flat tables with integer ids, compiled expressions, and a place in
/// the text beside each item. Nothing behind it knows YAML, and nothing is looked up by name.
package struct ScenarioPlan: Sendable {
  package var title: String
  package var description: String?
  package var tags: [String]
  package var skip: String?
  /// Where the scenario stands: its title.
  package var range: SourceRange
  /// From the first to the last byte of the document.
  package var extent: SourceRange
  package var timeout: Microseconds
  /// Whether it keeps to the clock on the wall even where its endpoints are mocks in memory.
  package var isInWallTime = false
  package var clock: Timestamp
  package var seed: Int?
  /// Everything that emits, in document order.
  package var sources: [SourcePlan] = []
  package var nodes: [NodePlan] = []
  /// The nodes that are observed, parents before children, else in document order.
  package var observedNodes: [NodeID] = []
  package var reactors: [ReactorPlan] = []
  package var actions: [ActionPlan] = []
  package var follows: [(source: SourceID, action: ActionID)] = []
  package var endpoints: [EndpointPlan] = []
  package var providers: [ProviderPlan] = []
  package var databases: [DatabasePlan] = []
  package var lists: [ListPlan] = []
  package var connections: [ConnectionPlan] = []
  package var streams: [StreamPlan] = []
  package var invariants: [InvariantPlan] = []
  package var scripts: [ScriptPlan] = []
  package var assertions: [AssertionPlan] = []
  /// What the slots of compiled expressions stand for.
  package var slots: [SlotPlan] = []
  package var variables: [VariablePlan] = []
  /// All variables that are declared, constant or not.
  package var variableNames: [String] = []
  package var columns: [String] = []
  package var rows: [RowPlan] = []
  package var captures: [String] = []
  package var steps: FramePlan = FramePlan(script: 0, localCount: 0)
  package var finally: FramePlan?
  package var snapshots = SnapshotFiles()
  /// Values that must not leave the process in clear text.
  package var secrets: [String] = []

  package init(title: String, range: SourceRange, extent: SourceRange) {
    self.title = title
    self.range = range
    self.extent = extent
    tags = []
    timeout = ScenarioPlan.defaultTimeout
    clock = ScenarioPlan.defaultClock
  }

  package static let defaultTimeout: Microseconds = 5_000_000
  /// 2000-01-01T00:00:00Z.
  package static let defaultClock = Timestamp(seconds: 946_684_800)
}

package typealias SourceID = Int
package typealias NodeID = Int
package typealias ReactorID = Int
package typealias ActionID = Int
package typealias EndpointID = Int
package typealias ProviderID = Int
package typealias ScriptID = Int
package typealias AssertionID = Int
package typealias CaptureID = Int
package typealias SlotID = Int
/// A place in the locals of a running script.
package typealias LocalID = Int

/// Something with a name that emits events.
package struct SourcePlan: Sendable {
  package enum Kind: Sendable {
    case node(NodeID)
    /// What an endpoint got.
    case endpoint(EndpointID)
    /// The named events of one reactor.
    case reactorEvents(ReactorID)
    /// The named events of all that a component holds.
    case componentEvents
    /// All named events of the run.
    case allEvents
    case stream(StreamID)
    /// What a client received.
    case connection(ConnectionID)
    /// Whether there is a network: `online` or `offline`.
    case connectivity
  }

  package var name: String
  package var kind: Kind
  package var range: SourceRange

  package init(name: String, kind: Kind, range: SourceRange) {
    self.name = name
    self.kind = kind
    self.range = range
  }
}

/// What a slot of a compiled expression reads.
package enum SlotPlan: Sendable, Hashable {
  case node(NodeID)
  case variable(Int)
  /// A column of the row that is run.
  case column(Int)
  case capture(CaptureID)
  /// A parameter, a payload, a loop's item: something only the running script has.
  case local(LocalID)
  /// The value a matcher looks at (`value`).
  case matched
  case now
  case eventCount(SourceID)
  /// What a source emitted last; null before it emitted anything.
  case lastEvent(SourceID)
  case recomputes(NodeID)
}

/// A variable whose value has to be worked out at the start of each run.
package struct VariablePlan: Sendable {
  package var name: String
  package var value: DataPlan
  package var isSecret: Bool

  package init(name: String, value: DataPlan, isSecret: Bool) {
    self.name = name
    self.value = value
    self.isSecret = isSecret
  }
}

/// One row of the table: values for `columns`, in their order.
package struct RowPlan: Sendable {
  package var id: String
  package var values: [Value]
  package var range: SourceRange

  package init(id: String, values: [Value], range: SourceRange) {
    self.id = id
    self.values = values
    self.range = range
  }
}

/// A compiled expression and where its text stands.
package struct ExpressionPlan: Sendable {
  package var origin: ExpressionText
  package var program: CELProgram

  package init(origin: ExpressionText, program: CELProgram) {
    self.origin = origin
    self.program = program
  }
}

/// A value with its expressions compiled.
package struct DataPlan: Sendable {
  package enum Content: Sendable {
    case constant(Value)
    indirect case expression(ExpressionPlan)
    case text([TextPartPlan])
    case list([DataPlan])
    case map([(key: Value, value: DataPlan)])
  }

  package var content: Content
  package var range: SourceRange

  package init(_ content: Content, _ range: SourceRange) {
    self.content = content
    self.range = range
  }
}

package enum TextPartPlan: Sendable {
  case literal(String)
  case expression(ExpressionPlan)
}
