import Diagnostics
import Explanations
import TestKit
import Testing

@testable import rehearse

@Suite struct ExplainTests {
  @Test func `every complaint has a page`() {
    let explained = Set(diagnosticPages.map(\.id.rawValue))
    for made in madeIDs { #expect(explained.contains(made.id), "\(made.id) in \(made.path)") }
    #expect(madeIDs.count > 100)
  }

  @Test func `every page is about a complaint there is`() {
    let made = Set(madeIDs.map(\.id))
    for page in diagnosticPages { #expect(made.contains(page.id.rawValue), "\(page.id)") }
  }

  @Test func `a complaint has one page`() {
    for (page, next) in zip(diagnosticPages, diagnosticPages.dropFirst()) {
      #expect(page.id != next.id)
    }
  }

  @Test func `an id is words in small letters joined by dashes`() {
    for made in madeIDs { #expect(made.id.isKebabCase, "\(made.id) in \(made.path)") }
  }

  @Test(arguments: diagnosticPages)
  func `a page fits on the screen and leaves no part out`(_ page: DiagnosticPage) {
    let parts = [page.title, page.text, page.wrong, page.right]
    #expect(parts.allSatisfy { !$0.isEmpty })
    #expect(page.wrong != page.right)
    #expect(!page.title.contains("\n") && page.title.count <= 72)
    #expect(page.text.last == ".")
  }

  @Test(arguments: diagnosticPages(on: .commands).filter { $0.wrong.hasPrefix("rehearse ") })
  func `what is wrong with a command's example is not its form`(_ page: DiagnosticPage) throws {
    for line in [page.wrong, page.right] {
      _ = try parseArguments(Array(shellWords(line).dropFirst())).get()
    }
  }

  @Test func `the examples of environment files are read as their page says`() throws {
    let page = try #require(diagnosticPages(on: .commands).first { $0.id == "environment-line" })
    let wrong = parseEnvironmentFile(page.wrong, path: "test.env")
    #expect(wrong.diagnostics.map(\.id) == [page.id])
    let right = parseEnvironmentFile(page.right, path: "test.env")
    #expect(right.diagnostics == [])
    #expect(right.value.map(\.name) == ["CATFACTS_URL"])
  }

  @Test(arguments: [
    ("takeLast", "write `suffix: 3`"), ("$greater", "write `$gt: 3`"),
    ("tap", "leave it out: `expect` and the log see what a stream emits"),
    ("debonce", "did you mean `debounce`?"),
    ("qqqqqq", "`rehearse docs qqqqqq` searches the pages of the documentation"),
  ])
  func `a word that nothing has leads to what is written here`(_ word: String, _ help: String) {
    #expect(helpInsteadOf(word) == help)
  }

  @Test(arguments: [
    ("out-of-order", "Wrong:"), ("sortBy", "list.sortBy(x, key)"),
    ("regex.extract", "regex.extract(string, string) → optional(string)"),
    ("extract", "regex.extract: a function of expressions"), ("uuid()", "uuid() → string"),
    ("count", "count(source, condition)"), ("request", "request: a step"),
    ("debounce", "debounce: an operator of streams"), ("$startsWith", "$startsWith: a matcher"),
    ("anyOrder", "anyOrder: a key of “An entry of an `expect` list”"), ("anyOrder", "a matcher"),
    ("seed", "Fixes all random decisions"),
  ])
  func `everything with a name is explained`(name: String, part: String) {
    let found = explanations(named: name).joined(separator: "\n")
    #expect(found.contains(part), "\(found)")
  }

  @Test func `what has no name is not explained`() {
    #expect(explanations(named: "sortby") == [] && explanations(named: "") == [])
  }

  @Test func `the pages stand in the order of their ids`() {
    #expect(diagnosticPages.map(\.id) == diagnosticPages.map(\.id).sorted())
  }
}

/// Each id that a source file gives to a diagnostic, with the file.
private let madeIDs: [(id: String, path: String)] =
  filePaths(below: "Sources").filter { $0.hasSuffix(".swift") }
  .flatMap { path in idsGiven(in: fileText(path) ?? "").map { ($0, path) } }

/// The texts that stand first in a call that makes a complaint, or give a constant its id.
private func idsGiven(in source: String) -> [String] {
  ["Diagnostic(", "CELProblem(", "UsageProblem("].flatMap { name in
    source.split(separator: name, omittingEmptySubsequences: false).dropFirst()
      .compactMap { firstText($0) }
  } + idsNamed(in: source)
}

private func firstText(_ code: Substring) -> String? {
  let code = code.drop { $0 == " " || $0 == "\n" }
  guard code.first == "\"" else { return nil }
  return String(code.dropFirst().prefix { $0 != "\"" })
}

/// `static let splitByComma: DiagnosticID = "split-by-comma"` gives one, and
/// `let id: DiagnosticID = nothingLeft ? "nothing-left" : "eventually-failed"` gives two.
private func idsNamed(in source: String) -> [String] {
  source.split(separator: "\n").filter { $0.contains(": DiagnosticID = ") && $0.contains("\"") }
    .flatMap { line in
      line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
}

extension String {
  /// A version at the end of an id has a dot.
  fileprivate var isKebabCase: Bool {
    let words = split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "." }
    return words.allSatisfy { word in
      !word.isEmpty
        && word.utf8.allSatisfy {
          (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (48...57).contains($0)
        }
    }
  }
}
