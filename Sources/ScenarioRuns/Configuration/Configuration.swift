import Diagnostics
import ScenarioPlan
import ScenarioSpec
import Secrets
import YAMLSyntax

/// The configuration of a folder: the files `rehearse.yaml` there and further up, as one.
package struct Configuration: Sendable {
  /// The nearest comes first. In the sources of what is loaded with them, they follow the file that
  /// is loaded.
  package private(set) var files: [SourceFile] = []
  package private(set) var document = ConfigurationDocument(range: .none)
  private(set) var secrets: [NamedSecret] = []
  /// The names of the environments that the files have.
  private(set) var environments: [String] = []
  /// The places of its set-ups in the list of all, the outermost first.
  var setups: [Int] = []
  /// The names that its set-ups capture.
  var setupNames: [SetupName] = []
  /// True once the files are read that its mocks include.
  private var hasLoaded = false

  /// Nothing is configured.
  package static let none = Configuration()

  private init() {}

  init(_ files: [SourceFile], inputs: PlanInputs) {
    self.files = files
    var sources = SourceMap()
    _ = sources.add(SourceFile(path: "", bytes: []))
    var documents: [ConfigurationDocument] = []
    for file in files {
      let tree = parseYAML(file, index: sources.add(file)).value
      secrets += findSecrets(in: tree, inputs: inputs)
      guard var document = decodeConfiguration(tree, in: sources).value else { continue }
      environments += document.environments.map(\.name.value)
      document.choose(inputs.environmentName)
      documents.append(document)
    }
    guard var document = documents.first else { return }
    for outer in documents.dropFirst() { document.complete(by: outer) }
    self.document = document
  }

  /// Fills in what its mocks include. Each scenario file reads these files once.
  mutating func load(with loader: ComponentLoader) {
    guard !hasLoaded else { return }
    hasLoaded = true
    let files = files
    loader.load(&document.endpoints) { files[Int($0.file) - 1].path }
  }

  package var isEmpty: Bool { files.isEmpty }

  /// Returns a path that the configuration names, as it is seen from where the command runs.
  package func resolved(_ path: Located<String>) -> String {
    let number = Int(path.range.file) - 1
    guard files.indices.contains(number) else { return path.value }
    return straightPath(path.value, in: enclosingFolder(of: files[number].path))
  }

  /// Returns the file and the line of something in the configuration.
  package func place(of range: SourceRange) -> (path: String, line: Int)? {
    let number = Int(range.file) - 1
    guard files.indices.contains(number) else { return nil }
    return (files[number].path, files[number].place(of: Int(range.start)).line)
  }

  /// The filter that hides the secrets that are written in the files.
  package var mask: SecretMask { SecretMask(secrets.map(\.text)) }
}

/// The names that the file of a configuration may have.
package let configurationNames = ["rehearse.yaml", "rehearse.yml"]

/// Returns whether a path is that of a configuration.
package func isConfiguration(_ path: String) -> Bool {
  configurationNames.contains { name in
    path.hasSuffix(name) && (path == name || path.hasSuffix("/" + name))
  }
}
