import Databases
import Glibc
import TestKit
import Testing
import Values

private let table = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE)"

@Suite struct VersionTests {
  @Test(arguments: [
    "INSERT INTO t (a) VALUES ('new')", "UPDATE t SET a = 'other' WHERE id = 1", "DELETE FROM t",
    "REPLACE INTO t (id, a) VALUES (1, 'two')", "DROP TABLE t", "CREATE TABLE u (a)",
    "ALTER TABLE t ADD COLUMN b", "CREATE VIEW v AS SELECT a FROM t", "PRAGMA user_version = 7",
    "INSERT INTO w VALUES ('k', 1)", "DELETE FROM w", "CREATE TABLE u AS SELECT * FROM t",
    "INSERT OR FAIL INTO t (a) VALUES ('new')",
  ])
  func `a commit that changes something grows the version by one`(_ statement: String) throws {
    let database = try opened(
      ":memory:",
      """
      \(table);
      INSERT INTO t (a) VALUES ('one'), ('two'), ('three');
      CREATE TABLE w (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
      INSERT INTO w VALUES ('a', 1);
      """)
    #expect(try database.growth { try database.did(statement) } == 1)
  }

  @Test(arguments: [
    "SELECT * FROM t", "UPDATE t SET a = 'x' WHERE id = 99", "DELETE FROM t WHERE id = 99",
    "INSERT OR IGNORE INTO t (a) VALUES ('one')", "PRAGMA user_version",
    "CREATE TABLE IF NOT EXISTS t (a)",
  ])
  func `what changes nothing leaves the version alone`(_ statement: String) throws {
    let database = try opened(":memory:", "\(table); INSERT INTO t (a) VALUES ('one')")
    #expect(try database.growth { try database.did(statement) } == 0)
  }

  @Test func `a statement that fails leaves the version alone`() throws {
    let database = try opened(":memory:", "\(table); INSERT INTO t (a) VALUES ('one')")
    let growth = database.growth {
      #expect(database.problem("INSERT INTO t (a) VALUES ('two'), ('one')") != nil)
    }
    #expect(growth == 0)
    #expect(try database.value("(SELECT count(*) FROM t)") == 1)
  }

  @Test(arguments: ["file", "wal", "memory"])
  func `a transaction counts once, when it commits`(_ kind: String) throws {
    let folder = try TemporaryFolder()
    let database = try opened(kind == "memory" ? ":memory:" : folder.file("a.db"), table)
    if kind == "wal" { _ = try database.rows("PRAGMA journal_mode = wal") }
    let open = try database.growth {
      try database.execute(script: "BEGIN; INSERT INTO t (a) VALUES (1), (2)").get()
      try database.execute(script: "DELETE FROM t").get()
    }
    #expect(open == 0)
    #expect(try database.growth { try database.did("COMMIT") } == 1)
  }

  @Test(arguments: ["file", "wal", "memory"])
  func `what is rolled back does not count`(_ kind: String) throws {
    let folder = try TemporaryFolder()
    let database = try opened(kind == "memory" ? ":memory:" : folder.file("a.db"), table)
    if kind == "wal" { _ = try database.rows("PRAGMA journal_mode = wal") }
    let growth = try database.growth {
      try database.execute(script: "BEGIN; INSERT INTO t (a) VALUES (1); ROLLBACK").get()
      try database.execute(script: "BEGIN; CREATE TABLE u (a); DELETE FROM t; ROLLBACK").get()
      try database.execute(script: "BEGIN IMMEDIATE; COMMIT").get()
    }
    #expect(growth == 0)
  }

  @Test(arguments: ["delete", "wal", "truncate", "persist"])
  func `a commit of another connection grows the version`(_ journal: String) throws {
    let folder = try TemporaryFolder()
    let database = try opened(folder.file("a.db"), table)
    _ = try database.rows("PRAGMA journal_mode = \(journal)")
    let stranger = try Stranger(folder.file("a.db"))
    for statement in [
      "INSERT INTO t (a) VALUES (1)", "UPDATE t SET a = 2", "DELETE FROM t", "DROP TABLE t",
    ] {
      #expect(try database.growth { try stranger.execute(statement) } == 1, "\(statement)")
      #expect(database.growth {} == 0)
    }
  }

