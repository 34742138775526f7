import Diagnostics
import ScenarioPlan
import ScenarioSpec
import Secrets
import TextSearch
import YAMLSyntax

/// The result of reading a file: plans that can run, and the diagnostics of the text.
package struct LoadedFile: Sendable {
  package var kind: FileKind
  package var sources: SourceMap
  /// The scenarios without errors.
  package var plans: [ScenarioPlan]
  /// The scenarios with errors.
  package var broken: [BrokenScenario] = []
  /// Their texts are masked. The lines of the file that they quote are not.
  package var diagnostics: [Diagnostic]
  /// Hides the secrets of the file, also those of scenarios with errors.
  package var mask: SecretMask
}

/// The contents of a file.
package enum FileKind: Sendable {
  case scenarios
  /// A part of a stage for other files to use. There is nothing to run.
  case component
  /// Steps for other files to include. There is nothing to run.
  case steps
  /// The settings that scenarios share. Its only plan is the plan of its set-up.
  case configuration
}

extension FileKind {
  /// Finds the kind by the file's name. A component is also known by its first document.
  init(of documents: [YAMLDocument], at path: String) {
    if isConfiguration(path) {
      self = .configuration
    } else if path.isNamed("component") || isComponent(documents) {
      self = .component
    } else {
      self = path.isNamed("steps") ? .steps : .scenarios
    }
  }
}

extension String {
  /// Returns whether it is the path of a file such as `name.component.yaml`.
  fileprivate func isNamed(_ kind: String) -> Bool {
    guard utf8.last == UInt8(ascii: "l"), contains(kind) else { return false }
    return hasSuffix(".\(kind).yaml") || hasSuffix(".\(kind).yml")
  }
}
