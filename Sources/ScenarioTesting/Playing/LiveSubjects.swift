import ConnectionLoops
import Diagnostics
import Events
import Publishers
import ScenarioEngine
import ScenarioPlan
import Values
import VirtualTime

/// The Swift objects of one run, made for the parts that they play.
@MainActor
final class LiveSubjects: @preconcurrency StageSubjects {
  let plan: ScenarioPlan
  let world: SubjectWorld
  private(set) var reactors: [ReactorID: any PlayedReactor] = [:]
  private var providers: [ProviderID: @MainActor (ValueMap) async throws -> Value] = [:]
  private var endpoints:
    [EndpointID: @MainActor (EndpointRequest) async throws -> EndpointResponse] =
      [:]
  private(set) var sources: [SourceID: @MainActor (SourceFeed) -> AnyCancellable] = [:]
  private(set) var lists: [ListID: any PlayedList] = [:]
  private(set) var connections: [ConnectionID: PlayedConnection] = [:]
  /// The objects that have a state, each once.
  private var stateful: [any PlayedReactor] = []
  private(set) var components = PlayedComponents()
  /// The members of states that the scenario reads, in its order.
  private(set) var members: [PlayedMember] = []
  private var tokens: [AnyCancellable] = []
  /// True while the objects show what they begin with, which is no event.
  private var isBeginning = false
  private var activities: [SubjectActivity] = []
  /// The binding of each part, by its kind and name.
  private var owners: [String: Binding] = [:]

  /// Makes the objects. What they do at once waits for the run.
  init(_ bindings: [Binding], _ plan: ScenarioPlan, row: RowPlan?, seed: Int) {
    self.plan = plan
    world = SubjectWorld(plan, row: row, seed: seed)
    for binding in bindings { add(binding) }
    let single = reactors.filter { !components.reactors.contains($0.key) }
    for (number, reactor) in single.sorted(by: { $0.key < $1.key }) {
      stateful.append(reactor)
      members += plan.members(of: number).map { PlayedMember(reactor: reactor, $0) }
    }
  }

  private func add(_ binding: Binding) {
    let part = binding.make(SubjectContext(world: world, part: binding.name))
    let name = binding.name
    let feeds = world.takeFeeds()
    for id in feeds.keys.sorted() { claim("source `\(plan.sources[id].name)`", binding) }
    sources.merge(feeds) { $1 }
    guard claim("\(binding.kind.rawValue) `\(name)`", binding) else { return }
    switch part {
    case .component(let object): add(object, playing: name, binding)
    case .reactor(let reactor):
      if let id = find(name, "reactor", plan.reactors.map(\.name)) { reactors[ID(id)] = reactor }
    case .provider(let provide):
      if let id = find(name, "provider", plan.providers.map(\.name)) { providers[ID(id)] = provide }
    case .endpoint(let answer):
      if let id = find(name, "endpoint", plan.endpoints.map(\.name)) { endpoints[ID(id)] = answer }
    case .list(let list):
      if let id = find(name, "list", plan.lists.map(\.name)) { lists[ID(id)] = list }
    case .connection(let client):
      let known = plan.connections.map(\.name)
      if let id = find(name, "connection", known) { connections[ID(id)] = client }
    case .source(let feed):
      let known = plan.sources.map { $0.isFeedable ? $0.name : "" }
      if let id = find(name, "stream or source", known) { sources[ID(id)] = feed }
    }
  }

  /// Notes who plays a part, which may be only one object. Returns whether this is the first.
  @discardableResult
  private func claim(_ part: String, _ binding: Binding) -> Bool {
    if let first = owners[part] {
      world.report(.boundTwice(part, first, binding, in: plan))
      return false
    }
    owners[part] = binding
    return true
  }

  private func add(
    _ object: any PlayedReactor, playing component: String, _ binding: Binding
  ) {
    guard let parts = ComponentParts(of: component, in: plan) else {
      return world.report(
        .missing("component", component, of: plan.componentNames, for: nil, in: plan))
    }
    for reactor in parts.reactors {
      claim("reactor `\(plan.reactors[reactor].name)`", binding)
      reactors[reactor] = object
    }
    stateful.append(object)
    members += components.add(object, parts)
  }

