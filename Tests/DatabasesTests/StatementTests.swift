import Databases
import Testing
import Values

@Suite struct ValueTests {
  @Test(
    arguments: [
      (.null, "null", .null), (.bool(true), "integer", 1), (.bool(false), "integer", 0),
      (.int(.min), "integer", .int(.min)), (.uint(7), "integer", 7), (1.5, "real", 1.5),
      (.double(.infinity), "real", .double(.infinity)), ("", "text", ""),
      ("Größe\u{0}x 🐈", "text", "Größe\u{0}x 🐈"), (.bytes([0, 255]), "blob", .bytes([0, 255])),
      (.bytes([]), "blob", .bytes([])), ([1, "a"], "text", #"[1,"a"]"#),
      (["a": [true]], "text", #"{"a":[true]}"#),
      (
        .timestamp(Timestamp(seconds: 0, nanoseconds: 500_000_000)), "text",
        "1970-01-01T00:00:00.5Z"
      ),
      (.duration(TimeSpan(seconds: 90)), "text", "90s"), (.optional(nil), "null", .null),
      (.optional(3), "integer", 3),
    ] as [(Value, Value, Value)])
  func `a value goes in as its type and comes out again`(
    _ value: Value, _ type: Value, _ back: Value
  ) throws {
    let database = try opened()
    let rows = try database.rows(
      "SELECT :value AS value, typeof(:value) AS type", .named([("value", value)]))
    #expect(rows == [["value": back, "type": type]])
  }

  @Test func `a timestamp that was bound is a time to SQL`() throws {
    let time = Value.timestamp(Timestamp(seconds: 946_684_800))
    let text = try opened().value("datetime(?, '+1 day')", .positional([time]))
    #expect(text == "2000-01-02 00:00:00")
  }

  @Test(
    arguments: [
      (.uint(.max), "is beyond the largest integer of SQLite"),
      (.double(.nan), "SQLite has no NaN"),
    ] as [(Value, String)])
  func `a value SQLite cannot hold is a failure that names the parameter`(
    _ value: Value, _ reason: String
  ) throws {
    let failure = try opened().problem("SELECT :size", .named([("size", value)]))
    #expect(failure?.message.contains(reason) == true)
    #expect(failure?.message.hasPrefix("the parameter `:size` cannot have this value: ") == true)
  }

  @Test func `a text or a statement that is too long is a failure`() throws {
    let database = try opened()
    let text = Value.string(String(repeating: "x", count: 17 << 20))
    #expect(
      database.problem("SELECT ?", .positional([text]))?.message
        == "parameter 1 cannot have this value: it has more than 16777216 bytes")
    let statement = "SELECT 1 --" + String(repeating: "x", count: 1 << 20)
    let message = database.problem(statement)?.message
    #expect(message == "a statement has at most 1048576 bytes")
  }

  @Test(arguments: ["BOOLEAN", "bool", "Boolean"])
  func `0 and 1 of a column declared boolean are false and true`(_ type: String) throws {
    let database = try opened(
      ":memory:", "CREATE TABLE t (a \(type)); INSERT INTO t VALUES (0), (true), (2), (NULL), ('x')"
    )
    let values = try database.rows("SELECT a FROM t").map { $0["a"] }
    #expect(values == [.bool(false), .bool(true), 2, .null, "x"])
  }

  @Test func `text that is no UTF-8 is repaired`() throws {
    #expect(try opened().value("CAST(x'41ff42' AS TEXT)") == "A\u{fffd}B")
  }

  @Test func `columns keep their order, rows or not`() throws {
    let database = try opened(":memory:", "CREATE TABLE t (z, a, m)")
    let result = try database.did("SELECT z, a, m FROM t")
    #expect(result.columns == ["z", "a", "m"])
    #expect(result.rows == [])
    try database.did("INSERT INTO t VALUES (1, 2, 3)")
    #expect(try database.rows("SELECT * FROM t").first?.display == "{ z: 1, a: 2, m: 3 }")
  }

  @Test func `two columns with one name are a failure that says what to do`() throws {
    let database = try opened(":memory:", "CREATE TABLE t (id); CREATE TABLE u (id)")
    let failure = database.problem("SELECT * FROM t JOIN u")
    #expect(
      failure?.message == "the result has two columns `id`; give one of them another name with AS")
  }

