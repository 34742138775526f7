import CSQLite
import Values

/// A SQLite database in memory or in a file, with the clock and the random numbers of a scenario.
///
/// One thread at a time may use it. It never waits: a lock of another connection is a failure at
/// once. The world's functions and SQL functions must not use the database.
package final class Database {
  /// The path of the file, or `:memory:`.
  package let path: String
  /// A callback after each commit of this connection that may have changed the data. No statement
  /// runs then, so it may use the database.
  package var onCommit: (() -> Void)?

  var handle: OpaquePointer?
  let fileSystem: WorldFileSystem
  let watch = StatementWatch()
  var statements = StatementCache()
  var changes = DatabaseChanges()

  init(path: String, handle: OpaquePointer, fileSystem: WorldFileSystem) {
    self.path = path
    self.handle = handle
    self.fileSystem = fileSystem
  }

  deinit { close() }

  /// Closes the connection and rolls back uncommitted changes. A second call does nothing.
  package func close() {
    guard let handle else { return }
    statements.removeAll()
    changes.finalize()
    changes.file = nil
    // A statement may still run when `onCommit` closes the database.
    sqlite3_close_v2(handle)
    self.handle = nil
  }

  /// Executes several statements and stops at the first that fails; rows are ignored.
  ///
  /// Statements before the failure stay done, and a transaction that was begun stays open.
  package func execute(script: String) -> Result<Void, DatabaseFailure> {
    Result { () throws(DatabaseFailure) in
      try check(script)
      let bytes = Array(script.utf8CString)
      var start = 0
      while start < bytes.count - 1 {
        let (statement, end) = try prepare(bytes, from: start, kept: false)
        if let statement { try run(statement, in: bytes, from: start) }
        start = end
      }
    }
  }

  private func run(
    _ statement: DatabaseStatement, in script: [CChar], from start: Int
  ) throws(DatabaseFailure) {
    defer { settle(after: statement) }
    do throws(DatabaseFailure) {
      try statement.bind(.none)
      watch.beginStatement()
      while try step(statement) {}
    } catch {
      var placed = located(error)
      placed.offset = start + (error.offset ?? script[start...].prefix { isSpace($0) }.count)
      throw placed
    }
  }

  /// Executes one statement with values for its parameters, and returns its rows as maps from
  /// column to value.
  package func run(
    _ statement: String, _ parameters: DatabaseParameters = .none
  ) -> Result<DatabaseRows, DatabaseFailure> {
    Result { () throws(DatabaseFailure) in
      let statement = try cached(statement)
      defer { settle(after: statement) }
      do throws(DatabaseFailure) {
        try statement.bind(parameters)
        return try rows(of: statement)
      } catch {
        throw located(error)
      }
    }
  }

  private func cached(_ text: String) throws(DatabaseFailure) -> DatabaseStatement {
    if let known = statements[text] { return known }
    try check(text)
    let bytes = Array(text.utf8CString)
    var (first, end) = try prepare(bytes, from: 0, kept: true)
    while end < bytes.count - 1 {
      // The rest may be invalid before the first statement ran, and still is a statement.
      guard let (other, next) = try? prepare(bytes, from: end, kept: false),
        other == nil || first == nil
      else { throw refusal("this is more than one statement; give each on its own") }
      first = first ?? other
      end = next
    }
    guard let first else { throw refusal("there is no statement in this text") }
    statements.insert(first, for: text)
    return first
  }

  /// Moves to the next row; returns false if no job is left.
  func step(_ statement: DatabaseStatement) throws(DatabaseFailure) -> Bool {
    switch sqlite3_step(statement.pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case SQLITE_INTERRUPT where watch.isExhausted:
      throw refusal(
        "the statement took more than \(DatabaseLimits.steps) steps and was stopped",
        code: "SQLITE_INTERRUPT")
    case let code: throw failure(code)
    }
  }

  private func check(_ text: String) throws(DatabaseFailure) {
    if handle == nil { throw refusal("the database is closed") }
    if text.utf8.contains(0) { throw refusal("a statement has no NUL character") }
    if text.utf8.count > DatabaseLimits.statementBytes {
      throw refusal(
        "a statement has at most \(DatabaseLimits.statementBytes) bytes", code: "SQLITE_TOOBIG")
    }
  }

  func refusal(_ message: String, code: String = "SQLITE_MISUSE") -> DatabaseFailure {
    DatabaseFailure(message, code: code, path: path)
  }

  /// Returns SQLite's error for the call that has just failed.
  func failure(_ code: Int32) -> DatabaseFailure {
    guard let handle else { return refusal("the database is closed") }
    let offset = sqlite3_error_offset(handle)
    return DatabaseFailure(
      messageOfSQLite(handle, code), code: resultCodeName(code),
      offset: offset < 0 ? nil : Int(offset), path: path)
  }

  private func located(_ failure: DatabaseFailure) -> DatabaseFailure {
    var located = failure
    located.path = path
    return located
  }
}

private func isSpace(_ letter: CChar) -> Bool { letter == 32 || (9...13).contains(letter) }
