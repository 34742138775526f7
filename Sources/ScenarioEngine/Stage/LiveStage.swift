import CEL
import Events
import GraphCore
import ScenarioPlan
import Secrets
import Values
import World

/// The live objects of one run: nodes and what observes them, variables, counts.
final class LiveStage {
  let graph = Graph()
  @exclusivity(unchecked) private var eventCounts: PerID<SourcePlan, Int>
  /// The events of the sources that expressions count by a condition.
  @exclusivity(unchecked) private var events: [SourceID: [Value]] = [:]
  /// The last event of each source; nodes hold their values themselves.
  @exclusivity(unchecked) private var lastEvents: PerID<SourcePlan, Value>
  /// The last event of each source that computed nodes read, as a node, so that they follow it;
  /// empty if there are none.
  @exclusivity(unchecked) private var followed: PerID<SourcePlan, Stored<Value>?> = []
  @exclusivity(unchecked) private(set) var variables: PerID<VariablePlan, Value> = []
  @exclusivity(unchecked) private var nodes: PerID<NodePlan, GraphNode<Value>> = []
  @exclusivity(unchecked) private var stored: PerID<NodePlan, Stored<Value>?> = []
  private var observers: [AnyCancellable] = []

  private let shared: SharedPlan
  /// The plan's own, held here, since they are asked for with each read.
  private let slots: Table<SlotPlan>
  var plan: ScenarioPlan { shared.plan }
  private let row: RowPlan?
  private let runChance: SeededRandom
  /// The origin of the random numbers of expressions, and those of each expression so far. Most
  /// runs draw none, so it is made when the first is drawn.
  private lazy var chance = runChance.stream("expressions of \(plan.title), row \(row?.id ?? "")")
  @exclusivity(unchecked) private var randoms: [Int: SeededRandom] = [:]
  private let judge: any Judge
  private let scheduler: Scheduler
  /// The calendar time at virtual time 0.
  private let beginning: Timestamp

  /// Returns what `now()` gave in the trace that is replayed.
  var recordedNow: (() -> Timestamp?)?
  /// Returns the address of an endpoint where programs run.
  var address: ((EndpointID, AddressKind) -> Value)?
  /// Returns the port of a program.
  var port: ((ProgramID) -> Value)?
  /// Returns the temporary folder of a program.
  var temp: ((ProgramID) -> Value)?
  /// Receives what an expression has computed from secrets, once for each text.
  var onComputedSecrets: (([String], String) -> Void)?
  private var computedSecrets: Set<Value> = []
  /// Receives what `now()` gave; nil unless a run in real time is recorded.
  var onNow: ((Timestamp) -> Void)?

  init(
    _ shared: SharedPlan, row: RowPlan?, _ judge: any Judge, in world: RunWorld,
    _ chance: SeededRandom
  ) {
    self.shared = shared
    slots = shared.plan.slots
    self.row = row
    self.judge = judge
    runChance = chance
    scheduler = world.scheduler
    let machine = world.machineTime.map { Timestamp(seconds: 0).advanced(by: $0) }
    beginning = shared.plan.clock.beginning(machine: machine)
    eventCounts = PerID(repeating: 0, for: shared.plan.sources)
    lastEvents = PerID(repeating: .null, for: shared.plan.sources)
  }

  /// The filter for all secrets that are known by now.
  var secretMask: SecretMask? { judge.secretMask }

  /// Notes what an expression has computed from secrets.
  func note(computedSecrets texts: [String], named name: String) {
    let new = texts.filter { computedSecrets.insert(.string($0)).inserted }
    if !new.isEmpty { onComputedSecrets?(new, name) }
  }

  /// Evaluates the variables. Returns the secret values that only this run knows.
  func evaluateVariables(_ supervisor: ScriptSupervisor) -> [Value] {
    var secret: [Value] = []
    if let row { secret = shared.plan.secretValues(of: row) }
    if shared.plan.variables.isEmpty { return secret }
    let reader = ValueReader(self)
    for variable in shared.plan.variables {
      let value = supervisor.value(of: variable.value, in: reader) ?? .null
      variables.append(value)
      if variable.isSecret { secret.append(value) }
    }
    return secret
  }

  /// Makes everything with its values at the start; from here on changes are events.
  func build(
    _ emitter: SourceEmitter, _ supervisor: ScriptSupervisor,
    playedBy subjects: (any StageSubjects)? = nil
  ) {
    let reader = ValueReader(self)
    let initial = { (data: DataPlan) in supervisor.value(of: data, in: reader) ?? .null }
    followSources()
    for source in plan.declaredSources { setLastEvent(initial(source.initial), of: source.source) }
    for source in plan.programs.flatMap(\.sources) {
      setLastEvent(initial(source.initial), of: source.source)
    }
    // Held here, since each way to them through the plan counts references.
    let planned = plan.nodes
    nodes.reserveCapacity(planned.count)
    stored.reserveCapacity(planned.count)
    for (id, node) in planned.withIDs {
      if let value = subjects?.beginning(of: id) {
        add(graph.stored(value, name: node.name))
      } else {
        make(node, reader, initial)
      }
    }
    let observed = plan.observedNodes
    observers.reserveCapacity(observed.count)
    for id in observed { observe(id, planned[id].source, emitter) }
  }