  @Test func `a change of the journal by another connection hides no commit`() throws {
    let folder = try TemporaryFolder()
    let database = try opened(folder.file("a.db"), table)
    let stranger = try Stranger(folder.file("a.db"))
    try stranger.execute("INSERT INTO t (a) VALUES (1)")
    _ = database.version
    #expect(try database.growth { try stranger.execute("PRAGMA journal_mode = wal") } >= 0)
    #expect(try database.growth { try stranger.execute("INSERT INTO t (a) VALUES (2)") } == 1)
    #expect(try database.growth { try stranger.execute("INSERT INTO t (a) VALUES (3)") } == 1)
  }

  @Test func `another connection counts when it commits and not when it rolls back`() throws {
    let folder = try TemporaryFolder()
    let database = try opened(folder.file("a.db"), table)
    let stranger = try Stranger(folder.file("a.db"))
    let growth = try database.growth {
      try stranger.execute("BEGIN; INSERT INTO t (a) VALUES (1)")
      _ = database.version
      try stranger.execute("ROLLBACK; BEGIN; INSERT INTO t (a) VALUES (1)")
    }
    #expect(growth == 0)
    #expect(try database.growth { try stranger.execute("COMMIT") } == 1)
  }

  @Test func `a commit while the file was locked is seen afterwards`() throws {
    let folder = try TemporaryFolder()
    let database = try opened(folder.file("a.db"), table)
    let stranger = try Stranger(folder.file("a.db"))
    let growth = try database.growth {
      try stranger.execute("BEGIN EXCLUSIVE; INSERT INTO t (a) VALUES (1)")
      _ = database.version
    }
    #expect(growth == 0)
    #expect(try database.growth { try stranger.execute("COMMIT") } == 1)
  }

  @Test(.enabled(if: system("python3 -c 'import sqlite3' 2>/dev/null") == 0))
  func `a commit of another process grows the version`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.db")
    let database = try opened(path, table)
    let growth = database.growth {
      let program = """
        import sqlite3; c = sqlite3.connect('\(path)'); \
        c.execute("insert into t (a) values ('theirs')"); c.commit()
        """
      #expect(system("python3 -c \"\(program.replacing("\"", with: "\\\""))\"") == 0)
    }
    #expect(growth == 1)
    #expect(try database.rows("SELECT a FROM t") == [["a": "theirs"]])
  }

  @Test func `own and others' commits are counted apart`() throws {
    let folder = try TemporaryFolder()
    let database = try opened(folder.file("a.db"), table)
    let stranger = try Stranger(folder.file("a.db"))
    let growth = try database.growth {
      try stranger.execute("INSERT INTO t (a) VALUES (1)")
      try database.did("INSERT INTO t (a) VALUES (2)")
    }
    #expect(growth == 2)
    #expect(try database.growth { try database.did("DELETE FROM t") } == 1)
  }
}

@Suite struct CommitTests {
  /// Counts the calls of `onCommit`, and reads the database in each.
  private final class Follower {
    var counts: [Value?] = []
  }

  @Test func `onCommit follows each own commit and sees its data`() throws {
    let database = try opened(":memory:", table)
    let follower = Follower()
    database.onCommit = { [unowned database] in
      follower.counts.append(try? database.value("(SELECT count(*) FROM t)"))
    }
    try database.execute(
      script: """
        INSERT INTO t (a) VALUES (1);
        BEGIN; INSERT INTO t (a) VALUES (2); INSERT INTO t (a) VALUES (3); COMMIT;
        BEGIN; DELETE FROM t; ROLLBACK;
        SELECT * FROM t;
        """
    ).get()
    _ = try database.rows("INSERT INTO t (a) VALUES (:a) RETURNING id", .named([("a", 4)]))
    #expect(follower.counts == [1, 3, 4])
  }

  @Test func `onCommit may write, and that is a commit too`() throws {
    let database = try opened(":memory:", table)
    database.onCommit = { [unowned database] in
      if database.version < 5 { _ = database.run("INSERT INTO t (a) VALUES (random())") }
    }
    try database.did("INSERT INTO t (a) VALUES ('first')")
    #expect(database.version == 5)
  }

  @Test func `onCommit may close the database`() throws {
    let database = try opened(":memory:", table)
    database.onCommit = { [unowned database] in database.close() }
    #expect(database.problem("INSERT INTO t (a) VALUES (1)") == nil)
    #expect(database.problem("SELECT 1")?.message == "the database is closed")
  }
}
