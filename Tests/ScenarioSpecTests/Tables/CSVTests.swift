import Testing

@testable import ScenarioSpec

@Suite struct CSVTests {
  @Test(arguments: [
    ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]),
    ("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]),
    ("a,b\n1,2", [["a", "b"], ["1", "2"]]),
    ("a,b\r\n1,2\r", [["a", "b"], ["1", "2"]]),
    ("\u{FEFF}a,b\n", [["a", "b"]]),
    ("\u{FEFF}\"a\",b\n", [["\"a\"", "b"]]),
    ("\"a\",\"b\"", [["\"a\"", "\"b\""]]),
    ("\"a,b\",c", [["\"a,b\"", "c"]]),
    ("\"a\nb\",c\nd,e", [["\"a\nb\"", "c"], ["d", "e"]]),
    ("\"a\r\nb\",c", [["\"a\r\nb\"", "c"]]),
    ("\"say \"\"hi\"\"\",c", [["\"say \"hi\"\"", "c"]]),
    ("\"\"\"\"", [["\"\"\""]]),
    ("\"\"\"\"\"\"", [["\"\"\"\""]]),
    ("a,,c", [["a", "", "c"]]),
    (",", [["", ""]]),
    ("a,", [["a", ""]]),
    (",\n,", [["", ""], ["", ""]]),
    ("\"\"", [["\"\""]]),
    ("a, \"\" ,b", [["a", "\"\"", "b"]]),
    (" a b\t, c ", [["a b", "c"]]),
    ("\" a \"", [["\" a \""]]),
    ("\n\na\n\n \t\nb\n\n", [["a"], ["b"]]),
    ("a\rb,c\n", [["a\rb", "c"]]),
    ("é,👩‍👩‍👧\nß,\"ñ\"", [["é", "👩‍👩‍👧"], ["ß", "\"ñ\""]]),
    ("", []), ("\n", []), ("\u{FEFF}", []), ("\r\n\r\n", []), ("   ", []),
  ])
  func `a text is these records, quoted cells in quotes`(_ text: String, _ records: [[String]]) {
    let read = read(text)
    #expect(read.problem == nil)
    #expect(read.records.map { $0.cells.map(\.shown) } == records)
  }

  @Test(arguments: [
    ("a,\"b", CSVProblem.Kind.unclosedQuote, 2),
    ("\"", .unclosedQuote, 0),
    ("\"\"\"", .unclosedQuote, 0),
    ("a\n\"b,c\nd,e\n", .unclosedQuote, 2),
    ("\"a\"b", .textAfterQuote, 3),
    ("\"a\" b,c", .textAfterQuote, 4),
    ("\"a\"\rb", .textAfterQuote, 3),
    ("a\"b\"", .quoteInText, 1),
    ("\u{FEFF}a \"b\"", .quoteInText, 5),
  ])
  func `what is no CSV is refused at its byte`(_ text: String, _ kind: CSVProblem.Kind, _ at: Int) {
    #expect(read(text).problem == CSVProblem(kind: kind, range: at..<at + 1))
  }

  @Test func `a cell knows its bytes, quotes included`() {
    let text = "\u{FEFF}é, \"x\"\"\" ,\r\n z"
    let bytes = Array(text.utf8)
    let ranges = read(text).records.flatMap(\.cells).map {
      String(decoding: bytes[$0.range], as: UTF8.self)
    }
    #expect(ranges == ["é", "\"x\"\"\"", "", "z"])
  }

  @Test func `a record is from its first cell to its last`() {
    let text = "a,b\n 1,\"2\n3\" \nx"
    let bytes = Array(text.utf8)
    let records = read(text).records.map { String(decoding: bytes[$0.range], as: UTF8.self) }
    #expect(records == ["a,b", "1,\"2\n3\"", "x"])
  }

  @Test(arguments: 0..<16)
  func `whatever the bytes are, reading ends and stays within them`(seed: Int) {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(truncatingIfNeeded: (state >> 33) % UInt64(bound))
    }
    let letters = Array("aé,,\"\"\n\n\r \t\u{FEFF}".utf8)
    for _ in 0..<2000 {
      let bytes = (0..<random(40)).map { _ in letters[random(letters.count)] }
      let read = read(bytes)
      #expect(read.records.count <= bytes.count + 1)
      let ranges = read.records.flatMap(\.cells).map(\.range) + [read.problem?.range ?? 0..<0]
      #expect(ranges.allSatisfy { 0 <= $0.lowerBound && $0.upperBound <= bytes.count })
    }
  }

  @Test(arguments: [["a", "b"], ["", "x,y"], ["\"", "\n"], ["a\r\nb", " "], ["é\"\"", ","]])
  func `what is written in quotes is read as it was`(cells: [String]) {
    let written = cells.map { cell in
      "\""
        + cell.split(separator: "\"", omittingEmptySubsequences: false)
        .joined(separator: "\"\"") + "\""
    }
    let text = written.joined(separator: ",")
    #expect(read(text + "\n" + text).records.map { $0.cells.map(\.text) } == [cells, cells])
  }

  private func read(_ text: String) -> (records: [CSVRecord], problem: CSVProblem?) {
    read(Array(text.utf8))
  }

  private func read(_ bytes: [UInt8]) -> (records: [CSVRecord], problem: CSVProblem?) {
    bytes.withUnsafeBufferPointer { bytes in
      var reader = CSVReader(bytes)
      var records: [CSVRecord] = []
      do throws(CSVProblem) {
        while let record = try reader.next() { records.append(record) }
        return (records, nil)
      } catch {
        return (records, error)
      }
    }
  }
}

extension CSVCell {
  fileprivate var shown: String { isQuoted ? "\"\(text)\"" : text }
}
