import Diagnostics
import Testing

@Suite struct DiagnosticStyleTests {
  @Test(arguments: [
    (ColorChoice.always, false, ["NO_COLOR": "1"], true),
    (.never, true, ["CLICOLOR_FORCE": "1"], false),
    (.auto, true, [:], true),
    (.auto, false, [:], false),
    (.auto, true, ["NO_COLOR": ""], true),
    (.auto, true, ["NO_COLOR": "0"], false),
    (.auto, false, ["CLICOLOR_FORCE": "1"], true),
    (.auto, false, ["CLICOLOR_FORCE": "0"], false),
    (.auto, true, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false),
    (.auto, true, ["TERM": "dumb"], false),
    (.auto, true, ["TERM": "dumb", "CLICOLOR_FORCE": "1"], true),
  ])
  func `the flag decides, then the environment, then the terminal`(
    _ flag: ColorChoice, _ isTerminal: Bool, _ environment: [String: String], _ wanted: Bool
  ) {
    let decided = colorWanted(flag: flag, isTerminal: isTerminal) { environment[$0] }
    #expect(decided == wanted)
  }

  @Test(arguments: [
    ("abc", 3), ("", 0), ("日本", 4), ("e\u{301}", 1), ("\u{301}", 0), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2),
    ("❤", 1), ("1", 1), ("#️⃣", 2), ("→", 1), ("✗", 1), ("\u{1B}", 1), ("\t", 4), ("한", 2), ("ｱ", 1),
    ("Ａ", 2), ("\u{200B}", 8), ("ß", 1), ("…", 1),
  ])
  func `a text is as wide as a terminal draws it`(_ text: String, _ width: Int) {
    #expect(displayWidth(text) == width)
  }

  @Test func `nothing that commands a terminal is left in a visible text`() {
    let all = (0...0x2070).compactMap { Unicode.Scalar($0) } + ["\u{FEFF}"]
    let shown = visibleText(all.reduce(into: "") { $0.unicodeScalars.append($1) })
    let commanding = shown.unicodeScalars.filter {
      $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) || $0.properties.isBidiControl
    }
    #expect(commanding.isEmpty)
  }
}
