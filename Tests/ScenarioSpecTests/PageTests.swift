import Diagnostics
import Explanations
import ScenarioSpec
import TestKit
import Testing

private let pages = diagnosticPages(on: .documents)

@Suite struct PageTests {
  static let factoryFiles = [
    "Keys", "Names", "Values", "Steps", "Streams", "DataSources", "Tables", "Connections",
    "Programs",
  ]

  @Test func `every complaint has a page, and every page a complaint`() {
    let ids = Self.factoryFiles.flatMap { file in
      idsOfFactories("Sources/ScenarioSpec/Diagnostics/SpecDiagnostics\(file).swift")
    }
    #expect(Set(ids) == Set(pages.map(\.id.rawValue)))
    #expect(ids.count > 30)
  }

  @Test func `a complaint has one page`() {
    #expect(Set(pages.map(\.id.rawValue)).count == pages.count)
  }

  @Test(arguments: pages.map(\.id.rawValue))
  func `the right example of a page is a scenario`(id: String) throws {
    let page = try #require(pages.first { $0.id.rawValue == id })
    let reading = Reading(page.right, files: page.fileTexts)
    #expect(reading.complaints == [])
    #expect(reading.documents.count == 1)
  }

  /// The example of what is too large would fill the screen.
  @Test(arguments: pages.map(\.id.rawValue).filter { $0 != "table-too-large" })
  func `the wrong example of a page draws this complaint and no other`(id: String) throws {
    let page = try #require(pages.first { $0.id.rawValue == id })
    let reading = Reading(page.wrong, files: page.fileTexts)
    #expect(Set(reading.ids) == [id])
    #expect(reading.documents.isEmpty == reading.diagnostics.hasErrors)
  }
}

/// Returns the first text in each call of `Diagnostic(…)` in a source file.
private func idsOfFactories(_ path: String) -> [String] {
  guard let source = fileText(path) else { return [] }
  let calls = source.split(separator: "Diagnostic(", omittingEmptySubsequences: false).dropFirst()
  return calls.compactMap { call in
    let text = call.drop { $0 == " " || $0 == "\n" }
    guard text.first == "\"" else { return nil }
    return String(text.dropFirst().prefix { $0 != "\"" })
  }
}