  private func followSources() {
    guard !plan.followed.isEmpty else { return }
    followed = PerID(repeating: nil, for: plan.sources)
    for source in plan.followed { followed[source] = graph.stored(.null) }
  }

  private func add(_ node: Stored<Value>) {
    nodes.append(node)
    stored.append(node)
  }

  private func make(
    _ node: NodePlan, _ reader: ValueReader, _ value: (DataPlan) -> Value
  ) {
    switch node.rule {
    case .stored(let initial), .model(let initial):
      add(graph.stored(value(initial), name: node.name))
    case .latest(_, _, let initial):
      add(graph.stored(initial.map(value) ?? .null, name: node.name))
    case .computed(let rule):
      nodes.append(
        graph.computed(name: node.name) { _ in
          switch evaluate(rule, in: reader) {
          case .success(let value): value
          case .failure(let failure): failureValue(failure.message)
          }
        })
      stored.append(nil)
    }
  }

  private func observe(_ id: NodeID, _ source: SourceID, _ emitter: SourceEmitter) {
    observers.append(
      graph.observe(nodes[id], initial: false) { [unowned emitter] value in
        emitter.emit(source, value)
      })
  }

  func invalidate() {
    onNow = nil
    recordedNow = nil
    address = nil
    port = nil
    temp = nil
    observers = []
    nodes = []
    stored = []
    followed = []
  }

  /// The calendar time. All that reads the time in a run reads it here.
  var now: Timestamp { beginning.advanced(by: scheduler.now) }

  // MARK: - reading and writing

  func value(of node: NodeID) -> Value { nodes[node].value }

  /// Returns the current value of a slot for a script with these locals.
  func value(of slot: SlotID, locals: [Value], branch: BranchID) -> Value {
    switch slots[slot] {
    case .node(let node): nodes[node].value
    case .variable(let number): variables[number]
    case .column(let number): row?.values[number] ?? .null
    case .capture(let capture): judge.capture(capture, in: branch) ?? .null
    case .local(let local): locals[local.index]
    case .matched: .null
    case .now: .timestamp(readNow())
    case .eventCount(let source): .int(eventCounts[source])
    case .events(let source): .list(events[source] ?? [])
    case .lastEvent(let source): lastEvent(of: source)
    case .recomputes(let node): .int(recomputes(of: node))
    case .address(let endpoint, let kind): address?(endpoint, kind) ?? .null
    case .port(let program): port?(program) ?? .null
    case .temp(let program): temp?(program) ?? .null
    case .drawn(let number): .int(randomNumber(for: number))
    }
  }

  /// Draws a random number for an expression. Each has a stream of its own, so that one more draw
  /// in one place leaves all others as they are.
  private func randomNumber(for expression: Int) -> Int {
    var random = randoms[expression] ?? chance.stream("expression \(expression)")
    defer { randoms[expression] = random }
    return Int(truncatingIfNeeded: random.next())
  }

  /// Returns whether a capture has a value in a branch.
  func isCaptured(_ slot: SlotID, in branch: BranchID) -> Bool {
    guard case .capture(let capture) = plan.slots[slot] else { return true }
    return judge.capture(capture, in: branch) != nil
  }

  /// Reads the clock for an expression, which a recording notes.
  private func readNow() -> Timestamp {
    let now = recordedNow?() ?? now
    onNow?(now)
    return now
  }

  /// Returns the last event of a source that is no node.
  func lastEvent(of source: SourceID) -> Value {
    if !followed.isEmpty, let node = followed[source] { return node.value }
    return lastEvents[source]
  }

  func setLastEvent(_ value: Value, of source: SourceID) {
    if !followed.isEmpty, let node = followed[source] {
      node.set(value)
    } else {
      lastEvents[source] = value
    }
  }

  /// Counts an event, and keeps it if an expression counts such events by a condition.
  func count(_ value: Value, of source: SourceID) {
    eventCounts[source] += 1
    if !plan.kept.isEmpty, plan.kept.contains(source) { events[source, default: []].append(value) }
  }

  func isComputed(_ node: NodeID) -> Bool { stored[node] == nil }

  func recomputes(of node: NodeID) -> Int { graph.recomputeCount(of: nodes[node]) }

  /// Writes as one change: each node emits at most once, when all is written.
  func write(_ writes: [(node: NodeID, value: Value)]) {
    if writes.count == 1 {
      stored[writes[0].node]?.set(writes[0].value)
      return
    }
    graph.transaction {
      for write in writes { stored[write.node]?.set(write.value) }
    }
  }
}

/// Returns the value that stands for an error.
func failureValue(_ message: String) -> Value {
  ["error": ["message": .string(message)]]
}
