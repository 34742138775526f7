import CSQLite
import Values

/// The result of a statement.
package struct DatabaseRows: Equatable, Sendable {
  /// The names of the columns, in order; all are different.
  package var columns: [String]
  /// The rows, each a map from column to value.
  package var rows: [Value]
  /// The number of rows that the statement inserted, changed or deleted; rows changed by triggers
  /// are not counted.
  package var changes: Int
  /// The row id of the last row this connection has inserted so far, 0 if none.
  package var lastInsertID: Int
}

extension Database {
  func rows(of statement: DatabaseStatement) throws(DatabaseFailure) -> DatabaseRows {
    try statement.readColumns()
    let before = sqlite3_total_changes64(handle)
    watch.beginStatement()
    var rows: [Value] = []
    var room = DatabaseLimits.resultBytes
    var goesOn = try step(statement)
    try statement.readColumns()
    while goesOn {
      guard rows.count < DatabaseLimits.rows else {
        throw refusal("a result has at most \(DatabaseLimits.rows) rows", code: "SQLITE_TOOBIG")
      }
      rows.append(row(of: statement, room: &room))
      if room < 0 {
        throw refusal(
          "a result has at most \(DatabaseLimits.resultBytes) bytes", code: "SQLITE_TOOBIG")
      }
      goesOn = try step(statement)
    }
    let changes = sqlite3_total_changes64(handle) == before ? 0 : sqlite3_changes64(handle)
    return DatabaseRows(
      columns: statement.columns.map(\.name), rows: rows, changes: Int(changes),
      lastInsertID: Int(sqlite3_last_insert_rowid(handle)))
  }

  private func row(of statement: DatabaseStatement, room: inout Int) -> Value {
    var row = ValueMap(minimumCapacity: statement.columns.count)
    for column in statement.columns {
      row.updateValue(value(of: column, in: statement.pointer, room: &room), forKey: column.key)
    }
    return .map(row)
  }

  private func value(
    of column: DatabaseColumn, in statement: OpaquePointer, room: inout Int
  ) -> Value {
    switch sqlite3_column_type(statement, column.index) {
    case SQLITE_INTEGER:
      let number = Int(sqlite3_column_int64(statement, column.index))
      return column.isTruth && (number == 0 || number == 1) ? .bool(number == 1) : .int(number)
    case SQLITE_FLOAT: return .double(sqlite3_column_double(statement, column.index))
    case SQLITE_TEXT:
      // The text must be read before its length.
      let start = sqlite3_column_text(statement, column.index)
      let count = Int(sqlite3_column_bytes(statement, column.index))
      room -= count
      return .string(
        String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
    case SQLITE_BLOB:
      let start = sqlite3_column_blob(statement, column.index)
      let count = Int(sqlite3_column_bytes(statement, column.index))
      room -= count
      return .bytes(Array(UnsafeRawBufferPointer(start: start, count: count)))
    default: return .null
    }
  }
}
