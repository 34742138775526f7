import Diagnostics
import Testing

@testable import YAMLSyntax

/// The usual form of YAML is read without libyaml, and must be read as libyaml reads it.
@Suite struct UsualFormTests {
  private static let seeds = [
    """
    # comment
    scenario: A task is read  # comment
    tags: [a, 'b', "c d", e: f, { g: h, i: }]
    endpoints:
      api:
        http:
        - get: /tasks/{id}
          respond: { json: { id: "${request.params.id}", title: 'it''s' }, after: 20ms }

        - { post: /tasks,
            respond: [{ status: 201 }, # comment
              { status: 404 }] }
    steps:
      -
        send: tasks.read
      - - a
        - b: -1
          c:
      - "x \\"y\\" \\n": http://a.b/c?d#e

    """,
    "a: 1\n---\nb: é ü  # ä\nc: a == 'b #c'\n---\n- <<: { a: b }\n  c: f(x, y)\n-\n- d: [DONE]\n",
    "- - - x\n    - y\n  - z: 'q'\n- k:\n  - v\n  l:\n    - w\n- \"\": {}\n- []\n",
  ]
  private static let pieces = [
    "'", "\"", "[", "]", "{", "}", ": ", " #", "\n", "\t", "- ", "&a ", "*a", "!", "|\n", ">\n",
    "---\n", "...\n", "%", "\r", "\u{85}", "\u{2028}", "é", "\\", "<<: ", ",", "\u{0}", "? ", "@",
    "`", "\n  ", "\n- ", "\n  - ", "?", ":", " ", "#", "-", ".", "a", "\n\n", "''", "\\n", "\\/",
    "[]", "{}", "[a, b]", "{a: b}", "x: y", "- - ", "~", ":\n", "-\n", "# c\n", "\u{FEFF}",
  ]

  @Test(arguments: seeds)
  func `texts of the usual form are read without libyaml`(text: String) {
    #expect(isRead(Array(text.utf8)))
  }

  @Test(
    arguments: [
      "", "# comment", "text", "[a]", "a: b\n c", "a: |\n  b", "a: >\n  b", "a: &b c", "a: !!str b",
      "? a\n: b", "a:\tb", "a: 'b\n  c'", "a: \"b\n  c\"", "a: \"\\x41\"", "a: {b}", "a: [b\n  c]",
      "a: b: c", "a: - b", " a: b\nc: d", "a: b\n...\n", "--- a\n", "%YAML 1.2\n---\na: b",
      "a: b\r\n", "a: @b", "[a]: b", "a: {b:c}", "a: 'b'c",
      "\(String(repeating: "k", count: 1001)): a",
      "a: b\u{85}", "a: \u{2028}b", "---\n---\na: b",
      String(repeating: "- ", count: YAMLLimit.depth + 1) + "a",
    ])
  func `other texts are left to libyaml`(text: String) {
    #expect(!isRead(Array(text.utf8)))
  }

  @Test(arguments: seeds, 0..<8)
  func `mutations are read as libyaml reads them`(seed: String, number: Int) {
    var chance = SeededRandom(state: UInt64(number) &* 7919 &+ 1)
    var count = 0
    for _ in 0..<300 {
      var bytes = Array(seed.utf8)
      for _ in 0...chance.below(3) { mutate(&bytes, &chance) }
      if isRead(bytes) { count += 1 }
    }
    #expect(count > 20, "too few mutations are of the usual form to show anything")
  }

  private struct SeededRandom {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
  }

  private func mutate(_ bytes: inout [UInt8], _ chance: inout SeededRandom) {
    let at = chance.below(bytes.count + 1)
    switch chance.below(6) {
    case 0: bytes.insert(UInt8(chance.below(128)), at: at)
    case 1: bytes.removeSubrange(at..<min(bytes.count, at + chance.below(5)))
    case 2: bytes.insert(contentsOf: bytes[0..<min(at, 20)], at: at)
    default: bytes.insert(contentsOf: Self.pieces[chance.below(Self.pieces.count)].utf8, at: at)
    }
  }

  /// Returns whether a text is of the usual form. If so, libyaml must read the same from it.
  private func isRead(_ text: [UInt8]) -> Bool {
    let check = SourceCheck(text, file: 3)
    return check.bytes.withUnsafeBufferPointer { bytes in
      let start = bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
      let builder = TreeBuilder(source: bytes, file: 3)
      guard let usual = UsualFormReader.read(into: builder, from: start, isASCII: check.isASCII)
      else { return false }
      let other = readWithLibyaml(into: builder, from: start, isASCII: check.isASCII)
      #expect(usual.documents.map(\.root.description) == other.documents.map(\.root.description))
      #expect(usual.diagnostics.map { "\($0)" } == other.diagnostics.map { "\($0)" })
      return true
    }
  }
}

extension YAMLNode {
  /// All of a node with all places.
  fileprivate var description: String {
    let place = "\(range.start)-\(range.end)\(isFlow ? "f" : "")"
    switch content {
    case .scalar(let scalar): return "\(place) \(scalar)"
    case .sequence(let elements): return "\(place) \(elements.map(\.description))"
    case .mapping(let entries):
      return "\(place) \(entries.map { "\($0.keyScalar): \($0.value.description)" })"
    }
  }
}
