import Diagnostics
import Testing
import YAMLSyntax

@Suite struct MutationTests {
  private static let seeds = [
    "a: 1\nb: [x, {y: 'z', w: \"q\\n\"}]\nc: |\n  text\n  more\n---\nd: &e {f: g}\nh: *e\n",
    "- é: >\n    ü ö\n\n    ä\n- <<: &m {a: b}\n  c: !!str 12\n- - - x\n- ? k\n  : v\n",
    "x: 'it''s' # c\ny: a == 'b #c'\nz: { a:1, b: f(x, y) }\ndata: [DONE]\n",
  ]
  private static let pieces = [
    "'", "\"", "[", "]", "{", "}", ": ", " #", "\n", "\t", "- ", "&a ", "*a", "!", "|\n", ">\n",
    "---\n", "%",
    "\r", "\u{85}", "\u{2028}", "é", "\\", "<<: ", ",", "\u{0}", "\u{FEFF}", "? ", "@", "`", "\n  ",
    "*e",
  ]

  /// A linear congruential generator: the same mutations in every run.
  private struct SeededRandom {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
  }

  @Test(arguments: 0..<8)
  func `no mutation crashes the reader or leads it out of the file`(seed: Int) {
    var chance = SeededRandom(state: UInt64(seed) &* 7919 &+ 1)
    for _ in 0..<1500 {
      var bytes = Array(Self.seeds[chance.below(Self.seeds.count)].utf8)
      for _ in 0...chance.below(4) { mutate(&bytes, &chance) }
      check(SourceFile(path: "t", bytes: bytes))
    }
  }

  private func mutate(_ bytes: inout [UInt8], _ chance: inout SeededRandom) {
    let at = chance.below(bytes.count + 1)
    switch chance.below(4) {
    case 0: bytes.insert(contentsOf: Self.pieces[chance.below(Self.pieces.count)].utf8, at: at)
    case 1: bytes.insert(UInt8(chance.below(256)), at: at)
    case 2: bytes.removeSubrange(at..<min(bytes.count, at + chance.below(5)))
    default: bytes.insert(contentsOf: bytes[0..<min(at, 20)], at: at)
    }
  }

  private func check(_ file: SourceFile) {
    let result = parseYAML(file, index: 3)
    for range in result.diagnostics.flatMap(\.labels).map(\.range) {
      #expect(isInside(range, file), "\(file.bytes)")
    }
    #expect(result.diagnostics.allSatisfy { !$0.labels.isEmpty })
    for document in result.value { check(document.root, file) }
    if result.value.isEmpty { #expect(!result.diagnostics.isEmpty) }
  }

  private func check(_ node: YAMLNode, _ file: SourceFile) {
    #expect(isInside(node.range, file), "\(file.bytes)")
    switch node.content {
    case .scalar(let scalar):
      for offset in 0...scalar.text.utf8.count {
        let found = scalar.sourceOffset(ofTextOffset: offset, in: file)
        #expect((scalar.range.start...scalar.range.end).contains(found), "\(file.bytes)")
      }
    case .sequence(let elements): for element in elements { check(element, file) }
    case .mapping(let entries): for entry in entries { check(entry.value, file) }
    }
  }

  private func isInside(_ range: SourceRange, _ file: SourceFile) -> Bool {
    range.file == 3 && range.start >= 0 && range.start <= range.end
      && Int(range.end) <= file.bytes.count
  }
}
