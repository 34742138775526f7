import CEL
import Diagnostics
import ScenarioSpec
import Secrets
import Values

/// A scenario made ready to run. Nothing behind it knows YAML, and nothing is looked up by name.
///
/// It is one reference, so that its many holders copy a pointer and not each table.
/// `PlanContents` describes the parts.
package struct ScenarioPlan: Sendable {
  @usableFromInline let box: Box

  package init(_ contents: consuming PlanContents) { box = Box(contents) }

  /// Returns a plan that differs from this one.
  package func changed(_ change: (inout PlanContents) -> Void) -> ScenarioPlan {
    var contents = box.contents
    change(&contents)
    return ScenarioPlan(contents)
  }

  package static let defaultTimeout: Microseconds = 5_000_000

  @usableFromInline final class Box: Sendable {
    @usableFromInline let contents: PlanContents
    /// True if anything on the stage follows sources.
    @usableFromInline let hasFollowers: Bool
    // The forms in which secrets are found are made once for all runs of a plan.
    let secretMask: SecretMask
    let namedSecrets: NamedSecrets

    init(_ contents: consuming PlanContents) {
      hasFollowers = contents.hasFollowers
      secretMask = SecretMask(contents.secrets + contents.literalSecrets)
      namedSecrets = NamedSecrets(contents.secrets, names: contents.secretNames)
      self.contents = contents
    }
  }
}

/// The calendar time at which a scenario begins.
package enum ClockPlan: Sendable, Equatable {
  /// The machine's with real endpoints and where others connect; otherwise the same in every run.
  case usual
  /// The machine's in every world.
  case machine
  case fixed(Timestamp)

  /// Whether the scenario begins at the machine's time, in a world that usually does or does not.
  package func isMachines(usually: Bool) -> Bool {
    switch self {
    case .usual: usually
    case .machine: true
    case .fixed: false
    }
  }

  /// Returns the calendar time of the beginning in a world that gives the machine's, or none.
  package func beginning(machine: Timestamp?) -> Timestamp {
    switch self {
    case .usual, .machine: machine ?? ClockPlan.defaultBeginning
    case .fixed(let time): time
    }
  }

  /// 2000-01-01T00:00:00Z.
  private static let defaultBeginning = Timestamp(seconds: 946_684_800)
}

/// A plan behind one reference, so that its holders copy one pointer and not each table.
package final class SharedPlan: Sendable {
  package let plan: ScenarioPlan
  /// True if anything on the stage follows sources.
  package var hasFollowers: Bool { plan.hasFollowers }

  package init(_ plan: ScenarioPlan) { self.plan = plan }
}

package typealias SourceID = ID<SourcePlan>
package typealias NodeID = ID<NodePlan>
package typealias ReactorID = ID<ReactorPlan>
package typealias ActionID = ID<ActionPlan>
package typealias EndpointID = ID<EndpointPlan>
package typealias ProviderID = ID<ProviderPlan>
package typealias ScriptID = ID<ScriptPlan>
package typealias AssertionID = ID<AssertionPlan>
package typealias DeclaredSourceID = ID<DeclaredSourcePlan>
package typealias SlotID = ID<SlotPlan>
package typealias VariableID = ID<VariablePlan>
package typealias CaptureID = ID<CapturePlan>
package typealias ColumnID = ID<ColumnPlan>
package typealias LocalID = ID<LocalPlan>
package typealias MarkID = ID<MarkPlan>

/// Something with a name that emits events.
package struct SourcePlan: Sendable {
  package enum Kind: Sendable {
    case node(NodeID)
    /// The requests and messages of an endpoint.
    case endpoint(EndpointID)
    /// The named events of one reactor.
    case reactorEvents(ReactorID)
    /// The named events of all that a component holds.
    case componentEvents
    /// All named events of the run.
    case allEvents
    case stream(StreamID)
    /// The events that a client received.
    case connection(ConnectionID)
    /// The state of the network: `online` or `offline`.
    case connectivity
    /// The output of a program, or its end.
    case program(ProgramID, ProgramSourceKind)
    /// A source that only a trace feeds.
    case declared(DeclaredSourceID)
  }

  package var name: String
  package var kind: Kind
  package var range: SourceRange
}

