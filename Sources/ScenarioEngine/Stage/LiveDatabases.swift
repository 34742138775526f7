import Databases
import Events
import Publishers
import ScenarioPlan
import Values
import World

/// The databases of one run, and the queries that are asked again when data changed.
final class LiveDatabases {
  private let run: RunParts
  private var databases: PerID<DatabasePlan, Database?> = []
  /// The version of each database's data that live queries know.
  private var versions: PerID<DatabasePlan, Int> = []
  /// The live queries of each database, in the order of subscribing.
  private var queries: PerID<DatabasePlan, [LiveQuery]> = []

  init(_ run: RunParts) { self.run = run }

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
    let value = run.supervisor.value(of: plan.path, in: ValueReader(run.stage)) ?? .null
    let path = value.plainText
    var chance = run.chance.stream("sqlite " + plan.name)
    let world = DatabaseWorld(
      now: { [stage = run.stage] in stage.now },
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
    let reference = StepReference(verb: "databases", range: plan.range, branch: .main, turns: [])
    run.supervisor.fail(.stepFailed(reference, message: "\(plan.name): \(failure.message)"))
  }

  func invalidate() {
    for query in queries.joined() { query.invalidate() }
    queries = []
    for database in databases { database?.close() }
    databases = []
  }

  func run(
    _ statement: StatementPlan, in slots: ValueReader
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
    for (id, database) in databases.withIDs where !queries[id].isEmpty {
      guard let database, database.version != versions[id] else { continue }
      versions[id] = database.version
      for query in queries[id] { run.loop.after(0, phase: .source) { query.ask() } }
      hasChanged = true
    }
    return hasChanged
  }

  /// The rows of a query, and those it has whenever they are others; `select` picks what of them
  /// is given.
  func rows(
    of statement: StatementPlan, _ locals: [Value],
    select: @escaping (Value) -> Result<Value, StreamFailure>
  ) -> ValuePublisher {
    Deferred { [unowned self] in
      let query = LiveQuery(self, statement, locals, select)
      queries[statement.database].append(query)
      run.loop.after(0, phase: .completion) { query.ask() }
      return query.answers.handleEvents(receiveCancel: { [unowned self] in remove(query) })
    }.eraseToAnyPublisher()
  }

  fileprivate func change(_ body: () -> Void) { run.emitter.change(body) }

  fileprivate func run(
    _ statement: StatementPlan, _ locals: [Value]
  ) -> Result<DatabaseRows, StatementFailure> {
    run(statement, in: ValueReader(run.stage, locals))
  }

  private func remove(_ query: LiveQuery) {
    query.invalidate()
    for id in queries.indices { queries[id].removeAll { $0 === query } }
  }
}

/// The reason why a statement gave no rows.
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

  /// The error as a `catch` or a list receives it.
  var error: Value {
    switch self {
    case .failed(let failure):
      ["message": .string(failure.message), "code": .string(failure.code)]
    case .evaluation, .notOpen: ["message": .string(message)]
    }
  }
}

/// A query that runs again when the data may have changed, and emits only rows that differ.
private final class LiveQuery {
  private unowned let databases: LiveDatabases
  private let statement: StatementPlan
  private let locals: [Value]
  private let select: (Value) -> Result<Value, StreamFailure>
  let answers = PassthroughSubject<Value, StreamFailure>()
  private var last: Value?
  private var isOver = false

  init(
    _ databases: LiveDatabases, _ statement: StatementPlan, _ locals: [Value],
    _ select: @escaping (Value) -> Result<Value, StreamFailure>
  ) {
    self.databases = databases
    self.statement = statement
    self.locals = locals
    self.select = select
  }

  func invalidate() { isOver = true }

  func ask() {
    guard !isOver else { return }
    switch databases.run(statement, locals) {
    case .failure(let failure): end(failure.error)
    case .success(let rows): notify(.list(rows.rows))
    }
  }

  private func notify(_ rows: Value) {
    guard rows != last else { return }
    last = rows
    switch select(rows) {
    case .success(let value): databases.change { answers.send(value) }
    case .failure(let failure): end(failure.value)
    }
  }

  private func end(_ error: Value) {
    isOver = true
    databases.change { answers.send(completion: .failure(StreamFailure(value: error))) }
  }
}

extension ScriptRun {
  func sql(_ statements: [StatementPlan], _ step: StepPlan) -> Flow {
    for statement in statements {
      switch run.suppliers.databases.run(statement, in: ValueReader(run.stage, locals)) {
      case .success: continue
      case .failure(.evaluation(let failure)): return .fails(scriptFailure(failure))
      case .failure(let failure):
        let name = run.plan.databases[statement.database].name
        var result = cannot(step, "\(name): \(failure.message)")
        result.error = failure.error
        return .fails(result)
      }
    }
    _ = run.suppliers.databases.lookForChanges()
    return .next
  }
}
