import Databases
import Glibc
import Values

/// Measures statements, and the check whether the data has changed, in memory and in a file.
func sqliteBenchmark() {
  for (place, journal) in [(":memory:", "memory"), ("file", "delete"), ("file", "wal")] {
    var folder = Array("/tmp/sqlite-benchmark-XXXXXX".utf8CString)
    guard mkdtemp(&folder) != nil else { return print("no folder below /tmp") }
    let path = String(decoding: folder.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    switch filledDatabase(place == ":memory:" ? place : path + "/a.db", journal) {
    case .failure(let failure): print(failure.message)
    case .success(let database): measure(database, "\(place == "file" ? "file-" : "")\(journal)")
    }
    system("rm -rf '\(path)'")
  }
  let world = benchmarkWorld()
  report("open-and-close", 1e6 / rate { _ = Database.open(":memory:", world: world) }, unit: "us")
}

private func filledDatabase(_ path: String, _ journal: String) -> Result<Database, DatabaseFailure>
{
  Database.open(path, world: benchmarkWorld()).flatMap { database in
    database.execute(
      script: """
        PRAGMA journal_mode = \(journal);
        CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, size REAL);
        WITH n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n LIMIT 10000)
          INSERT INTO t SELECT id, 'name ' || id, id / 2.0 FROM n;
        """
    ).map { database }
  }
}

private func benchmarkWorld() -> DatabaseWorld {
  DatabaseWorld(now: { Timestamp(seconds: 0) }, random: { 4 })
}

private func measure(_ database: Database, _ place: String) {
  let counter = Counter()
  report(
    "\(place) point-queries",
    rate {
      counter.count += 1
      _ = database.run(
        "SELECT * FROM t WHERE id = :id", .named([("id", .int(counter.count % 10_000 + 1))]))
    })
  report("\(place) version", 1e6 / rate { counter.count &+= database.version }, unit: "us")
  _ = database.run("BEGIN")
  report("\(place) inserts-in-a-transaction", rate { insert(into: database) })
  _ = database.run("COMMIT")
  // Each of these writes to the file, so that a thousand are enough.
  let start = wallTime()
  for _ in 0..<1_000 { insert(into: database) }
  report("\(place) inserts-alone", 1_000 / (wallTime() - start))
}

private func insert(into database: Database) {
  _ = database.run("INSERT INTO t (name, size) VALUES (?, ?)", .positional(["a name", 1.5]))
}

private final class Counter {
  var count = 0
}

private func wallTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

private func report(_ figure: String, _ value: Double, unit: String = "1/s") {
  let rounded = (value * 100).rounded() / 100
  print(
    #"{"benchmark":"sqlite","figure":"\#(figure)","value":\#(rounded),"unit":"\#(unit)"}"#)
}
