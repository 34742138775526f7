import CSQLite
import Databases
import Glibc
import Testing
import Values

/// A world that stands still at the first second of the year 2000 and counts instead of guessing.
final class CountingWorld {
  var now = Timestamp(seconds: 946_684_800)
  private var number: UInt64 = 0

  var asWorld: DatabaseWorld {
    DatabaseWorld(now: { self.now }, random: { self.next() })
  }

  private func next() -> UInt64 {
    number &+= 0x9E37_79B9_7F4A_7C15
    return number
  }
}

/// A database that is open, made by a script.
func opened(
  _ path: String = ":memory:", _ script: String = "", world: CountingWorld = CountingWorld()
) throws -> Database {
  let database = try Database.open(path, world: world.asWorld).get()
  try database.execute(script: script).get()
  return database
}

extension Database {
  /// Executes a statement that is expected to succeed.
  @discardableResult
  func did(_ statement: String, _ parameters: DatabaseParameters = .none) throws -> DatabaseRows {
    try run(statement, parameters).get()
  }

  /// Returns the rows of a statement that is expected to succeed.
  func rows(_ statement: String, _ parameters: DatabaseParameters = .none) throws -> [Value] {
    try run(statement, parameters).get().rows
  }

  /// Returns the single value of a statement's single row.
  func value(_ expression: String, _ parameters: DatabaseParameters = .none) throws -> Value? {
    let rows = try rows("SELECT \(expression) AS value", parameters)
    return rows.first.flatMap { $0["value"] }
  }

  /// Returns why a statement fails; nil if it succeeds.
  func problem(_ statement: String, _ parameters: DatabaseParameters = .none) -> DatabaseFailure? {
    if case .failure(let failure) = run(statement, parameters) { failure } else { nil }
  }

  /// Returns the growth of `version` by a body.
  func growth(_ body: () throws -> Void) rethrows -> Int {
    let before = version
    try body()
    return version - before
  }
}

/// Another connection to a file, as another program would have it: SQLite without any shim.
final class Stranger {
  private var handle: OpaquePointer?

  init(_ path: String) throws {
    try #require(sqlite3_open(path, &handle) == SQLITE_OK)
  }

  deinit { sqlite3_close(handle) }

  func execute(_ script: String) throws {
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    try #require(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
  }
}
