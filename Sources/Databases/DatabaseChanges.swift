import CSQLite

/// The data that decides whether a commit may have changed the database.
struct DatabaseChanges {
  /// The number of times that the data may have changed.
  var version = 0
  /// SQLite's count of changed rows when the last transaction ended.
  var rows: Int64 = 0
  /// SQLite's number that grows with the commits of other connections.
  var others = 0
  /// The file, if others can write to it.
  var file: UnsafeMutablePointer<sqlite3_file>?
  /// The file's head at the last check for other connections.
  var head: FileHead?
  /// The numbers in the file's head that grow with commits that change no rows.
  var marks: [Int] = []
  private var questions: [String: OpaquePointer] = [:]

  mutating func finalize() {
    for question in questions.values { sqlite3_finalize(question) }
    questions = [:]
  }

  /// Returns the number of a pragma; its statement is compiled once.
  mutating func number(_ pragma: String, of handle: OpaquePointer) -> Result<Int, SQLiteCode> {
    if questions[pragma] == nil {
      var question: OpaquePointer?
      let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
      let code = sqlite3_prepare_v3(handle, pragma, -1, flags, &question, nil)
      guard code == SQLITE_OK, let question else { return .failure(SQLiteCode(number: code)) }
      questions[pragma] = question
    }
    let question = questions[pragma]
    defer { sqlite3_reset(question) }
    let code = sqlite3_step(question)
    guard code == SQLITE_ROW else { return .failure(SQLiteCode(number: code)) }
    return .success(Int(sqlite3_column_int64(question, 0)))
  }
}

/// A result code other than success.
struct SQLiteCode: Error {
  let number: Int32
}

extension Database {
  /// A number that grows whenever a commit of any connection may have changed the data. A rollback
  /// never changes it. It is cheap to read.
  ///
  /// Commits of other connections are not seen while a transaction of this connection is open, or
  /// while the file is locked; they are seen afterwards.
  package var version: Int {
    guard let file = changes.file, sqlite3_get_autocommit(handle) != 0 else {
      return changes.version
    }
    let head = FileHead(file)
    if head == nil || head != changes.head, (try? lookForOthers()) != nil { changes.head = head }
    return changes.version
  }

  /// Checks whether another connection has committed.
  func lookForOthers() throws(DatabaseFailure) {
    guard let handle else { return }
    switch changes.number("PRAGMA data_version", of: handle) {
    case .failure(let code): throw failure(code.number)
    case .success(changes.others): break
    case .success(let number):
      changes.others = number
      changes.version += 1
    }
  }

  /// Ends a statement's run and checks what it has committed.
  func settle(after statement: DatabaseStatement) {
    statement.reset()
    // Inside a transaction, nothing is committed yet.
    guard let handle, sqlite3_get_autocommit(handle) != 0 else { return }
    let rows = sqlite3_total_changes64(handle)
    let hasRows = rows != changes.rows
    changes.rows = rows
    guard watch.hasCommitted else { return }
    watch.hasCommitted = false
    guard hasRows || marksHaveChanged(handle) else { return }
    changes.version += 1
    onCommit?()
  }

  /// Returns whether a commit without changed rows changed something else, such as the schema.
  func marksHaveChanged(_ handle: OpaquePointer) -> Bool {
    let pragmas = ["PRAGMA schema_version", "PRAGMA user_version", "PRAGMA application_id"]
    let marks = pragmas.compactMap { try? changes.number($0, of: handle).get() }
    defer { changes.marks = marks }
    return marks != changes.marks || marks.count < pragmas.count
  }
}
