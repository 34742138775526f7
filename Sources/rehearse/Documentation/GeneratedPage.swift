import CEL
import ScenarioPlan
import ScenarioSpec
import TextSearch

/// The pages that are made from the program's own tables. They are files in the repository, and the
/// program can print them without any file.
enum GeneratedPage: String, CaseIterable {
  case index = "docs/README.md"
  case keys = "docs/reference.md"
  case functions = "docs/functions.md"
  case commandLine = "docs/reference/command-line.md"
  case diagnostics = "docs/reference/diagnostics.md"
  case limits = "docs/reference/limits.md"
  case environment = "docs/reference/environment.md"
  case languageModels = "docs/agents/llms.txt"
  case skill = "docs/agents/SKILL.md"

  init?(path: String) { self.init(rawValue: path) }

  var text: String {
    switch self {
    case .index: documentationIndexPage()
    case .keys: referencePage()
    case .functions: functionsPage(stageFunctions)
    case .commandLine: commandLinePage()
    case .diagnostics: diagnosticsReferencePage()
    case .limits: limitsPage()
    case .environment: environmentPage()
    case .languageModels: languageModelsPage()
    case .skill: skillPage()
    }
  }
}