/// The value that a slot of a compiled expression reads.
package enum SlotPlan: Sendable, Hashable {
  case node(NodeID)
  case variable(VariableID)
  /// A column of the row that is run.
  case column(ColumnID)
  case capture(CaptureID)
  /// A parameter, a payload, a loop's item: something only the running script has.
  case local(LocalID)
  /// The value that a matcher compares (`value`).
  case matched
  case now
  case eventCount(SourceID)
  /// All events of a source so far, for `count` with a condition.
  case events(SourceID)
  /// The last event of a source; null before the first.
  case lastEvent(SourceID)
  case recomputes(NodeID)
  /// The address of an endpoint, where programs run.
  case address(EndpointID, AddressKind)
  /// A free port that the run found for a program.
  case port(ProgramID)
  /// The temporary folder that the run has made for a program.
  case temp(ProgramID)
  /// A random number, another one each time it is read. Each expression that needs one has its own.
  case drawn(Int)
}

/// The worlds that a scenario chooses for its endpoints.
package struct WorldsPlan: Sendable {
  package var others: WorldName?
  package var endpoints: [EndpointID: WorldName] = [:]

  /// True if others may connect to the endpoints, which then have addresses.
  package var haveAddresses = false

  /// True if every endpoint is in the world that the command line names.
  package var choosesNothing: Bool { others == nil && endpoints.isEmpty }
}

/// A variable whose value has to be worked out at the start of each run.
package struct VariablePlan: Sendable {
  package var name: String
  package var value: DataPlan
  package var isSecret: Bool
}

/// The value of a component's parameter.
package struct ParameterPlan: Sendable {
  package enum Content: Sendable {
    case fixed(Value)
    /// Each row of the scenario's table has its own.
    case column(ColumnID)
  }

  /// With the name of the component's use: `license.grace`.
  package var name: String
  package var content: Content

  /// Returns the value for a row of the table.
  package func value(in row: RowPlan?) -> Value {
    switch content {
    case .fixed(let value): value
    case .column(let column): row?.values[column] ?? .null
    }
  }
}

/// A value kept by `$as` for later steps.
package struct CapturePlan: Sendable {
  package var name: String
  package var isSecret = false
  /// The parts of its value that expressions read, each as its fields from outside to inside.
  package var partsRead: [[String]] = []
  /// The first place that captures it.
  package var range: SourceRange = .none
}

/// The local values of a running script: a parameter, a payload, the item of a loop. A frame has
/// their number, so the plan has no table of them.
package enum LocalPlan {}

/// A name that `mark` gives to an event, for `since`. Entries know their marks by number alone.
package enum MarkPlan {}

/// A column of the table of cases.
package struct ColumnPlan: Sendable {
  package var name: String
  package var isSecret = false
  /// True if it has the cells of another column as they are written, for places of text.
  package var isSpelling = false

  package init(name: String) { self.name = name }
}

/// One row of the table: values for `columns`, in their order.
package struct RowPlan: Sendable {
  package var id: String
  package var values: PerID<ColumnPlan, Value>
  package var range: SourceRange

  package init(id: String, values: PerID<ColumnPlan, Value>, range: SourceRange) {
    self.id = id
    self.values = values
    self.range = range
  }
}

/// A compiled expression and where its text stands.
package final class ExpressionPlan: Sendable {
  package let origin: ExpressionText
  package let program: CELProgram
  /// The captures that it fails without.
  package let captures: [CaptureRead]
  /// How to find out what the result shows of secrets; nil if it reads none.
  package let derivation: SecretDerivation?

  package init(
    origin: ExpressionText, program: CELProgram, captures: [CaptureRead] = [],
    derivation: SecretDerivation? = nil
  ) {
    self.origin = origin
    self.program = program
    self.captures = captures
    self.derivation = derivation
  }

  /// The same expression, in which a capture without a value is null.
  var takingMissingAsNull: ExpressionPlan {
    ExpressionPlan(origin: origin, program: program, derivation: derivation)
  }
}

/// A capture that an expression reads, and the place where it is captured.
package struct CaptureRead: Sendable {
  package var slot: SlotID
  package var name: String
  package var range: SourceRange
}

/// A value with its expressions compiled.
package struct DataPlan: Sendable {
  package enum Content: Sendable {
    case constant(Value)
    case expression(ExpressionPlan)
    case text([TextPartPlan])
    case list([DataPlan])
    case map([(key: Value, value: DataPlan)])
    /// A map with expressions in its keys.
    case keyedMap([(key: DataPlan, value: DataPlan)])
    /// A value that a mock sends, and the matcher that a real endpoint is compared by.
    indirect case example(DataPlan, MatcherPlan)
  }

  package var content: Content
  package var range: SourceRange
  /// True in a place of text: a number or a truth value becomes its text.
  package var isText = false

  package init(_ content: Content, _ range: SourceRange) {
    self.content = content
    self.range = range
  }
}

package enum TextPartPlan: Sendable {
  case literal(String)
  case expression(ExpressionPlan)
}
