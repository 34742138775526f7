import DataProviders
import Publishers
import Reactors
import Synchronization

/// The Swift objects that play parts of a scenario.
///
/// A part keeps its name in the scenario, and its events are judged as before. Only what it does
/// comes from the object:
///
/// ```swift
/// let stage = Stage()
/// stage.bind("catFacts") { CatFactsReactor(http: $0.http("api")) }
///
/// @Test(arguments: Scenarios(in: "scenarios/cat-facts"))
/// func `cat facts load`(_ scenario: Scenario) async { await stage.test(scenario) }
/// ```
///
/// Each run makes new objects. All that they await runs on the scenario's thread in virtual
/// time, on the main actor, one run at a time. A scenario without an object for a part plays it as
/// it is written.
public final class Stage: Sendable {
  private let made = Mutex<[Binding]>([])
  /// The seed of runs whose scenario has none.
  let seed: Int

  /// Makes a stage without objects. The seed is for scenarios without a seed.
  public init(seed: Int = 0) { self.seed = seed }

  /// The bindings, in the order in which they were made.
  var bindings: [Binding] { made.withLock { $0 } }

  /// Lets a Swift reactor play a reactor of the scenario.
  ///
  /// `send: catFacts.loadFact` performs the Swift action of this name. Each field under `state` is
  /// the member of the Swift state with this name. Actions are made by their names if their type
  /// is `Decodable`, `CaseIterable` or `ScenarioDecodable`.
  public func bind<R: Reactor>(
    _ reactor: String, file: String = #fileID, line: Int = #line,
    _ make: @escaping @MainActor @Sendable (SubjectContext) -> R
  ) {
    add(reactor, .reactor, file, line) { .reactor(PlayedReactorOf(make($0))) }
  }

  /// Lets a Swift reactor play a component that the scenario uses under this name.
  ///
  /// The reactor has the component's actions and nodes by the names that the scenario writes:
  /// `send: license.activate` performs `activate`, and a member `status` of the Swift state is
  /// the node `license.status`, whatever its rule. `set: { license.status: … }` performs
  /// `setStatus` with the value. The actions of the component's own reactors do not run; the rest
  /// stays as it is written: its endpoints, its streams, and the nodes that the Swift state lacks.
  public func bind<R: Reactor>(
    component: String, file: String = #fileID, line: Int = #line,
    _ make: @escaping @MainActor @Sendable (SubjectContext) -> R
  ) {
    add(component, .component, file, line) { .component(PlayedReactorOf(make($0))) }
  }

  /// Lets Swift code answer a provider of the scenario. It gets the arguments by name. Its result
  /// is what the provider provides, and its error is the error of the load.
  public func bind<Result>(
    provider: String, file: String = #fileID, line: Int = #line,
    _ provide: @escaping @MainActor @Sendable (SubjectContext, ValueMap) async throws -> Result
  ) {
    add(provider, .provider, file, line) { context in
      .provider { Value(reflecting: try await provide(context, $0)) }
    }
  }

  /// Lets Swift code answer the requests to an endpoint, in place of its routes. An error breaks
  /// the connection.
  public func bind(
    endpoint: String, file: String = #fileID, line: Int = #line,
    _ answer:
      @escaping @MainActor @Sendable (SubjectContext, EndpointRequest) async throws
      -> EndpointResponse
  ) {
    add(endpoint, .endpoint, file, line) { context in .endpoint { try await answer(context, $0) } }
  }

  /// Lets a Swift publisher emit the events of a stream, or of one of the scenario's `sources`.
  public func bind<P: Publisher>(
    source: String, file: String = #fileID, line: Int = #line,
    _ make: @escaping @MainActor @Sendable (SubjectContext) -> P
  ) {
    add(source, .source, file, line) { context in .source { feed(from: make(context), to: $0) } }
  }

  /// Lets a Swift sequence emit the events of a stream, or of one of the scenario's `sources`.
  public func bind<S: AsyncSequence>(
    source: String, file: String = #fileID, line: Int = #line,
    _ make: @escaping @MainActor @Sendable (SubjectContext) -> S
  ) {
    add(source, .source, file, line) { context in .source { feed(from: make(context), to: $0) } }
  }

  /// Lets a Swift list model play a list of the scenario.
  public func bind<Item, Failure>(
    list: String, file: String = #fileID, line: Int = #line,
    _ make: @escaping @MainActor @Sendable (SubjectContext) -> ListModel<Item, Failure>
  ) {
    add(list, .list, file, line) { .list(PlayedListOf(make($0))) }
  }

  func add(
    _ name: String, _ kind: Binding.Kind, _ file: String, _ line: Int,
    _ make: @escaping @MainActor @Sendable (SubjectContext) -> PlayedPart
  ) {
    made.withLock {
      $0.append(Binding(name: name, kind: kind, place: "\(file):\(line)", make: make))
    }
  }
}

/// The maker of an object for a part of the stage.
struct Binding: Sendable {
  enum Kind: String, Sendable {
    case reactor, component, provider, endpoint, source, list, connection
  }

  var name: String
  var kind: Kind
  /// The file and the line of `bind`.
  var place: String
  var make: @MainActor @Sendable (SubjectContext) -> PlayedPart
}

/// An object that plays a part.
enum PlayedPart {
  case reactor(any PlayedReactor)
  case component(any PlayedReactor)
  case provider(@MainActor (ValueMap) async throws -> Value)
  case endpoint(@MainActor (EndpointRequest) async throws -> EndpointResponse)
  /// Begins to emit, until the result is cancelled.
  case source(@MainActor (SourceFeed) -> AnyCancellable)
  case list(any PlayedList)
  case connection(PlayedConnection)
}
