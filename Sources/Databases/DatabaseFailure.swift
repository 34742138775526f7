import CSQLite
import Glibc

/// The reason why a database could not be opened or a statement was not executed.
package struct DatabaseFailure: Error, Equatable, Sendable {
  /// One sentence without a full stop; SQLite's own if it gave one.
  package var message: String
  /// SQLite's name of the error, such as `SQLITE_CONSTRAINT_UNIQUE`. If we refused the statement
  /// first, it is the name that SQLite would have used.
  package var code: String
  /// The byte of the statement or script with the error; nil if it is not known.
  package var offset: Int?
  /// The database's file, or `:memory:`.
  package var path: String

  package init(_ message: String, code: String, offset: Int? = nil, path: String = "") {
    self.message = message
    self.code = code
    self.offset = offset
    self.path = path
  }
}

/// Returns SQLite's message for the call that has just failed, with the reason if SQLite leaves it
/// out.
func messageOfSQLite(_ handle: OpaquePointer, _ code: Int32) -> String {
  let message = String(cString: sqlite3_errmsg(handle))
  if code & 0xff == SQLITE_AUTH || message == "not authorized" {
    return "\(message): \(reasonForRefusal)"
  }
  let family = code & 0xff
  let reason = sqlite3_system_errno(handle)
  guard family == SQLITE_CANTOPEN || family == SQLITE_IOERR, reason != 0 else { return message }
  return "\(message): \(String(cString: strerror(reason)))"
}

/// Returns SQLite's name of a result code. A code of a newer library has the name of its family.
func resultCodeName(_ code: Int32) -> String {
  let family = Int(code & 0xff)
  guard resultCodeFamilies.indices.contains(family) else { return "SQLITE_\(code)" }
  let name = "SQLITE_" + resultCodeFamilies[family]
  let member = Int(code >> 8) - 1
  guard let members = resultCodeMembers[family], members.indices.contains(member) else {
    return name
  }
  return name + "_" + members[member]
}

private let resultCodeFamilies = [
  "OK", "ERROR", "INTERNAL", "PERM", "ABORT", "BUSY", "LOCKED", "NOMEM", "READONLY", "INTERRUPT",
  "IOERR", "CORRUPT", "NOTFOUND", "FULL", "CANTOPEN", "PROTOCOL", "EMPTY", "SCHEMA", "TOOBIG",
  "CONSTRAINT", "MISMATCH", "MISUSE", "NOLFS", "AUTH", "FORMAT", "RANGE", "NOTADB", "NOTICE",
  "WARNING",
]

/// The members of a family, whose numbers count from 1.
private let resultCodeMembers: [Int: [String]] = [
  1: ["MISSING_COLLSEQ", "RETRY", "SNAPSHOT"],
  4: ["1", "ROLLBACK"],
  5: ["RECOVERY", "SNAPSHOT", "TIMEOUT"],
  6: ["SHAREDCACHE", "VTAB"],
  8: ["RECOVERY", "CANTLOCK", "ROLLBACK", "DBMOVED", "CANTINIT", "DIRECTORY"],
  10: [
    "READ", "SHORT_READ", "WRITE", "FSYNC", "DIR_FSYNC", "TRUNCATE", "FSTAT", "UNLOCK", "RDLOCK",
    "DELETE", "BLOCKED", "NOMEM", "ACCESS", "CHECKRESERVEDLOCK", "LOCK", "CLOSE", "DIR_CLOSE",
    "SHMOPEN", "SHMSIZE", "SHMLOCK", "SHMMAP", "SEEK", "DELETE_NOENT", "MMAP", "GETTEMPPATH",
    "CONVPATH", "VNODE", "AUTH", "BEGIN_ATOMIC", "COMMIT_ATOMIC", "ROLLBACK_ATOMIC", "DATA",
    "CORRUPTFS",
  ],
  11: ["VTAB", "SEQUENCE", "INDEX"],
  14: ["NOTEMPDIR", "ISDIR", "FULLPATH", "CONVPATH", "DIRTYWAL", "SYMLINK"],
  19: [
    "CHECK", "COMMITHOOK", "FOREIGNKEY", "FUNCTION", "NOTNULL", "PRIMARYKEY", "TRIGGER", "UNIQUE",
    "VTAB", "ROWID", "PINNED", "DATATYPE",
  ],
]
