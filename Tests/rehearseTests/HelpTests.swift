import Diagnostics
import Explanations
import Testing

@testable import rehearse

@Suite struct HelpTests {
  @Test(arguments: Verb.allCases)
  func `every command has a page that names all its options and its exit codes`(
    _ verb: Verb
  ) throws {
    let page = try helpPage([verb.rawValue, "--help"])
    for option in verb.page.allOptions { #expect(page.contains("--" + option.name.rawValue)) }
    for code in ExitCode.allCases { #expect(page.contains("\n  \(code.rawValue)  ")) }
    #expect(page.contains("\nUsage: rehearse \(verb.rawValue) "))
    #expect(page.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test(arguments: Verb.allCases)
  func `every example of a page is a command line that is understood`(_ verb: Verb) throws {
    for example in verb.page.examples {
      let arguments = shellWords(example.line)
      #expect(arguments.first == "rehearse")
      _ = try parseArguments(Array(arguments.dropFirst())).get()
    }
  }

  @Test func `the overview names every command`() throws {
    let page = try helpPage(["--help"])
    for verb in Verb.allCases { #expect(page.contains("\n  \(verb.rawValue) ")) }
  }

  @Test(arguments: [["run", "--help", "a"], ["run", "a", "-h"], ["eval", "-h"], ["run", "-vh"]])
  func `help is given wherever it is asked for`(_ arguments: [String]) throws {
    #expect(try helpPage(arguments).contains("Usage: rehearse \(arguments[0])"))
  }

  @Test(arguments: diagnosticPages(on: .commandLine))
  func `the wrong example of a page is refused with its id, the right one is understood`(
    _ page: DiagnosticPage
  ) throws {
    let wrong = parseArguments(Array(shellWords(page.wrong).dropFirst()))
    #expect(wrong.problem?.diagnostic.id == page.id)
    _ = try parseArguments(Array(shellWords(page.right).dropFirst())).get()
  }

  @Test func `no command has two options of one name or letter`() {
    for verb in Verb.allCases {
      let options = verb.page.allOptions
      #expect(Set(options.map(\.name)).count == options.count)
      let letters = options.compactMap(\.short)
      #expect(Set(letters).count == letters.count)
    }
  }

  private func helpPage(_ arguments: [String]) throws -> String {
    guard case .help(let page) = try parseArguments(arguments).get() else {
      Issue.record("no help for \(arguments)")
      return ""
    }
    return page
  }
}

/// Returns the words of a command line, split at spaces outside of single quotes.
func shellWords(_ line: String) -> [String] {
  let parts = line.split(separator: "'", omittingEmptySubsequences: false).enumerated()
  let marked = parts.map {
    $0.offset % 2 == 1 ? $0.element.replacing(" ", with: "\u{1}") : $0.element
  }
  return words(marked.joined()).map { $0.replacing("\u{1}", with: " ") }
}
