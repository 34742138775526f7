import Databases
import Glibc
import JSONCoding
@_exported import Lists
import Publishers
import RealSchedulers
import Values
import World

/// A SQLite database whose queries are asked again when the data has changed.
///
/// ```swift
/// let database = try LiveDatabase("tasks.sqlite")
/// let tasks = ListModel(dataProvider: database.query(Task.self, "SELECT id, title FROM tasks"))
/// try await database.execute("INSERT INTO tasks (title) VALUES (?)", ["Water the plants"])
/// ```
public actor LiveDatabase {
  private let database: Database
  private let polls: Bool
  private var version: Int
  private var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
  private var lastWatcher = 0
  private var polling: Task<Void, Never>?

  /// The time between two looks for changes that other connections make to the file.
  public static let pollInterval = Duration.milliseconds(200)

  /// Opens a file, which is made if it is missing, or a database in memory.
  public init(_ path: String = ":memory:") throws(SQLiteError) {
    var seed: UInt64 = 0
    _ = getentropy(&seed, MemoryLayout<UInt64>.size)
    var random = SeededRandom(seed: seed)
    let world = DatabaseWorld(
      now: {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(seconds: time.tv_sec, nanoseconds: Int32(time.tv_nsec))
      }, random: { random.next() })
    do throws(DatabaseFailure) {
      let opened = try Database.open(path, world: world).get()
      // Data of programs survives a power failure.
      try opened.execute(script: "PRAGMA synchronous = FULL").get()
      database = opened
    } catch {
      throw SQLiteError(error)
    }
    polls = path != ":memory:"
    version = database.version
  }

  /// Executes one statement with values for its parameters. Queries that read what it changed are
  /// asked again.
  public func execute(_ statement: String, _ parameters: [SQLiteValue] = []) throws(SQLiteError) {
    _ = try run(statement, parameters)
  }

  /// Executes several statements, such as a schema. It stops at the first that fails.
  public func execute(script: String) throws(SQLiteError) {
    defer { lookForChanges() }
    if case .failure(let failure) = database.execute(script: script) { throw SQLiteError(failure) }
  }

  /// Returns the rows of a query, each as a value of a type with a property for each column. Throws
  /// a `SQLiteError`, or a `DecodingError` for a row that does not fit.
  public func rows<Row: Decodable & Sendable>(
    _ type: Row.Type = Row.self, _ query: String, _ parameters: [SQLiteValue] = []
  ) throws -> [Row] {
    try run(query, parameters).map { try decodeJSON(type, from: $0) }
  }

  /// Makes a provider of a query's rows. It gives them at once, and again when a commit, also of
  /// another process, has changed them.
  public nonisolated func query<
    Row: Decodable & Sendable, Scheduler: PublisherScheduler & Sendable
  >(
    _ type: Row.Type, _ query: String, _ parameters: [SQLiteValue] = [],
    on scheduler: Scheduler = MainScheduler.mainActor
  ) -> DataProvider<Row, ProviderError> {
    DataProvider {
      TaskPublisher(scheduler: scheduler) { [self] emit in
        var last: [Value]?
        for await _ in await changes() {
          guard let rows = try await present(query, parameters), rows != last else { continue }
          last = rows
          emit(try rows.map { try decodeJSON(type, from: $0) })
        }
      }
    }
  }
}

// Changes.
extension LiveDatabase {
  private func run(
    _ statement: String, _ parameters: [SQLiteValue]
  ) throws(SQLiteError) -> [Value] {
    defer { lookForChanges() }
    let values: DatabaseParameters =
      parameters.isEmpty ? .none : .positional(parameters.map(\.value))
    switch database.run(statement, values) {
    case .success(let rows): return rows.rows
    case .failure(let failure): throw SQLiteError(failure)
    }
  }

  /// Returns the rows; nil if another connection has locked the file, which is looked at again.
  private func present(
    _ query: String, _ parameters: [SQLiteValue]
  ) throws(SQLiteError) -> [Value]? {
    do throws(SQLiteError) {
      return try run(query, parameters)
    } catch {
      guard error.code.hasPrefix("SQLITE_BUSY"), polls else { throw error }
      version = -1
      return nil
    }
  }

  /// Returns a sequence with an element now, and one after each change.
  private func changes() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    lastWatcher += 1
    let number = lastWatcher
    watchers[number] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { await self?.forget(number) }
    }
    continuation.yield()
    if polls, polling == nil { startPolling() }
    return stream
  }

  private func forget(_ number: Int) {
    watchers[number] = nil
    guard watchers.isEmpty else { return }
    polling?.cancel()
    polling = nil
  }

  /// Looks at the file again and again, for as long as somebody has the database.
  private func startPolling() {
    polling = Task { [weak self] in
      let clock = ContinuousClock()
      while (try? await clock.sleep(for: LiveDatabase.pollInterval)) != nil {
        guard let self else { return }
        await self.lookForChanges()
      }
    }
  }

  private func lookForChanges() {
    let present = database.version
    guard present != version else { return }
    version = present
    for watcher in watchers.values { watcher.yield() }
  }
}

/// A value of SQLite.
public enum SQLiteValue: Sendable, Equatable {
  case null
  case integer(Int)
  case real(Double)
  case text(String)
  case blob([UInt8])

  fileprivate var value: Value {
    switch self {
    case .null: .null
    case .integer(let number): .int(number)
    case .real(let number): .double(number)
    case .text(let text): .string(text)
    case .blob(let bytes): .bytes(bytes)
    }
  }
}

extension SQLiteValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByNilLiteral
{
  /// Makes an integer.
  public init(integerLiteral value: Int) { self = .integer(value) }
  /// Makes a floating-point number.
  public init(floatLiteral value: Double) { self = .real(value) }
  /// Makes a text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// Makes a null.
  public init(nilLiteral: ()) { self = .null }
}

/// An error of a database.
public struct SQLiteError: ProviderErrorCause, Sendable, Equatable, CustomStringConvertible {
  /// SQLite's name of the error, such as `SQLITE_CONSTRAINT_UNIQUE`.
  public var code: String
  /// One sentence about the error.
  public var description: String

  public var kindOfProviderError: ProviderError.Kind { .databaseError }

  init(_ failure: DatabaseFailure) {
    code = failure.code
    description = failure.message
  }
}