  private func find(_ name: String, _ kind: String, _ known: [String]) -> Int? {
    if let found = known.firstIndex(of: name) { return found }
    let names = known.filter { !$0.isEmpty }
    world.report(.missing(kind, name, of: names, for: nil, in: plan))
    return nil
  }

  // MARK: - the course of a run

  func begin(on environment: SubjectEnvironment) {
    world.begin(on: environment) { [unowned self] in showStates() }
    compareBeginnings(environment)
    tokens += followConnections()
    for reactor in stateful {
      let own = members.indices.filter { members[$0].reactor === reactor }
      let token = reactor.follow { [unowned self] in show($0, in: own) }
      if let token { tokens.append(token) }
    }
    isBeginning = true
    for (id, list) in lists.sorted(by: { $0.key < $1.key }) {
      let nodes = plan.lists[id]
      tokens.append(list.follow { [unowned self] in show($0, in: nodes) })
    }
    isBeginning = false
    for (id, feed) in sources.sorted(by: { $0.key < $1.key }) {
      tokens.append(feed(SourceFeed(world: world, source: id)))
    }
    let executor = VirtualExecutor.shared
    executor.afterJob = { [unowned self] in MainActor.assumeIsolated { showStates() } }
    executor.use(
      JobQueue(
        now: { environment.now }, add: { environment.add($0) },
        schedule: { environment.schedule(at: $0, $1) }, cancel: { environment.cancel($0) }))
  }

  func end() {
    for activity in activities { activity.task?.cancel() }
    for list in lists.values { list.cancel() }
    tokens = []
    world.close()
  }

  func failures(hasFailed: Bool) -> [SubjectFailure] {
    let isContinued =
      VirtualExecutor.shared.wasContinuedFromOutside || world.wasUsedFromOutside
    if isContinued, activities.isEmpty {
      return [.continuedOutside(nil, "a Swift object", at: plan.range)]
    }
    return activities.filter { isContinued || (hasFailed && $0.marks.waits == 0) }.map {
      isContinued
        ? .continuedOutside($0.name, $0.by, at: $0.range)
        : .waitsOutside($0.name, $0.by, at: $0.range)
    }
  }

  // MARK: - reactors

  func plays(_ reactor: ReactorID) -> Bool { reactors[reactor] != nil }

  func perform(
    _ action: ActionID, _ payload: Value, onEnd: @escaping () -> Void
  ) -> SubjectAction {
    let plan = plan.actions[action]
    guard let reactor = reactors[plan.reactor] else { return SubjectAction() }
    do {
      switch try reactor.prepare(components.actions[action] ?? plan.shortName, payload) {
      case .immediate(let perform):
        perform()
        showStates()
        onEnd()
        return SubjectAction()
      case .waiting(let perform):
        let name = "the action `\(plan.name)`"
        return start(name, "`\(reactor.typeName)`", plan.range, perform, then: onEnd)
      }
    } catch {
      world.environment?.fail(.payload(of: plan, "\(error)", reactor))
      onEnd()
      return SubjectAction()
    }
  }

  func governs(_ reactor: ReactorID) -> Bool { components.reactors.contains(reactor) }

  func endLifecycle(of reactor: ReactorID) { reactors[reactor]?.endLifecycle() }

  /// Starts something in a task of its own, whose waits are counted.
  func start(
    _ name: String, _ by: String, _ range: SourceRange,
    _ body: @escaping @MainActor () async -> Void,
    then onEnd: @escaping () -> Void
  ) -> SubjectAction {
    let activity = SubjectActivity(name: name, by: by, range: range)
    activities.append(activity)
    activity.task = VirtualExecutor.shared.startTask { [weak self] in
      await VirtualActivity.$current.withValue(activity.marks) {
        await ClientWaits.$counter.withValue(activity.marks) { await body() }
      }
      // After the run, nobody is left who waits for the end.
      guard let self, world.environment != nil else { return }
      activities.removeAll { $0 === activity }
      showStates()
      onEnd()
    }
    return SubjectAction { activity.task?.cancel() }
  }

  // MARK: - the other parts

  func plays(_ provider: ProviderID) -> Bool { providers[provider] != nil }
  func plays(_ endpoint: EndpointID) -> Bool { endpoints[endpoint] != nil }
  func plays(_ stream: StreamID) -> Bool { sources[plan.streams[stream].source] != nil }
  func plays(_ list: ListID) -> Bool { lists[list] != nil }
  func refresh(_ list: ListID) { lists[list]?.refresh() }

