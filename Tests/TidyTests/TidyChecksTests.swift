import Testing

/// The checks themselves: a check that cannot fail promises nothing.
@Suite struct TidyChecksTests {
  @Test(arguments: [
    ("let a = 1 // { b", "let a = 1       "),
    ("a /* { /* x */ } */ b", "a                   b"),
    (#"f("{ \" }") {"#, #"f(        ) {"#),
    (##"(#"a" + "b"#)"##, "(           )"),
    (#"x("\(a(")") + "}")}") }"#, "x(                  ) }"),
    ("\"\"\"\n{ \"a\" }\n\"\"\" {", "   \n       \n    {"),
    ("func `it's a {`() {", "func           () {"),
  ])
  func `comments and texts are blanked, code is not`(_ text: String, _ code: String) {
    #expect(codeOnly(text) == code)
  }

  @Test func `functions are measured from their first word to their closing brace`() {
    let text = """
      struct A {
        init(a: () -> Void = {}) { self.a = a }
        func b(
          c: Int
        ) -> Int
        where T: U
        {
          if c { "}" } else { "{" }
        }
        subscript(c: Int) -> Int {
          c
        }
        let f = Array.init
      }
      protocol B {
        func c()
        func d() -> Int
      }
      """
    let lengths = functionLengths(in: SwiftText(path: "a.swift", text: text))
    #expect(lengths.map(\.line) == [1, 2, 9])
    #expect(lengths.map(\.length) == [1, 7, 3])
  }

  @Test(arguments: [
    ("import Foundation", "import Foundation", true),
    ("import FoundationEssentials", "import Foundation", false),
    ("  awaited(x)", "await", false),
    ("  try await x", "await", true),
    ("MyTask {", "Task {", false),
    ("Int.random(in: x)", ".random(", true),
  ])
  func `a phrase is found when it stands by itself`(
    _ line: String, _ phrase: String, _ found: Bool
  ) {
    #expect(holds(line, phrase) == found)
  }

  @Test(arguments: [
    ("public struct Tag: Sendable {", ["Tag"]), ("extension Tag {", []),
    ("  indirect enum A<B> { class func c() }", ["A", "func"]), ("protocol P: AnyObject", ["P"]),
  ])
  func `declared types are found`(_ line: String, _ names: [String]) {
    #expect(declaredTypes(in: line) == names)
  }

  @Test func `the middle of an even number of lengths is the upper one`() {
    #expect(median([]) == 0)
    #expect(median([9, 1]) == 9)
    #expect(median([5, 100, 1]) == 5)
  }

  @Test func `a manifest is read with names, dependencies and tests`() {
    let manifest = """
      let package = Package(
        name: "p",
        targets: [
          // first
          .target(
            name: "A", dependencies: [
              "B", "C",
            ]),
          .systemLibrary(name: "B", pkgConfig: "b-1", providers: [.apt(["libb-dev"])]),
          .testTarget(name: "T"),
        ]
      )
      """
    let expected = [
      ManifestRoom(name: "A", dependencies: ["B", "C"], isTest: false, line: 5),
      ManifestRoom(name: "B", dependencies: [], isTest: false, line: 9),
      ManifestRoom(name: "T", dependencies: [], isTest: true, line: 10),
    ]
    #expect(manifestRooms(in: manifest) == expected)
  }
}
