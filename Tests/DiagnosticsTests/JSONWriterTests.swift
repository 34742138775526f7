import Diagnostics
import Testing

@Suite struct JSONWriterTests {
  @Test func `members and elements are set apart by commas, at every depth`() {
    let json = JSONWriter.object {
      $0.member("a", 1)
      $0.member("b") { $0.object { $0.member("c", listOf: [1, 2, 3]) { $0.text("\($1)") } } }
      $0.member("d") { $0.object { _ in } }
      $0.member("e", listOf: [[1], [], [2, 3]]) { $0.list($1) { $0.raw("\($1)") } }
      $0.member("f", "x")
    }
    #expect(json == #"{"a":1,"b":{"c":["1","2","3"]},"d":{},"e":[[1],[],[2,3]],"f":"x"}"#)
  }

  @Test func `what is missing is null`() {
    let json = JSONWriter.object {
      $0.member("text", nil as String?)
      $0.member("number", nil as Int?)
    }
    #expect(json == #"{"text":null,"number":null}"#)
  }

  @Test func `parts that have lines of their own hold parts in one line`() {
    let json = JSONWriter.object(.lines) {
      $0.member("none", listOf: [Int](), .lines) { $0.text("\($1)") }
      $0.member("some", listOf: [1, 2], .lines) { writer, number in
        writer.object {
          $0.member("n", number)
          $0.member("m", number)
        }
      }
      $0.member("last", 9)
    }
    #expect(
      json == """
        {"none":[],
        "some":[
        {"n":1,"m":1},
        {"n":2,"m":2}
        ],
        "last":9}
        """)
  }

  @Test func `text keeps its characters, but quotes and what a terminal obeys are escaped`() {
    let json = JSONWriter.object {
      $0.member("\"", "a\\b\"c\n\r\t\u{0}\u{8}\u{1B}\u{7F}\u{9B}\u{A0}é🐱")
    }
    let escaped = #"a\\b\"c\n\r\t\u0000\u0008\u001b\u007f\u009b"# + "\u{A0}é🐱"
    #expect(json == "{\"\\\"\":\"\(escaped)\"}")
  }

  @Test func `the largest numbers are written in full`() {
    let json = JSONWriter.object {
      $0.member("most", UInt64.max)
      $0.member("least", Int64.min)
    }
    #expect(json == #"{"most":18446744073709551615,"least":-9223372036854775808}"#)
  }
}
