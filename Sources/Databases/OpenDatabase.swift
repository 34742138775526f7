import CSQLite

extension Database {
  /// Opens `:memory:` or a file; a missing file is created.
  ///
  /// SQL never sees the machine's clock or randomness; `localtime` is UTC.
  package static func open(
    _ path: String, world: DatabaseWorld
  ) -> Result<Database, DatabaseFailure> {
    Result { () throws(DatabaseFailure) in
      guard !path.isEmpty, !path.utf8.contains(0) else {
        throw DatabaseFailure(
          path.isEmpty ? "a database needs a path or `:memory:`" : "a path has no NUL character",
          code: "SQLITE_CANTOPEN", path: path)
      }
      if let problem = csqlite_problem() {
        throw DatabaseFailure(
          "SQLite could not be loaded: \(String(cString: problem))", code: "SQLITE_INTERNAL",
          path: path)
      }
      guard let fileSystem = WorldFileSystem(world) else {
        throw DatabaseFailure("SQLite does not start", code: "SQLITE_INTERNAL", path: path)
      }
      let database = Database(
        path: path, handle: try connect(path, fileSystem), fileSystem: fileSystem)
      try database.prepareForWork()
      return database
    }
  }

  private static func connect(
    _ path: String, _ fileSystem: WorldFileSystem
  ) throws(DatabaseFailure) -> OpaquePointer {
    var handle: OpaquePointer?
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    // A path that begins with `file:` would be read as a URI, which can select another file system.
    let name = path.hasPrefix("file:") ? "./" + path : path
    let code = sqlite3_open_v2(name, &handle, flags, fileSystem.name)
    guard code == SQLITE_OK, let handle else {
      defer { sqlite3_close(handle) }
      let message = handle.map { messageOfSQLite($0, code) } ?? "out of memory"
      throw DatabaseFailure(message, code: resultCodeName(code), path: path)
    }
    return handle
  }

  /// Restricts SQL, and reads the file now: SQLite itself would do so only when it must.
  private func prepareForWork() throws(DatabaseFailure) {
    guard let handle else { return }
    csqlite_set_flag(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    csqlite_set_flag(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    csqlite_set_flag(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0)
    for (limit, value) in limits { sqlite3_limit(handle, limit, Int32(value)) }
    sqlite3_busy_timeout(handle, 0)
    let code = fileSystem.replaceFunctions(of: handle)
    guard code == SQLITE_OK else { throw failure(code) }
    watch.attach(to: handle)
    refuseWhatIsOutside(handle)
    try lookForOthers()
    if path != ":memory:" { changes.file = FileHead.file(of: handle) }
    _ = changes.number("PRAGMA max_page_count = \(DatabaseLimits.pages)", of: handle)
    // Waiting for the disk takes longer than everything else, and only a power failure would show
    // the difference.
    try execute(script: "PRAGMA synchronous = OFF").get()
    _ = marksHaveChanged(handle)
  }

  private var limits: [(Int32, Int)] {
    [
      (SQLITE_LIMIT_ATTACHED, 1), (SQLITE_LIMIT_WORKER_THREADS, 0),
      (SQLITE_LIMIT_LENGTH, DatabaseLimits.valueBytes),
      (SQLITE_LIMIT_SQL_LENGTH, DatabaseLimits.statementBytes),
      (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, DatabaseLimits.patternBytes),
    ]
  }

  /// Refuses statements that reach other files or change settings of the whole process.
  private func refuseWhatIsOutside(_ handle: OpaquePointer) {
    sqlite3_set_authorizer(
      handle,
      { _, action, name, _, _, _ in
        let text = name.map { String(cString: $0) }
        switch action {
        // VACUUM attaches a file without a name, which is allowed.
        case SQLITE_ATTACH: return text == "" ? SQLITE_OK : SQLITE_DENY
        case SQLITE_PRAGMA:
          return settingsOfTheProcess.contains(text?.lowercased() ?? "") ? SQLITE_DENY : SQLITE_OK
        default: return SQLITE_OK
        }
      }, nil)
  }
}

let reasonForRefusal =
  "a database of a scenario reaches no other file and changes no setting of the process"

private let settingsOfTheProcess: Set<String> = [
  "data_store_directory", "hard_heap_limit", "soft_heap_limit", "temp_store_directory",
]
