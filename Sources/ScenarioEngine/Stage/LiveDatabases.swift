import Databases
import Events
import Publishers
import ScenarioPlan
import Values

/// The databases of one run, and the queries that are asked again when data changed.
final class LiveDatabases {
  private unowned let run: ScenarioRun
  private var databases: [Database?] = []
  /// By database: the version of the data that live queries know.
  private var versions: [Int] = []
  /// By database: in the order of subscribing.
  private var queries: [[LiveQuery]] = []

  init(_ run: ScenarioRun) { self.run = run }

  /// Opens everything and runs what sets it up.
  func open() {
    for plan in run.plan.databases {
      let database = open(plan)
      databases.append(database)
      versions.append(database?.version ?? 0)
      queries.append([])
    }
  }

  private func open(_ plan: DatabasePlan) -> Database? {
    let path = run.initialValue(of: plan.path).plainText
    var chance = run.chance.stream("sqlite " + plan.name)
    let world = DatabaseWorld(
      now: { [unowned run] in run.plan.clock.advanced(by: run.scheduler.now) },
      random: { chance.next() })
    let isFile = path != ":memory:"
    let opened = Database.open(isFile ? resolve(path, in: plan.folder) : path, world: world)
    switch opened {
    case .failure(let failure):
      fail(plan, failure)
      return nil
    case .success(let database):
      guard let setup = plan.setup else { return database }
      if case .failure(let failure) = database.execute(script: setup) { fail(plan, failure) }
      return database
    }
  }

  private func fail(_ plan: DatabasePlan, _ failure: DatabaseFailure) {
    let reference = StepReference(verb: "databases", range: plan.range, branch: 0, turns: [])
    run.fail(.stepFailed(reference, message: "\(plan.name): \(failure.message)"))
  }

  func invalidate() {
    for query in queries.joined() { query.leave() }
    queries = []
    for database in databases { database?.close() }
    databases = []
  }

  func run(
    _ statement: StatementPlan, in slots: RunSlots
  ) -> Result<DatabaseRows, StatementFailure> {
    guard let database = databases[statement.database] else { return .failure(.notOpen) }
    do throws(EvaluationFailure) {
      let parameters: DatabaseParameters
      switch statement.with {
      case .positional(let values):
        var bound: [Value] = []
        for value in values { bound.append(try evaluate(value, in: slots).get()) }
        parameters = bound.isEmpty ? .none : .positional(bound)
      case .named(let values):
        var bound: [(String, Value)] = []
        for (name, value) in values { bound.append((name, try evaluate(value, in: slots).get())) }
        parameters = bound.isEmpty ? .none : .named(bound)
      }
      return database.run(statement.text, parameters).mapError { .failed($0) }
    } catch {
      return .failure(.evaluation(error))
    }
  }

  // MARK: - live queries

  /// Asks live queries again whose database was written to, by whomever; true if there was any.
  func lookForChanges() -> Bool {
    var hasChanged = false
    for (id, database) in databases.enumerated() where !queries[id].isEmpty {
      guard let database, database.version != versions[id] else { continue }
      versions[id] = database.version
      for query in queries[id] { run.after(0, phase: .source) { query.ask() } }
      hasChanged = true
    }
    return hasChanged
  }

  /// The rows of a query, and those it has whenever they are others.
  func rows(of statement: StatementPlan, _ provider: ProviderID, _ locals: [Value])
    -> ValuePublisher
  {
    Deferred { [unowned self] in
      let query = LiveQuery(run, statement, provider, locals)
      queries[statement.database].append(query)
      run.after(0, phase: .completion) { query.ask() }
      return query.answers.handleEvents(receiveCancel: { [unowned self] in forget(query) })
    }.eraseToAnyPublisher()
  }

  private func forget(_ query: LiveQuery) {
    query.leave()
    for id in queries.indices { queries[id].removeAll { $0 === query } }
  }
}

/// Why a statement gave no rows.
enum StatementFailure: Error {
  case evaluation(EvaluationFailure)
  case failed(DatabaseFailure)
  /// Opening the database failed before.
  case notOpen

  var message: String {
    switch self {
    case .evaluation(let failure): failure.message
    case .failed(let failure): failure.message
    case .notOpen: "the database could not be opened"
    }
  }

  /// As a `catch` or a list sees it.
  var error: Value {
    switch self {
    case .failed(let failure):
      ["message": .string(failure.message), "code": .string(failure.code)]
    case .evaluation, .notOpen: ["message": .string(message)]
    }
  }
}

/// A query that is asked again when the data may have changed, and tells only other rows.
private final class LiveQuery {
  private unowned let run: ScenarioRun
  private let statement: StatementPlan
  private let provider: ProviderID
  private let locals: [Value]
  let answers = PassthroughSubject<Value, StreamFailure>()
  private var last: Value?
  private var isOver = false

  init(_ run: ScenarioRun, _ statement: StatementPlan, _ provider: ProviderID, _ locals: [Value]) {
    self.run = run
    self.statement = statement
    self.provider = provider
    self.locals = locals
  }

  func leave() { isOver = true }

  func ask() {
    guard !isOver else { return }
    switch run.databases.run(statement, in: RunSlots(run, locals)) {
    case .failure(let failure): end(failure.error)
    case .success(let rows): tell(.list(rows.rows))
    }
  }

  private func tell(_ rows: Value) {
    guard rows != last else { return }
    last = rows
    switch run.selection(of: provider, ["json": rows], else: rows, locals) {
    case .success(let value): run.change { answers.send(value) }
    case .failure(let failure): end(failure.value)
    }
  }

  private func end(_ error: Value) {
    isOver = true
    run.change { answers.send(completion: .failure(StreamFailure(value: error))) }
  }
}

extension ScriptRun {
  func sql(_ statements: [StatementPlan], _ step: StepPlan) -> Flow {
    for statement in statements {
      switch run.databases.run(statement, in: RunSlots(run, locals)) {
      case .success: continue
      case .failure(.evaluation(let failure)): return .fails(scriptFailure(failure))
      case .failure(let failure):
        let name = run.plan.databases[statement.database].name
        var result = cannot(step, "\(name): \(failure.message)")
        result.error = failure.error
        return .fails(result)
      }
    }
    _ = run.databases.lookForChanges()
    return .next
  }
}
