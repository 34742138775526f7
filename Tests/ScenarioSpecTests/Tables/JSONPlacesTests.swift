import Testing

@testable import ScenarioSpec

@Suite struct JSONPlacesTests {
  @Test(arguments: [
    ("[]", []), (" [ ] ", []), ("{}", []), ("", []),
    ("[1, true,null ,-2.5e3]", ["1", "true", "null", "-2.5e3"]),
    (#"["a,]", "\"", "\\"]"#, [#""a,]""#, #""\"""#, #""\\""#]),
    (#"[{"a":1,"b":[{},"}"]},[[1],2]]"#, [#"{"a":1,"b":[{},"}"]}"#, "[[1],2]"]),
    ("[\n{ \"é\" : 1 } ,{}\n]", ["{ \"é\" : 1 }", "{}"]),
  ])
  func `the elements of a list have these texts`(_ text: String, _ elements: [String]) {
    #expect(places(text).map { excerpt(text, $0.range) } == elements)
  }

  @Test func `the entries of a map have these texts`() {
    let text = #"[{ "a" : 1, "b\"":[1, {"x": "]"}] ,"c":"" }, {"d":{}}]"#
    let entries = places(text).map { element in
      element.entries.map { "\(excerpt(text, $0.key)) → \(excerpt(text, $0.value))" }
    }
    #expect(
      entries == [
        [#""a" → 1"#, #""b\"" → [1, {"x": "]"}]"#, #""c" → """#], [#""d" → {}"#],
      ])
  }

  @Test(arguments: ["[", "[{", "[{\"a", "[{\"a\":", "[1,", "[\"\\", "[[[", "[}", "[{]", "[{,:"])
  func `of a text that is no JSON no place is outside of it`(text: String) {
    for place in places(text) { #expect(place.range.lowerBound <= text.utf8.count) }
  }

  private func places(_ text: String) -> [JSONElementPlace] {
    Array(text.utf8).withUnsafeBufferPointer(elementPlaces)
  }

  private func excerpt(_ text: String, _ range: Range<Int>) -> String {
    String(decoding: Array(text.utf8)[range], as: UTF8.self)
  }
}