  func call(
    _ provider: ProviderID, _ arguments: ValueMap,
    _ completion: @escaping (Result<Value, SubjectError>) -> Void
  ) -> SubjectAction {
    let plan = plan.providers[provider]
    guard let provide = providers[provider] else { return SubjectAction() }
    return perform(
      "the provider `\(plan.name)`", plan.range, { try await provide(arguments) },
      then: { completion($0) })
  }

  func answer(
    _ request: SubjectRequest, to endpoint: EndpointID,
    _ completion: @escaping (Result<SubjectResponse, SubjectError>) -> Void
  ) -> SubjectAction {
    let plan = plan.endpoints[endpoint]
    guard let answer = endpoints[endpoint] else { return SubjectAction() }
    let request = EndpointRequest(request)
    return perform(
      "the answer of `\(plan.name)`", plan.range, { try await answer(request).sent },
      then: { completion($0) })
  }

  private func perform<Success>(
    _ name: String, _ range: SourceRange, _ body: @escaping @MainActor () async throws -> Success,
    then completion: @escaping (Result<Success, SubjectError>) -> Void
  ) -> SubjectAction {
    let outcome = SubjectOutcome<Success>()
    return start(name, "a Swift function", range) {
      do { outcome.result = .success(try await body()) } catch {
        outcome.result = .failure(SubjectError(value: Value(reflecting: error)))
      }
    } then: {
      if let result = outcome.result { completion(result) }
    }
  }
}

/// The result of something, once there is one.
@MainActor
private final class SubjectOutcome<Success> {
  var result: Result<Success, SubjectError>?
}

/// Something that an object does, until it has ended.
@MainActor
final class SubjectActivity {
  let name: String
  let by: String
  let range: SourceRange
  let marks = VirtualActivity()
  var task: Task<Void, Never>?

  init(name: String, by: String, range: SourceRange) {
    self.name = name
    self.by = by
    self.range = range
  }
}

/// A field of a scenario's reactor, and the member of the Swift state that it shows.
@MainActor
struct PlayedMember {
  let reactor: any PlayedReactor
  let node: NodeID
  let name: String
  /// The value that was shown last.
  var shown = Value.null

  init(reactor: any PlayedReactor, _ member: (node: NodeID, name: String)) {
    self.reactor = reactor
    node = member.node
    name = member.name
  }
}

// What the scenario sees of the objects.
extension LiveSubjects {
  /// Compares the beginnings, and shows the Swift ones.
  private func compareBeginnings(_ environment: SubjectEnvironment) {
    for place in members.indices {
      let member = members[place]
      let written = environment.value(of: member.node)
      guard let actual = value(of: member.name, in: member.reactor.members) else { continue }
      members[place].shown = actual
      guard written != actual else { continue }
      environment.fail(
        .beginsDifferently(
          plan.nodes[member.node], written.display(maxLength: 60), actual.display(maxLength: 60),
          member.reactor))
    }
  }

  /// Shows the states as they are now.
  func showStates() {
    guard world.environment != nil else { return }
    for reactor in stateful {
      show(reactor.members, in: members.indices.filter { members[$0].reactor === reactor })
    }
  }

  /// Shows the members of a state as one change.
  private func show(_ state: [(name: String, value: Any)], in places: [Int]) {
    var writes: [(node: NodeID, value: Value)] = []
    for place in places {
      guard let value = value(of: members[place].name, in: state), members[place].shown != value
      else { continue }
      members[place].shown = value
      writes.append((members[place].node, value))
    }
    if !writes.isEmpty { world.environment?.write(writes) }
  }

  func value(of member: String, in state: [(name: String, value: Any)]) -> Value? {
    state.first { $0.name == member }.map { Value(reflecting: $0.value) }
  }

  private func show(_ list: ListValues, in plan: ListPlan) {
    let writes: [(node: NodeID, value: Value)] = [
      (plan.items, list.items), (plan.isLoading, list.isLoading), (plan.error, list.error),
      (plan.state, list.state), (plan.visual, list.visual),
    ]
    if isBeginning {
      world.environment?.begin(with: writes)
    } else {
      world.environment?.write(writes)
    }
  }
}