  @Test func `a statement that is kept notices that the schema has changed`() throws {
    let database = try opened(":memory:", "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    #expect(try database.rows("SELECT * FROM t") == [["a": 1]])
    try database.execute(script: "ALTER TABLE t ADD COLUMN b BOOLEAN DEFAULT 1").get()
    #expect(try database.rows("SELECT * FROM t") == [["a": 1, "b": true]])
    try database.execute(script: "ALTER TABLE t RENAME COLUMN a TO c").get()
    #expect(try database.rows("SELECT * FROM t") == [["c": 1, "b": true]])
  }

  @Test func `changes and the last row id are those of the statement`() throws {
    let database = try opened(":memory:", "CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
    let inserted = try database.did("INSERT INTO t VALUES (7, 1), (9, 2)")
    #expect(inserted.changes == 2)
    #expect(inserted.lastInsertID == 9)
    #expect(try database.did("SELECT * FROM t").changes == 0)
    #expect(try database.did("UPDATE t SET a = 0 WHERE id > 100").changes == 0)
    #expect(try database.did("DELETE FROM t").changes == 2)
    #expect(try database.did("CREATE TABLE u (a)").changes == 0)
  }
}

@Suite struct ParameterTests {
  @Test func `a value is never read as SQL`() throws {
    let database = try opened(":memory:", "CREATE TABLE students (name TEXT)")
    let name: Value = "Robert'); DROP TABLE students;--"
    try database.did("INSERT INTO students VALUES (:name)", .named([("name", name)]))
    #expect(try database.rows("SELECT name FROM students") == [["name": name]])
  }

  @Test func `all three ways to write a name are bound by the bare name`() throws {
    let rows = try opened().rows(
      "SELECT :a AS x, @a AS y, $b AS z", .named([("b", 2), ("a", 1)]))
    #expect(rows == [["x": 1, "y": 1, "z": 2]])
  }

  @Test func `values in order go to the parameters in order`() throws {
    let rows = try opened().rows("SELECT ? AS x, ? AS y", .positional([1, 2]))
    #expect(rows == [["x": 1, "y": 2]])
  }

  @Test(
    arguments: [
      (
        "SELECT :name", .named([("nmae", 1)]),
        "the statement has no parameter `nmae`; did you mean `name`?"
      ),
      (
        "SELECT :a, :b", .named([("zoo", 1)]), "the statement has no parameter `zoo`, only `a`, `b`"
      ),
      ("SELECT 1", .named([("a", 1)]), "the statement has no parameter `a`"),
      ("SELECT :a, :b", .named([("a", 1)]), "there is no value for the parameter `:b`"),
      ("SELECT :a", .none, "there is no value for the parameter `:a`"),
      ("SELECT ?, ?", .positional([1]), "there is no value for parameter 2"),
      ("SELECT ?", .positional([1, 2]), "the statement has 1 parameter, and there are 2 values"),
      ("SELECT ?", .named([]), "parameter 1 has no name; give the values as a list"),
    ] as [(String, DatabaseParameters, String)])
  func `too few and too many values are failures that name them`(
    _ statement: String, _ parameters: DatabaseParameters, _ message: String
  ) throws {
    let failure = try opened().problem(statement, parameters)
    #expect(failure?.message == message)
    #expect(failure?.code == "SQLITE_RANGE")
  }

  @Test func `a value of one run is not left for the next`() throws {
    let database = try opened()
    #expect(try database.value("?", .positional([1])) == 1)
    #expect(database.problem("SELECT ? AS value") != nil)
    #expect(try database.value("?", .positional([2])) == 2)
  }
}

@Suite struct StatementTests {
  @Test(arguments: [
    ("SELECT 1; SELECT 2", "this is more than one statement; give each on its own"),
    ("SELECT 1; nonsense", "this is more than one statement; give each on its own"),
    ("", "there is no statement in this text"),
    (" ; -- nothing\n", "there is no statement in this text"),
    ("SELECT 1\u{0}", "a statement has no NUL character"),
    ("ATTACH 'other.db' AS other", "not authorized: a database of a scenario"),
    ("VACUUM INTO 'other.db'", "authorization denied: a database of a scenario"),
    ("PRAGMA Hard_Heap_Limit = 1", "not authorized: a database of a scenario"),
    ("SELECT load_extension('x')", "not authorized: a database of a scenario"),
    ("UPDATE sqlite_schema SET sql = ''", "table sqlite_master may not be modified"),
  ])
  func `what is no single harmless statement is refused`(
    _ statement: String, _ message: String
  ) throws {
    #expect(try opened().problem(statement)?.message.hasPrefix(message) == true)
  }

  @Test(arguments: [";; SELECT 1 AS a", "SELECT 1 AS a;", "SELECT 1 AS a; -- one\n /* two */ ;"])
  func `semicolons and comments around a statement do no harm`(_ statement: String) throws {
    let database = try opened()
    for _ in 0..<2 { #expect(try database.rows(statement) == [["a": 1]]) }
  }

  @Test func `a failure has SQLite's words, its code, the place and the path`() throws {
    let database = try opened()
    #expect(
      database.problem("SELECT name FROM nowhere")
        == DatabaseFailure(
          "no such table: nowhere", code: "SQLITE_ERROR", offset: nil, path: ":memory:"))
    #expect(
      database.problem("SELECT 1 FORM t")
        == DatabaseFailure(
          #"near "t": syntax error"#, code: "SQLITE_ERROR", offset: 14, path: ":memory:"))
  }

  @Test(arguments: [
    ("INSERT INTO t VALUES (1, 'a')", "SQLITE_CONSTRAINT_PRIMARYKEY"),
    ("INSERT INTO t VALUES (2, 'one')", "SQLITE_CONSTRAINT_UNIQUE"),
    ("INSERT INTO t VALUES (2, NULL)", "SQLITE_CONSTRAINT_NOTNULL"),
    ("INSERT INTO t VALUES ('x', 'a')", "SQLITE_MISMATCH"),
    ("INSERT INTO t VALUES (2, '')", "SQLITE_CONSTRAINT_CHECK"),
  ])
  func `a constraint that is broken has its own code`(_ statement: String, _ code: String) throws {
    let database = try opened(
      ":memory:",
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL UNIQUE CHECK (a != ''));
      INSERT INTO t VALUES (1, 'one');
      """)
    #expect(database.problem(statement)?.code == code)
  }

  @Test func `a script stops at the first statement that fails and reports where`() throws {
    let database = try opened()
    let script = "CREATE TABLE t (a UNIQUE);\n INSERT INTO t VALUES (1), (1);\n DROP TABLE t;"
    guard case .failure(let failure) = database.execute(script: script) else {
      Issue.record("the script did not fail")
      return
    }
    #expect(failure.code == "SQLITE_CONSTRAINT_UNIQUE")
    #expect(failure.offset == 28)
    #expect(try database.value("(SELECT count(*) FROM t)") == 0)
  }

  @Test func `a mistake in a script is reported at its place in the script`() throws {
    let script = "CREATE TABLE t (a);\nSELECT b FROM t"
    guard case .failure(let failure) = try opened().execute(script: script) else {
      Issue.record("the script did not fail")
      return
    }
    #expect(failure.message == "no such column: b")
    #expect(failure.offset == 27)
  }

  @Test func `a parameter in a script is a failure`() throws {
    #expect(throws: DatabaseFailure.self) { try opened().execute(script: "SELECT :a").get() }
    try opened().execute(script: "").get()
  }

  @Test func `more statements than are kept compiled all work`() throws {
    let database = try opened()
    for _ in 0..<2 {
      for number in 0..<500 { #expect(try database.value("\(number)") == .int(number)) }
    }
  }
}
