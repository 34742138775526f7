import ScenarioSpec
import TestKit
import Testing

/// The files that are made from the table.
@Suite struct GeneratedFileTests {
  enum Page: String, CaseIterable {
    case scenarioSchema = "schemas/scenario.schema.json"
    case componentSchema = "schemas/component.schema.json"
    case stepsSchema = "schemas/steps.schema.json"
    case configurationSchema = "schemas/rehearse-config.schema.json"
    case reference = "docs/reference.md"

    var text: String {
      switch self {
      case .scenarioSchema: ScenarioSpec.scenarioSchema()
      case .componentSchema: ScenarioSpec.componentSchema()
      case .stepsSchema: ScenarioSpec.stepsSchema()
      case .configurationSchema: ScenarioSpec.configurationSchema()
      case .reference: referencePage()
      }
    }
  }

  @Test(arguments: Page.allCases)
  func `files made from the table are up to date`(page: Page) {
    let made = page.text
    #expect(
      goldenText(page.rawValue, made: made) == made, "run the tests once with UPDATE_EXPECTED=1")
  }
}
