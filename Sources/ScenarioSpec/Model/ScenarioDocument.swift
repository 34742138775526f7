import Diagnostics
import Values

/// One scenario as its author wrote it. Each part has a type and its place in the file.
@dynamicMemberLookup
package struct ScenarioDocument: Sendable {
  package var title: Located<String>
  package var description: String?
  package var tags: [Located<String>] = []
  /// The reason why the scenario does not run.
  package var skip: Located<String>?
  /// The worlds that the scenario runs in; empty means all of them.
  package var only: [WorldName] = []
  package var against = WorldsSpec()
  /// The longest time for each awaited entry of an expectation.
  package var timeout: Located<Microseconds>?
  /// True if the scenario runs in real time.
  package var isInRealTime = false
  /// The place that asks for virtual time, which its programs have then as well.
  package var virtualTime: SourceRange?
  /// The calendar time at virtual time 0; nil leaves it to the world.
  package var clock: ClockSpec?
  package var seed: Located<Int>?
  package var sweep: SweepSpec?
  package var traces = TracesSpec()
  /// The names of what goes wrong in each run.
  package var disturbances: [Located<String>] = []
  /// The programs that must be installed.
  package var requires: [Located<String>] = []
  /// How much later than a line with a later time a line of a trace may come.
  package var reorder: Microseconds?
  /// The rows of a table. The scenario runs once for each; the columns are variables.
  package var cases: [CaseSpec] = []
  package var stage = StageSpec()
  package var steps: ScriptSpec = ScriptSpec(range: .none, steps: [])
  package var finally: ScriptSpec?
  /// The names that set-ups capture, and that the scenario names.
  package var setupNames: [SetupName] = []
  /// True if a step includes a file. Most scenarios need not be searched for one.
  package var includesFiles = false
  /// The whole document, from its first key to its end.
  package var range: SourceRange

  package init(title: Located<String>, range: SourceRange) {
    self.title = title
    self.range = range
  }

  package subscript<Part>(dynamicMember part: WritableKeyPath<StageSpec, Part>) -> Part {
    get { stage[keyPath: part] }
    set { stage[keyPath: part] = newValue }
  }
}

extension ScenarioDocument {
  /// Puts the steps of a file in place of those behind the first ones.
  package mutating func goOn(after kept: Int, withStepsOf file: String) {
    let first = Array(steps.steps.prefix(kept))
    let place = first.last?.range ?? title.range
    let include = IncludeSpec(path: Located(file, place), with: [], place: .scenario)
    let step = StepSpec(
      kind: .include(include), verb: Located(Key.include.rawValue, place), range: place)
    steps.steps = first + [step]
    includesFiles = true
  }
}

/// A world, by the name that it has on the command line.
package enum WorldName: String, Sendable, CaseIterable {
  case mock, sockets, real, trace
}

/// The worlds that a scenario chooses, unless the command line does.
package struct WorldsSpec: Sendable {
  /// The world of the endpoints that are not named.
  package var others: WorldName?
  package var endpoints: [(name: Located<String>, world: WorldName)] = []
}

/// The calendar time at which a scenario begins.
package enum ClockSpec: Sendable, Equatable {
  /// That of the machine.
  case machine
  case fixed(Timestamp)

  static let machineWord = "now"
}

/// A value and its place in the file.
package struct Located<Value: Sendable>: Sendable {
  package var value: Value
  package var range: SourceRange

  package init(_ value: Value, _ range: SourceRange) {
    self.value = value
    self.range = range
  }
}

/// A constant of the scenario. A secret one is masked in all that leaves the process.
package struct VariableSpec: Sendable {
  package var name: Located<String>
  package var value: DataSpec
  package var isSecret: Bool

  package init(name: Located<String>, value: DataSpec, isSecret: Bool = false) {
    self.name = name
    self.value = value
    self.isSecret = isSecret
  }
}

