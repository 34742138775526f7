import Diagnostics
import Testing
import Values

@testable import ScenarioSpec

@Suite struct TableFileTests {
  @Test(arguments: [
    ("1", Value.int(1)), ("-2.5", .double(-2.5)), ("true", .bool(true)), ("no", .string("no")),
    ("", .null), ("~", .null), ("null", .null), ("\"\"", .string("")), ("\"1\"", .string("1")),
    ("010", .int(10)), ("0x1F", .int(31)), ("1:30", .string("1:30")), ("a b", .string("a b")),
    ("${x}", .string("${x}")), ("\"true\"", .string("true")),
    ("18446744073709551615", .uint(.max)),
  ])
  func `a cell of CSV is typed like a plain scalar, and text in quotes`(
    _ cell: String, _ value: Value
  ) {
    let reading = read("x,cell\n1,\(cell)\n", as: "t.csv")
    #expect(reading.complaints == [])
    #expect(reading.first?.cases.first?.columns.map(\.value) == [.int(1), value])
  }

  @Test func `rows are named by their id or numbered, and know their place`() {
    let named = read("n,id\n1,007\n2,\"a, b\"\n", as: "t.csv")
    #expect(named.first?.cases.map(\.id) == ["007", "a, b"])
    #expect(named.first?.cases.map { named.excerpt($0.range) } == ["1,007", "2,\"a, b\""])
    let numbered = read("n\n5\n\n6\n", as: "t.csv")
    #expect(numbered.first?.cases.map(\.id) == ["1", "2"])
  }

  @Test func `a list of maps in JSON is a table`() {
    let text = #"[{"id": 7, "v": [1, {"a": null}]}, {"v": "${x}", "id": "b"}]"#
    let reading = read("\u{FEFF}" + text, as: "t.json")
    #expect(reading.complaints == [])
    let cases = reading.first?.cases ?? []
    #expect(cases.map(\.id) == ["7", "b"])
    #expect(cases.map { $0.value(of: "v", near: 1) } == [[1, ["a": .null]], "${x}"])
    #expect(cases.map { reading.excerpt($0.range).first } == ["{", "{"])
  }

  @Test(arguments: [
    ("", "1:1 table-syntax the first line of a CSV file names its columns"),
    ("\n \n", "1:1 table-syntax the first line of a CSV file names its columns"),
    ("a,b\n", "1:1 empty-list `cases` has at least one row"),
    ("a;b\n1;2\n", "1:1 table-syntax commas part the columns of a CSV file"),
    ("a\tb\n1\t2\n", "1:1 table-syntax commas part the columns of a CSV file"),
    ("a,,b\n1,2,3\n", "1:3 table-syntax every column of a CSV file has a name"),
    (
      "a,b,a\n1,2,3\n",
      "1:5 duplicate-column every column of a table has a name of its own, "
        + "and `a` is taken"
    ),
    (
      "a,b c\n1,2\n",
      "1:3 bad-name a name is letters from a to z, digits and `_`, and does not begin with a "
        + "digit"
    ),
    (
      "a,value\n1,2\n",
      "1:3 reserved-name `value` is a word that expressions use and cannot be "
        + "used as a name"
    ),
    (
      "a,node\n1,2\n",
      "1:3 duplicate-name everything on the stage has a name of its own, and "
        + "`node` is taken"
    ),
    ("a,b\n1,2\n3\n", "3:1 ragged-cases every row of `cases` has the same columns"),
    ("a,b\n1,2,3\n", "2:1 ragged-cases every row of `cases` has the same columns"),
    (
      "id\na\n\nb\na\n",
      "5:1 duplicate-case every row of `cases` has an id of its own, and `a` is "
        + "taken"
    ),
    ("id,a\n,1\n", "2:1 row-without-id if a table has a column `id`, each row has an id"),
    ("a\n\"x\ny", "2:1 table-syntax a cell that begins with a quote ends with one"),
    (
      "a\n\"x\" y\n",
      "2:5 table-syntax nothing but a comma or the line's end follows a closing "
        + "quote"
    ),
    ("a\nx \"y\"\n", "2:3 table-syntax a cell that holds a quote is quoted as a whole"),
  ])
  func `a wrong CSV file is refused at its line and column`(_ text: String, _ complaint: String) {
    #expect(read(text, as: "t.csv").complaints == [complaint])
  }

  @Test(arguments: [
    ("[{\"a\": 1}", "1:10 table-syntax the JSON text ends before its value does"),
    ("{\"a\": 1}", "1:1 table-syntax a table in JSON is a list of maps"),
    ("[]", "1:1 empty-list `cases` has at least one row"),
    ("[{\"a\": 1},\n 2]", "2:2 table-syntax a row of a table in JSON is a map"),
    (
      "[{\"a\": 1},\n {\"b\": 1, \"a\": 1}]",
      "1:2 ragged-cases every row of `cases` has the same "
        + "columns"
    ),
    (
      "[{\"a\": 1, \"a\": 2}]",
      "1:11 table-syntax a JSON object has each key once, and `a` is there "
        + "twice, at bytes 3 and 11"
    ),
    ("[{\"id\": true}]", "1:9 row-without-id if a table has a column `id`, each row has an id"),
    (
      "[{\"if\": true}]",
      "1:3 reserved-name `if` is a word of the expression language and cannot be "
        + "used as a name"
    ),
  ])
  func `a wrong JSON file is refused at its line and column`(_ text: String, _ complaint: String) {
    #expect(read(text, as: "t.json").complaints == [complaint])
  }

  @Test func `a complaint about a table also shows where it is used`() throws {
    let reading = read("a,a\n1,2\n", as: "t.csv")
    let labels = try #require(reading.diagnostics.first?.labels)
    #expect(labels.map { reading.excerpt($0.range) } == ["a", "a", "t.csv"])
    #expect(labels.map(\.range.file) == [1, 1, 0])
  }

  @Test func `of many mistakes only the first few are reported`() {
    let text = "id,a\n" + String(repeating: "x\n", count: 1000)
    #expect(read(text, as: "t.csv").complaints.count == TableLimit.namedProblems)
    let same = "id\n" + String(repeating: "x\n", count: 1000)
    #expect(read(same, as: "t.csv").complaints.count == TableLimit.namedProblems)
  }

  @Test func `a table has limits, and to reach one is a complaint`() {
    let columns = (0...TableLimit.columns).map { "c\($0)" }.joined(separator: ",")
    #expect(read(columns + "\n", as: "t.csv").ids == ["table-too-large"])
    let rows = "a\n" + String(repeating: "1\n", count: TableLimit.rows + 1)
    #expect(read(rows, as: "t.csv").ids == ["table-too-large"])
    let large = String(repeating: "\n", count: TableLimit.fileSize + 1)
    #expect(read(large, as: "t.csv").ids == ["table-too-large"])
  }

  @Test func `text that is not UTF-8 is refused at its byte`() {
    let files = ["t.csv": Array("a\nx".utf8) + [0xE4, 0x0A]]
    let reading = Reading("scenario: A\ncases: { file: t.csv }", bytes: files)
    #expect(reading.complaints == ["2:2 table-syntax the text of a table is UTF-8"])
  }

  private func read(_ text: String, as path: String) -> Reading {
    Reading("scenario: A\ngraph: { node: 1 }\ncases: { file: \(path) }", files: [path: text])
  }
}
