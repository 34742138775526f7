import Diagnostics
import Testing

/// A diagnostic and its exact page. In texts, `«` and `»` enclose the labels' ranges.
struct RenderingCase: Sendable, CustomTestStringConvertible {
  var name: String
  var texts: [(path: String, text: String)]
  /// The texts of the labels, in the order of the source.
  var labels: [String] = [""]
  /// The index of the main label.
  var primary = 0
  var facts: [Diagnostic.Fact] = []
  var notes: [Diagnostic.Fact] = []
  var help: String?
  var severity = Diagnostic.Severity.error
  var width = 100
  var page: String

  var testDescription: String { name }

  /// The rendered page.
  func rendered(color: Bool = false) -> String {
    var sources = SourceMap()
    var ranges: [SourceRange] = []
    for (path, text) in texts {
      let marked = MarkedText(text, file: Int32(sources.files.count))
      _ = sources.add(SourceFile(path: path, text: marked.plain))
      ranges += marked.ranges
    }
    var placed = zip(ranges, labels).map { Diagnostic.Label($0, $1) }
    if !placed.isEmpty { placed.insert(placed.remove(at: primary), at: 0) }
    let diagnostic = Diagnostic(
      "some-rule", severity: severity, "the rule in one sentence", labels: placed, facts: facts,
      notes: notes, help: help)
    return render(diagnostic, in: sources, style: DiagnosticStyle(color: color, width: width))
  }
}

/// A text with marked ranges, without the marks.
struct MarkedText {
  private(set) var plain = ""
  private(set) var ranges: [SourceRange] = []

  init(_ text: String, file: Int32) {
    for character in text {
      let offset = Int32(plain.utf8.count)
      switch character {
      case "«": ranges.append(SourceRange(file: file, start: offset, end: offset))
      case "»": ranges[ranges.count - 1].end = offset
      default: plain.append(character)
      }
    }
  }
}

@Suite struct RenderingTests {
  @Test(arguments: placeCases + awkwardTextCases + factCases)
  func `a complaint makes exactly this page`(_ one: RenderingCase) {
    #expect(one.rendered() == one.page + "\n")
  }

  @Test func `the sample of the design is met to the letter`() {
    let text = String(repeating: "\n", count: 40) + "      - «chat»: { delta: \"Hello\" }\n"
    let one = RenderingCase(
      name: "sample", texts: [("scenarios/live/chat.scenario.yaml", text)],
      labels: ["third of 4 in this `expect`, waited 2s"],
      facts: [
        .init("actual", "{ delta: \"Helo\" }   event 5, at 40ms"),
        .init("expected", "{ delta: \"Hello\" }"),
      ],
      notes: [.init("timeline", "0ms POST /v1/chat → 20ms …"), .init("cause", "event 5 ← chat")],
      page: """
        error[some-rule]: the rule in one sentence
          --> scenarios/live/chat.scenario.yaml:41:9
           |
        41 |       - chat: { delta: "Hello" }
           |         ^^^^ third of 4 in this `expect`, waited 2s
           |           actual    { delta: "Helo" }   event 5, at 40ms
           |           expected  { delta: "Hello" }
           = timeline  0ms POST /v1/chat → 20ms …
           = cause     event 5 ← chat
        """)
    #expect(one.rendered() == one.page + "\n")
  }

  @Test func `colours surround words and change none of them`() {
    for one in placeCases + factCases {
      let colored = one.rendered(color: true)
      #expect(colored.contains("\u{1B}[1;3"))
      let parts = colored.split(separator: "\u{1B}[", omittingEmptySubsequences: false)
      let plain = parts.dropFirst().reduce(String(parts[0])) { text, part in
        text + part.drop { $0 != "m" }.dropFirst()
      }
      #expect(plain == one.page + "\n")
    }
  }

  @Test func `a range outside of every text is tolerated`() {
    var sources = SourceMap()
    let file = sources.add(SourceFile(path: "a.yaml", text: "one"))
    let ranges = [(90, 99), (3, 3), (2, 1), (-4, -2), (Int32.max, Int32.min)].map {
      SourceRange(file: file, start: $0.0, end: $0.1)
    }
    for range in ranges {
      let page = render(Diagnostic("x", "rule", labels: [.init(range)]), in: sources)
      #expect(page.hasPrefix("error[x]: rule\n --> a.yaml:1:"))
      #expect(page.contains("1 | one\n"))
    }
  }

  @Test func `several complaints are kept apart by an empty line`() {
    let both = render([Diagnostic("a", "one"), Diagnostic("b", "two")], in: SourceMap())
    #expect(both == "error[a]: one\n\nerror[b]: two\n")
  }

  @Test func `whatever the text and the ranges are, the page is safe and no wider than asked`() {
    var dice = Dice()
    for _ in 0..<2_000 {
      let bytes = (0..<dice.roll(120)).map { _ in dice.byte() }
      var sources = SourceMap()
      let file = sources.add(SourceFile(path: "a.yaml", bytes: bytes))
      let labels = (0..<3).map { _ in
        let start = Int32(dice.roll(140)) - 10
        return Diagnostic.Label(
          SourceRange(file: file, start: start, end: start + Int32(dice.roll(60)) - 5))
      }
      let page = render(
        Diagnostic("a", "b", labels: labels), in: sources, style: DiagnosticStyle(width: 40))
      #expect(page.split(separator: "\n").filter { displayWidth(String($0)) > 40 } == [], "\(page)")
      #expect(page.split(separator: "\n").allSatisfy { visibleText(String($0)) == $0 })
    }
  }
}

/// A generator of reproducible random numbers.
private struct Dice {
  private var state: UInt64 = 7

  mutating func roll(_ sides: UInt64) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % sides)
  }

  /// Returns mostly letters, and sometimes a line break, a tab, or a part of a wide or broken
  /// character.
  mutating func byte() -> UInt8 {
    let odd: [UInt8] = [
      0x0A, 0x09, 0x1B, 0xE7, 0x8C, 0xAB, 0xF0, 0x9F, 0x98, 0x80, 0xC2, 0x9B, 0x0D,
    ]
    return roll(2) == 0 ? UInt8(97 + roll(26)) : odd[roll(UInt64(odd.count))]
  }
}