/// One row of a scenario's table.
package struct CaseSpec: Sendable {
  /// The name of the row in reports: its column `id`, or its number, from 1.
  package var id: String
  package var columns: [(name: Located<String>, value: Value)]
  /// The cells that would be written in another way, as they are written, by their columns.
  package var spellings: [String: String] = [:]
  /// The names of the columns whose values are masked.
  package var secretColumns: Set<String> = []
  package var range: SourceRange

  /// Returns the value of a column. It nearly always has the same index in all rows.
  package func value(of column: String, near place: Int) -> Value? {
    if columns.indices.contains(place), columns[place].name.value == column {
      return columns[place].value
    }
    return columns.first { $0.name.value == column }?.value
  }
}

/// A node of the state graph.
package struct NodeSpec: Sendable {
  package enum Rule: Sendable {
    case stored(DataSpec)
    case computed(ExpressionText)
    /// The latest event of a source, or the value of an expression over it.
    case latest(Located<String>, of: ExpressionText?, initial: DataSpec?)
  }

  package var name: Located<String>
  package var rule: Rule
  /// True for a parameter of a component: the rule reads the stage that uses it.
  package var isGivenByUse = false

  package init(name: Located<String>, rule: Rule) {
    self.name = name
    self.rule = rule
  }
}

/// A field of a reactor: writing it from outside sends an action.
package struct BindingSpec: Sendable {
  package var field: Located<String>
  package var action: Located<String>
  /// True if the field also gets what was written, before the action runs.
  package var keeps = false
}

/// State and the actions that change it.
package struct ReactorSpec: Sendable {
  package var name: Located<String>
  package var state: [(name: Located<String>, initial: DataSpec)] = []
  package var bindings: [BindingSpec] = []
  package var actions: [ActionSpec] = []
  package var follows: [FollowSpec] = []
  /// The action that is sent before the first step.
  package var start: Located<String>?

  package init(name: Located<String>) { self.name = name }
}

/// A source whose events send an action.
package struct FollowSpec: Sendable {
  package var source: Located<String>
  package var action: Located<String>
  /// The source that ends it with its first event.
  package var until: Located<String>?
  /// True if the value at the start sends the action too.
  package var sendsInitial = false
}

/// The script of a reactor for one kind of message.
package struct ActionSpec: Sendable {
  package enum Policy: Sendable {
    /// Each send starts a run.
    case plain
    /// Starting again cancels the run under way with this id.
    case inFlight(DataSpec)
    /// Starting again waits for the run under way with this id.
    case join(DataSpec)
    /// Starting again waits until all runs with this id before it have ended.
    case queue(DataSpec)
  }

  package var name: Located<String>
  package var parameters: [Located<String>] = []
  package var policy: Policy = .plain
  /// True if runs end with the reactor's life cycle.
  package var endsWithLifecycle = false
  package var steps: ScriptSpec
}

/// A named origin of data.
package struct ProviderSpec: Sendable {
  package enum Origin: Sendable {
    case items(DataSpec)
    case request(RequestSpec)
    /// A JSON file.
    case file(DataSpec)
    /// A query. A live one runs again each time its result may have changed.
    case query(StatementSpec, isLive: Bool)
    case stream(Located<String>)
  }

  package var name: Located<String>
  package var parameters: [Located<String>] = []
  package var origin: Origin
  /// The provided value; `response` is in scope. Without it, the value is the body.
  package var value: DataSpec?
  /// The policy for repeating a failed request.
  package var retry: RequestRetry?
}

/// An HTTP request to an endpoint.
package struct RequestSpec: Sendable {
  package typealias Body = BodySpec

  package enum Cookies: Sendable {
    /// No cookies, not even those that the endpoint has set before.
    case none
    /// Cookies besides those that the endpoint has set.
    case given([NamedData])
  }

  package enum Authorization: Sendable {
    case basic(user: DataSpec, password: DataSpec)
    case bearer(DataSpec)
  }

  package var endpoint: Located<String>
  /// The method, in lower or upper case.
  package var method: DataSpec
  package var path: DataSpec
  package var query: [(name: Located<String>, value: DataSpec)] = []
  package var headers: [(name: Located<String>, value: DataSpec)] = []
  package var body: Body = .none
  package var authorization: Authorization?
  package var cookies: Cookies?
  /// The session that sends it; nil for the one that all clients of the scenario share.
  package var session: DataSpec?
  /// The most redirects that are followed; nil for the default of its place.
  package var redirects: Int?
  package var timeout: Located<Microseconds>?
}
