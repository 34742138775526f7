import CSQLite
import Values

/// A compiled statement, with the names of its parameters and the columns of its rows.
final class DatabaseStatement {
  let pointer: OpaquePointer
  /// Each parameter as it is written, such as `:name`; nil for a bare `?`.
  let parameters: [String?]
  private(set) var columns: [DatabaseColumn] = []
  /// SQLite's count of compilations of the statement when its columns were read.
  private var compilations: Int32 = -1

  init(_ pointer: OpaquePointer) {
    self.pointer = pointer
    parameters = (0..<sqlite3_bind_parameter_count(pointer)).map {
      sqlite3_bind_parameter_name(pointer, $0 + 1).map { String(cString: $0) }
    }
  }

  deinit { sqlite3_finalize(pointer) }

  /// Ends a run, and releases the bound values.
  func reset() {
    sqlite3_reset(pointer)
    if !parameters.isEmpty { sqlite3_clear_bindings(pointer) }
  }

  /// Reads the columns if they are not known, or if the schema has changed since.
  func readColumns() throws(DatabaseFailure) {
    let compilations = sqlite3_stmt_status(pointer, SQLITE_STMTSTATUS_REPREPARE, 0)
    guard compilations != self.compilations else { return }
    let columns = (0..<sqlite3_column_count(pointer)).map { DatabaseColumn(pointer, $0) }
    try refuseTwins(columns)
    self.columns = columns
    self.compilations = compilations
  }

  /// Refuses two columns with one name, because the map of a row would lose one.
  private func refuseTwins(_ columns: [DatabaseColumn]) throws(DatabaseFailure) {
    var seen: Set<Value> = []
    for column in columns where !seen.insert(column.key).inserted {
      throw DatabaseFailure(
        "the result has two columns `\(column.name)`; give one of them another name with AS",
        code: "SQLITE_ERROR")
    }
  }
}

/// A column of a result.
struct DatabaseColumn {
  let index: Int32
  let name: String
  /// The name as a key of maps, made once.
  let key: Value
  /// True if the column is declared BOOL or BOOLEAN, so that 0 and 1 are false and true.
  let isTruth: Bool

  init(_ statement: OpaquePointer, _ index: Int32) {
    self.index = index
    name = sqlite3_column_name(statement, index).map { String(cString: $0) } ?? ""
    key = .string(name)
    let type = sqlite3_column_decltype(statement, index).map { String(cString: $0) }
    isTruth = ["BOOL", "BOOLEAN"].contains(type?.uppercased())
  }
}

/// The most recently used statements, by their text.
struct StatementCache {
  private var statements: [Value: DatabaseStatement] = [:]
  private var order: [Value] = []

  subscript(text: String) -> DatabaseStatement? { statements[.string(text)] }

  /// Inserts a statement; a full cache drops the one that was compiled first.
  mutating func insert(_ statement: DatabaseStatement, for text: String) {
    if order.count == DatabaseLimits.statements { statements[order.removeFirst()] = nil }
    statements[.string(text)] = statement
    order.append(.string(text))
  }

  mutating func removeAll() {
    statements = [:]
    order = []
  }
}

extension Database {
  /// Compiles the next statement of a text that ends with NUL; nil if only spaces and comments are
  /// left before `end`.
  func prepare(
    _ text: [CChar], from start: Int, kept: Bool
  ) throws(DatabaseFailure) -> (statement: DatabaseStatement?, end: Int) {
    var statement: OpaquePointer?
    let flags = kept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    var end = text.count - 1
    let code = text.withUnsafeBufferPointer { text in
      var tail: UnsafePointer<CChar>?
      guard let base = text.baseAddress else { return SQLITE_MISUSE }
      let code = sqlite3_prepare_v3(
        handle, base + start, Int32(text.count - start), flags, &statement, &tail)
      if let tail { end = tail - base }
      return code
    }
    guard code == SQLITE_OK else {
      var failure = failure(code)
      failure.offset = failure.offset.map { $0 + start }
      throw failure
    }
    return (statement.map { DatabaseStatement($0) }, end)
  }
}
