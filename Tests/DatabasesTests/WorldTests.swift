import CSQLite
import Databases
import Glibc
import TestKit
import Testing
import Values

@Suite struct WorldTests {
  @Test(
    arguments: [
      ("CURRENT_TIMESTAMP", "2000-01-01 00:00:00"), ("datetime('now')", "2000-01-01 00:00:00"),
      ("strftime('%s', 'now')", "946684800"), ("date('now', '+1 month')", "2000-02-01"),
      ("datetime('now', 'localtime')", "2000-01-01 00:00:00"),
      ("datetime('now', 'utc')", "2000-01-01 00:00:00"),
      ("unixepoch()", 946_684_800), ("julianday('now')", 2_451_544.5),
    ] as [(String, Value)])
  func `SQL sees the scenario's time, in UTC`(_ expression: String, _ value: Value) throws {
    #expect(try opened().value(expression) == value)
  }

  @Test func `SQL's time moves with the scenario's, to the millisecond`() throws {
    let world = CountingWorld()
    let database = try opened(
      ":memory:", "CREATE TABLE t (at TEXT DEFAULT (strftime('%H:%M:%f', 'now')))", world: world)
    try database.did("INSERT INTO t DEFAULT VALUES")
    world.now = Timestamp(seconds: 946_684_801, nanoseconds: 234_000_000)
    try database.did("INSERT INTO t DEFAULT VALUES")
    #expect(
      try database.rows("SELECT at FROM t") == [["at": "00:00:00.000"], ["at": "00:00:01.234"]])
  }

  @Test func `a time no calendar has is NULL and no crash`() throws {
    let world = CountingWorld()
    let database = try opened(world: world)
    for seconds in [Int.max, Int.min, 1 << 45] {
      world.now = Timestamp(seconds: seconds)
      #expect(database.problem("SELECT datetime('now')") == nil)
    }
  }

  @Test func `chance is the generator's, and equal in two runs`() throws {
    let script = """
      CREATE TABLE t (a DEFAULT (random()), b DEFAULT (hex(randomblob(12))));
      INSERT INTO t DEFAULT VALUES; INSERT INTO t DEFAULT VALUES;
      CREATE VIEW v AS SELECT abs(random() % 100) AS c;
      """
    let question = "SELECT a, b, c FROM t JOIN v ORDER BY random()"
    let first = try opened(":memory:", script).rows(question)
    #expect(try opened(":memory:", script).rows(question) == first)
    #expect(first.count == 2)
    #expect(first[0]["a"] != first[1]["a"])
  }

  @Test func `random bytes are as many as were asked for, and at least one`() throws {
    let database = try opened()
    #expect(
      try database.value("randomblob(10)")
        == .bytes([21, 124, 74, 127, 185, 121, 55, 158, 42, 248]))
    #expect(try database.value("length(randomblob(-5))") == 1)
    #expect(database.problem("SELECT randomblob(1 << 40)")?.code == "SQLITE_TOOBIG")
  }

  @Test func `two databases do not see each other's world`() throws {
    let early = CountingWorld()
    early.now = Timestamp(seconds: 0)
    let first = try opened(world: early)
    let second = try opened()
    #expect(try first.value("CURRENT_DATE") == "1970-01-01")
    #expect(try second.value("CURRENT_DATE") == "2000-01-01")
    first.close()
    #expect(try second.value("CURRENT_DATE") == "2000-01-01")
  }
}

@Suite struct BoundsTests {
  private static let endless = "WITH n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"

  @Test func `a statement that does not end is given up`() throws {
    let database = try opened(":memory:", "CREATE TABLE t (a)")
    let failure = database.problem("\(Self.endless) SELECT count(*) FROM n")
    #expect(
      failure?.message == "the statement did not end; it was given up after 50000000 steps")
    #expect(failure?.code == "SQLITE_INTERRUPT")
    #expect(try database.value("1") == 1)
  }

  @Test func `statements that end are not added up`() throws {
    let database = try opened()
    for _ in 0..<4 {
      #expect(
        database.problem("\(Self.endless) SELECT max(x) FROM (SELECT x FROM n LIMIT 2000000)")
          == nil)
    }
  }

  @Test(arguments: [
    ("SELECT x FROM n", "a result has at most 100000 rows"),
    ("SELECT zeroblob(10000000) FROM n", "a result has at most 67108864 bytes"),
    ("SELECT zeroblob(17000000)", "string or blob too big"),
  ])
  func `a result has bounds`(_ question: String, _ message: String) throws {
    let failure = try opened().problem("\(Self.endless) \(question)")
    #expect(failure?.message == message)
    #expect(failure?.code == "SQLITE_TOOBIG")
  }

  @Test func `a database has bounds`() throws {
    let folder = try TemporaryFolder()
    let database = try opened(folder.file("a.db"), "PRAGMA max_page_count = 10; CREATE TABLE t (a)")
    let failure = database.problem("INSERT INTO t VALUES (zeroblob(100000))")
    #expect(failure?.message == "database or disk is full")
    #expect(failure?.code == "SQLITE_FULL")
    #expect(failure?.path == folder.file("a.db"))
    #expect(try opened().rows("PRAGMA max_page_count") == [["max_page_count": 262_144]])
  }

  @Test func `VACUUM works`() throws {
    let folder = try TemporaryFolder()
    let database = try opened(folder.file("a.db"), "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    #expect(database.problem("VACUUM") == nil)
    #expect(try database.rows("SELECT a FROM t") == [["a": 1]])
  }
}
