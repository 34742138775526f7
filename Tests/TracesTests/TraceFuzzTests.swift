import Testing
import Traces
import Values

/// Lines that were damaged at random. The random numbers are always the same.
@Suite struct TraceFuzzTests {
  private static let text = """
    {"trace":1,"time":"virtual","sides":{"api":"client"},"seed":1}
    {"n":1,"us":0,"kind":"request","source":"api","value":{"path":"/ä","query":{"a":["1","2"]}},\
    "connection":1,"from":"client"}
    {"n":2,"us":10,"kind":"emitted","source":"x","cause":1,"value":{"$bytes":"AP8="}}
    {"n":3,"us":20,"kind":"verdict","value":{"outcome":"passed"}}

    """

  /// A small generator of the xorshift family.
  private struct Chance {
    var state: UInt64

    mutating func below(_ limit: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(max(1, limit)))
    }
  }

  private func damaged(_ bytes: [UInt8], _ chance: inout Chance) -> [UInt8] {
    var bytes = bytes
    for _ in 0...chance.below(4) where bytes.count > 1 {
      let place = chance.below(bytes.count)
      switch chance.below(4) {
      case 0: bytes[place] = UInt8(chance.below(256))
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(Array("{}[]\":,\\\n0e$".utf8)[chance.below(12)], at: place)
      default: bytes = Array(bytes.prefix(max(1, place)))
      }
    }
    return bytes
  }

  @Test(arguments: 1...8)
  func `a damaged trace is read to its end, and each problem has its place`(seed: Int) {
    var chance = Chance(state: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15)
    for _ in 0..<250 {
      let bytes = damaged(Array(Self.text.utf8), &chance)
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      for item in TraceReader.read(bytes) {
        switch item {
        case .problem(let problem):
          #expect((1...lines.count).contains(problem.place.line))
          #expect(problem.place.offset <= bytes.count && problem.place.column > 0)
        case .line(let entry):
          #expect((1...lines.count).contains(entry.place.line))
          _ = entry.line.value?.decoded()
          _ = entry.text
        case .header, .cut: break
        }
      }
    }
  }
}
