import Diagnostics
import Testing

@Suite struct CodePointTests {
  @Test(arguments: [
    ("10\u{A0}EUR", "10 EUR", "3: U+00A0 (no-break space) | U+0020 (space)"),
    ("paid ", "paid", "5: U+0020 (space) | the end"),
    ("a\r\nb", "a\nb", "2: U+000D U+000A | U+000A"),
    (
      "cafe\u{301}", "caf\u{E9}",
      "4: U+0065 U+0301 (latin small letter e, combining acute accent) | "
        + "U+00E9 (latin small letter e with acute)"
    ),
    ("5 \u{212A}", "5 K", "3: U+212A (kelvin sign) | U+004B (latin capital letter k)"),
    (
      "p\u{430}id", "paid",
      "2: U+0430 (cyrillic small letter a) | U+0061 (latin small letter a)"
    ),
    (
      "pa\u{200B}id", "paid",
      "3: U+200B (zero width space) | U+0069 (latin small letter i)"
    ),
    (
      "\u{1F600}", "\u{1F601}",
      "1: U+1F600 (grinning face) | U+1F601 (grinning face with smiling eyes)"
    ),
  ])
  func `a difference that cannot be seen is shown by code points`(
    _ actual: String, _ expected: String, _ difference: String
  ) {
    #expect(
      codePointDifference(actual: actual, expected: expected)
        == "first difference at character " + difference)
  }

  @Test(arguments: [("", ""), ("a", "a"), ("a", "b"), ("Paul", "Paula"), ("é", "éa"), ("1", "l")])
  func `texts that are equal, or whose letters differ, need none`(_ one: String, _ other: String) {
    #expect(codePointDifference(actual: one, expected: other) == nil)
  }

  @Test func `a character of many code points is cut`() {
    let accents = String(repeating: "\u{301}", count: 9)
    let difference = codePointDifference(actual: "e" + accents, expected: "\u{E9}")
    #expect(difference?.contains("U+0065 U+0301 U+0301 U+0301 … (") == true)
  }
}
