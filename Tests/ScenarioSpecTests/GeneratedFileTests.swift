import Glibc
import ScenarioSpec
import Testing

/// Files made from the table; `UPDATE_EXPECTED=1` writes them anew.
@Suite struct GeneratedFileTests {
  enum Page: String, CaseIterable {
    case scenarioSchema = "schemas/scenario.schema.json"
    case componentSchema = "schemas/component.schema.json"
    case stepsSchema = "schemas/steps.schema.json"
    case reference = "docs/reference.md"

    var text: String {
      switch self {
      case .scenarioSchema: ScenarioSpec.scenarioSchema()
      case .componentSchema: ScenarioSpec.componentSchema()
      case .stepsSchema: ScenarioSpec.stepsSchema()
      case .reference: referencePage()
      }
    }
  }

  @Test(arguments: Page.allCases)
  func `files made from the table are up to date`(page: Page) {
    let path = packageDirectory + page.rawValue
    let made = page.text
    if getenv("UPDATE_EXPECTED") != nil { writeFile(path, made) }
    #expect(readFile(path) == made, "run the tests once with UPDATE_EXPECTED=1")
  }
}

/// Where the package stands, with a slash at the end.
let packageDirectory: String = {
  let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
  return parts.dropLast(3).joined(separator: "/") + "/"
}()

func readFile(_ path: String) -> String? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = fread(&chunk, 1, chunk.count, file)
    if count == 0 { break }
    bytes += chunk[..<count]
  }
  return String(decoding: bytes, as: UTF8.self)
}

private func writeFile(_ path: String, _ text: String) {
  guard let file = fopen(path, "w") else { return }
  defer { fclose(file) }
  fputs(text, file)
}
