import Diagnostics
import Explanations
import ScenarioSpec
import Testing

@Suite struct MutationTests {
  @Test(arguments: 0..<8)
  func `whatever is written, complaints have a place and nothing crashes`(seed: Int) {
    var mutation = Mutation(seed: UInt64(seed))
    for _ in 0..<400 {
      let text = mutation.next()
      let reading = Reading(text)
      for diagnostic in reading.diagnostics {
        #expect(hasPlace(diagnostic, in: reading), "\(diagnostic.id) in \(text)")
      }
      #expect(!reading.diagnostics.hasErrors || reading.documents.count < 2)
    }
  }

  @Test(arguments: 100..<104)
  func `the schema accepts whatever the decoder accepts`(seed: Int) {
    var mutation = Mutation(seed: UInt64(seed))
    var accepted = 0
    for _ in 0..<400 {
      let text = mutation.next()
      let reading = Reading(text)
      guard reading.documents.count == 1, reading.diagnostics.isEmpty else { continue }
      accepted += 1
      let refusal = scenarioCheck?.refusal(of: value(of: text))
      #expect(refusal == nil, "\(text)")
    }
    #expect(accepted > 20)
  }

  private func hasPlace(_ diagnostic: Diagnostic, in reading: Reading) -> Bool {
    guard let label = diagnostic.labels.first,
      let file = reading.sources.file(of: label.range)
    else { return false }
    return label.range.start >= 0 && label.range.start <= label.range.end
      && Int(label.range.end) <= file.bytes.count
  }
}

/// Texts that are nearly scenarios.
private struct Mutation {
  private var state: UInt64
  private let seeds = diagnosticPages(on: .documents).map(\.right) + examples.map(\.document)
  private let pieces: [String]

  init(seed: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    pieces =
      Key.allCases.map(\.rawValue) + [
        "{", "}", "[", "]", ": ", "- ", "\n", "  ", "${", "}", "$", "'", "\"", "1", "1s", "true",
        "null", "é", "a.b", "&x ", "*x", "|", "---\n", "#", "{}", "[]", "[[]]", "/", ".", "~",
      ]
  }

  private mutating func random(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(truncatingIfNeeded: (state >> 33) % UInt64(max(1, bound)))
  }

  mutating func next() -> String {
    var text = Array(seeds[random(seeds.count)])
    for _ in 0...random(3) {
      let at = random(text.count + 1)
      let end = min(text.count, at + random(8))
      switch random(4) {
      case 0: text.removeSubrange(at..<end)
      case 1: text.insert(contentsOf: pieces[random(pieces.count)], at: at)
      case 2: text.replaceSubrange(at..<end, with: pieces[random(pieces.count)])
      default: replaceWord(in: &text, at: at)
      }
    }
    return String(text)
  }

  /// Replaces a word by another word of the language.
  private mutating func replaceWord(in text: inout [Character], at: Int) {
    let isWord = { (character: Character) in character.isLetter || character == "$" }
    guard let start = text.indices.dropFirst(at).first(where: { isWord(text[$0]) }) else { return }
    let end = text[start...].firstIndex { !isWord($0) } ?? text.endIndex
    text.replaceSubrange(start..<end, with: Key.allCases[random(Key.allCases.count)].rawValue)
  }
}
