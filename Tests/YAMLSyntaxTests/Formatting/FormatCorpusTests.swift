import Diagnostics
import Glibc
import TestKit
import Testing
import YAMLSyntax

/// The formatter on all files that are shipped, and on files that chance has changed.
@Suite struct FormatCorpusTests {
  private static let files = filePaths(below: "scenarios").filter { $0.hasSuffix(".yaml") }

  @Test func `every shipped scenario has the one form`() {
    let shipped = Self.files.filter { path in
      [".scenario.yaml", ".component.yaml", ".steps.yaml", "/rehearse.yaml"].contains {
        path.hasSuffix($0)
      }
    }
    let others = shipped.filter { path in
      let bytes = fileBytes(path) ?? []
      return formatYAML(SourceFile(path: path, bytes: bytes)) != .formatted(bytes)
    }
    #expect(others == [], "`rehearse fmt` writes them")
  }

  @Test(arguments: files)
  func `a formatted file has the same values and comments, and is its own form`(
    path: String
  ) {
    check(fileBytes(path) ?? [])
  }

  @Test(arguments: 0..<8)
  func `a file that was changed at random keeps its values and comments, or is left alone`(
    seed: Int
  ) {
    var chance = SeededRandom(state: UInt64(seed) &* 7919 &+ 1)
    let count = getenv("FORMAT_MUTATIONS").flatMap { Int(String(cString: $0)) } ?? 200
    for _ in 0..<count {
      var bytes = fileBytes(Self.files[chance.below(Self.files.count)]) ?? []
      for _ in 0...chance.below(4) { mutate(&bytes, &chance) }
      check(bytes)
    }
  }

  private func check(_ bytes: [UInt8]) {
    let file = SourceFile(path: "t", bytes: bytes)
    guard case .formatted(let form) = formatYAML(file) else { return }
    let formed = SourceFile(path: "t", bytes: form)
    let (before, after) = (parseYAML(file, index: 0).value, parseYAML(formed, index: 0).value)
    #expect(before.map(\.root.value) == after.map(\.root.value), "\(bytes)")
    #expect(formatYAML(formed) == .formatted(form), "\(String(decoding: bytes, as: UTF8.self))")
    #expect(hashes(bytes) == hashes(form), "\(String(decoding: bytes, as: UTF8.self))")
  }

  /// The number of `#` in a file: one that a comment has lost or won is seen in it.
  private func hashes(_ bytes: [UInt8]) -> Int {
    bytes.count { $0 == UInt8(ascii: "#") }
  }

  private static let pieces = [
    "'", "\"", "[", "]", "{", "}", ": ", " # c\n", "\n", "\n\n", "\t", "- ", "&a ", "*a", "!!str ",
    "|\n", ">-\n", "|+\n", "---\n", "...\n", "\r\n", "é", "\\", ",", "? ", "\n  ", "#", "\n# d\n",
    "{ a: 1 }", "[x, y]", "|2\n", "\n      ", "~",
  ]

  private func mutate(_ bytes: inout [UInt8], _ chance: inout SeededRandom) {
    let at = chance.below(bytes.count + 1)
    switch chance.below(4) {
    case 0, 1: bytes.insert(contentsOf: Self.pieces[chance.below(Self.pieces.count)].utf8, at: at)
    case 2: bytes.removeSubrange(at..<min(bytes.count, at + chance.below(5)))
    default:
      let from = chance.below(bytes.count + 1)
      bytes.insert(contentsOf: bytes[from..<min(from + 20, bytes.count)], at: at)
    }
  }
}

/// A linear congruential generator: the same mutations in every run.
private struct SeededRandom {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
}
