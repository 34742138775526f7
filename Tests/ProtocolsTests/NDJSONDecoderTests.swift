import Testing

@testable import Protocols

private let bodies: [(body: [UInt8], lines: [String])] =
  [
    ("", []), ("{}\n", ["{}"]), ("{}", ["{}"]), ("1\n2\r\n3", ["1", "2", "3"]),
    ("\n\r\n \n\t\r\n1\n\n", ["1"]), ("1\r\n\r", ["1"]), ("1\r", ["1"]), ("1\r\r\n", ["1\r"]),
    (" {\"a\": 1} \n", [" {\"a\": 1} "]), ("1\r2\n", ["1\r2"]), ("\"é🎉\"\n", ["\"é🎉\""]),
    ("\u{FEFF}1\n\u{FEFF}2\n", ["1", "\u{FEFF}2"]), ("\u{FEFF}", []), ("\u{FEFF}\n1\n", ["1"]),
    ("\"a\u{2028}b\"\n", ["\"a\u{2028}b\""]), ("a\u{0}b\n", ["a\u{0}b"]),
  ].map { (Array($0.0.utf8), $0.1) } + [
    ([0x31, 0xFF, 0x0A, 0xE2, 0x82], ["1\u{FFFD}", "\u{FFFD}"])
  ]

private func decode(
  _ pieces: [[UInt8]], limit: Int = NDJSONLimits.lineBytes
) -> [NDJSONItem] {
  var decoder = NDJSONDecoder(lineBytes: limit)
  return pieces.flatMap { decoder.receive($0) } + decoder.finish()
}

struct `reading lines of JSON` {
  @Test(arguments: bodies.indices)
  func `a body is cut into its lines, without blank ones and line ends`(index: Int) {
    #expect(decode([bodies[index].body]) == bodies[index].lines.map { .line($0) })
  }

  @Test(arguments: bodies.indices)
  func `a body is the same at every boundary and every pair of boundaries`(index: Int) {
    expectSameHoweverCut(bodies[index].body) { decode($0) }
    expectSameHoweverCut(bodies[index].body) { decode($0, limit: 3) }
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `damaged bodies are read the same however they are cut, and never crash`(seed: UInt64) {
    expectSameWhenDamaged(bodies.map(\.body), seed: seed) { decode($0) }
    expectSameWhenDamaged(bodies.map(\.body), seed: seed) { decode($0, limit: 3) }
  }

  @Test func `a line comes with its last byte`() {
    var decoder = NDJSONDecoder()
    #expect(decoder.receive(bytes("{}")) == [])
    #expect(decoder.receive(bytes("\n{")) == [.line("{}")])
    #expect(decoder.finish() == [.line("{")])
  }

  @Test func `nothing is left for the next body`() {
    var decoder = NDJSONDecoder(lineBytes: 4)
    #expect(decoder.receive(bytes("12345")) == [.problem(.lineTooLong)])
    #expect(decoder.receive(bytes("1\n")) == [])
    #expect(decoder.finish() == [])
    #expect(decoder.receive(bytes("\u{FEFF}1\n")) == [.line("1")])
  }

  @Test(arguments: [("123\n1", false), ("1\n1234\n", true), ("12\r\n", false), ("123\r\n", true)])
  func `a line is limited, with a CR at its end`(text: String, isTooLong: Bool) {
    let items = decode([bytes(text)], limit: 3)
    #expect((items.last == .problem(.lineTooLong)) == isTooLong)
  }

  @Test func `each problem has an id and a sentence`() {
    #expect(NDJSONProblem.allCases.allSatisfy { !$0.id.isEmpty && !$0.message.isEmpty })
  }
}
