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
          .target(
            name: "K", dependencies: ["A"],
            path: "Tests/K"),
        ]
      )
      if isFast { package.targets[0].name = "F" }
      """
    let expected = [
      ManifestTarget(name: "A", dependencies: ["B", "C"], kind: .room, line: 5),
      ManifestTarget(name: "B", dependencies: [], kind: .room, line: 9),
      ManifestTarget(name: "T", dependencies: [], kind: .test, line: 10),
      ManifestTarget(name: "K", dependencies: ["A"], kind: .testLibrary, line: 11),
    ]
    #expect(manifestTargets(in: manifest) == expected)
  }

  @Test func `a phrase without its noun is found in comments on what is public`() {
    let text = SwiftText(
      path: "a.swift",
      text: """
        /// The id, or that of
        /// another one.
        @frozen public struct A {}
        /// The id, or that of another.
        struct B {}
        /// What is kept.
        struct C {}
        // What is no comment on a declaration.
        """)
    let found = unclearPhrases(in: text.publicProse)
    #expect(found == [BannedPhrase(phrase: "that of", line: 0)])
    #expect(text.headlessComments == [5])
    #expect(
      isPermitted("stands", in: "`*` stands for any") && !isPermitted("stands", in: "it stands"))
  }

  @Test func `phrases are found in prose, across the lines of a comment, and not in code`() {
    let text = """
      \u{2F}// It is Told in
      \u{2F}// vain, and retold.
      let told = "comes of it" // a door
      """
    let phrases = bannedPhrases(in: SwiftText(path: "a.swift", text: text).prose)
    #expect(phrases.map(\.phrase) == ["told", "in vain", "comes of it", "door"])
    #expect(phrases.map(\.line) == [0, 0, 2, 2])
  }

  @Test(arguments: [
    ("a 1 x", [:], ["a: 0 x, and 1 are listed: write 0, or leave the line out"]),
    ("a 1 x", ["a": ["a:1"]], []),
    ("a 1 x", ["a": ["a:1", "a:2"]], ["a: 2 x, and 1 are allowed: a:1, a:2"]),
    ("", ["a": ["a:1"]], ["a: 1 x, and 0 are allowed: a:1"]),
  ])
  func `a debt may only become smaller, and its number with it`(
    _ list: String, _ found: [String: [String]], _ problems: [String]
  ) {
    #expect(TidyDebts(list).problems(of: "x", found) == problems)
  }
}
