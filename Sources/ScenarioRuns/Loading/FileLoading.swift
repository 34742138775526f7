import Diagnostics
import ScenarioPlan
import ScenarioSpec
import Values
import YAMLSyntax

/// The way of one file from text to plans. Each stage takes what the one before understood, and
/// adds its diagnostics.
struct FileLoading {
  private let file: SourceFile
  private var inputs: PlanInputs
  private let files: ComponentFiles
  private(set) var kind = FileKind.scenarios
  private var sources = SourceMap()
  /// The documents of this file and of those it uses, in which secrets are looked for.
  private var trees: [YAMLDocument] = []
  /// The values in secret columns of tables.
  private var cells: [String] = []
  /// The diagnostics of the YAML text, and those of all later stages.
  private var syntax: [Diagnostic] = []
  private var later: [Diagnostic] = []
  /// The documents that the plans are made from.
  private var documents = DecodedScenarios()

  init(_ file: SourceFile, inputs: PlanInputs, files: ComponentFiles) {
    self.file = file
    self.inputs = inputs
    self.files = files
  }

  /// Text → tree.
  mutating func parse() -> [YAMLDocument] {
    let tree = parseYAML(file, index: sources.add(file))
    kind = FileKind(of: tree.value, at: file.path)
    syntax = tree.diagnostics
    trees = tree.value
    return tree.value
  }

  /// Tree → documents.
  mutating func decode(_ tree: [YAMLDocument]) -> DecodedScenarios {
    let tables = TableLoader(sources, files: files, folder: folder(of: file.path))
    let documents = decodeScenarios(tree, in: sources, tables: TableFiles { tables.open($0) })
    sources = tables.sources
    later += documents.diagnostics
    cells = documents.value.secretCells
    return documents.value
  }

  /// Documents → documents with the components they use and the steps they include.
  mutating func include(_ documents: DecodedScenarios) -> DecodedScenarios {
    let loader = ComponentLoader(sources, files: files)
    var complete = documents
    for index in complete.whole.indices { loader.load(&complete.whole[index], of: file.path) }
    for index in complete.partial.indices {
      loader.load(&complete.partial[index].document, of: file.path)
    }
    take(loader)
    return complete
  }

  /// Complete documents → plans with their snapshots.
  mutating func compile(_ documents: DecodedScenarios) -> [ScenarioPlan] {
    self.documents = documents
    inputs.paths = sources.files.map(\.path)
    inputs.readJSON = readJSON
    let compiled = documents.whole.map { [inputs] in compileScenario($0, inputs: inputs) }
    // What is wrong with the text may be the reason why there are no steps.
    later += compiled.flatMap(\.diagnostics).filter { syntax.isEmpty || $0.id != "no-steps" }
    // If YAML read something else than its author meant, names may be missing that are there.
    if syntax.isEmpty {
      later += documents.partial.flatMap { diagnose($0, inputs, in: sources) }
    }
    let plans = compiled.compactMap(\.value).filter { hasWholeText($0) }
    let shelved = plans.withSnapshots(of: file.path, files)
    later += shelved.diagnostics
    return shelved.value
  }

  /// Diagnoses a component by itself, without a file that uses it.
  mutating func diagnoseComponent(_ tree: [YAMLDocument]) {
    if tree.isEmpty { return }
    let decoded = decodeComponent(tree, in: sources)
    later += decoded.diagnostics
    guard var component = decoded.value else { return }
    let loader = ComponentLoader(sources, files: files)
    loader.load(&component.stage, of: file.path)
    take(loader)
    later += checkComponent(component, inputs: inputs)
  }

  /// Diagnoses a file of steps by itself, as far as that is possible without a stage.
  mutating func diagnoseSteps(_ tree: [YAMLDocument]) {
    if tree.isEmpty { return }
    let decoded = decodeSteps(tree, in: sources)
    later += decoded.diagnostics
    guard var document = decoded.value else { return }
    let loader = ComponentLoader(sources, files: files)
    loader.load(&document, of: file.path)
    take(loader)
  }

  /// Folds the diagnostics, and hides the secrets of the file in all that leaves it.
  func finish(_ plans: [ScenarioPlan]) -> LoadedFile {
    var known: Set<String> = []
    let named = findSecrets(in: trees, inputs: inputs)
    let found = plans.flatMap(\.secrets) + named.map(\.text)
    let secrets = found.filter { known.insert($0).inserted }
    let mask = SecretMask(secrets).adding(cells)
    var names: [String: String] = [:]
    for secret in named where names[secret.text] == nil { names[secret.text] = secret.name }
    for plan in plans { names.merge(plan.secretNames) { _, compiled in compiled } }
    var plans = plans
    // Reports quote the lines of a file. They may hold secrets of other scenarios, and secrets that
    // a value from outside replaces.
    for index in plans.indices {
      plans[index].secrets = secrets
      plans[index].secretNames = names
    }
    let diagnostics = foldComplaints(syntax, later.onceInOtherFiles())
      .map { $0.masked(by: mask.masked(page:)) }
    var broken: [BrokenScenario] = []
    if kind == .scenarios {
      broken = brokenScenarios(of: documents, besides: plans, diagnostics, in: file)
      for index in broken.indices { broken[index].outline.secrets = secrets }
    }
    return LoadedFile(
      kind: kind, sources: sources, plans: plans, broken: broken, diagnostics: diagnostics,
      mask: mask)
  }

  private mutating func take(_ loader: ComponentLoader) {
    sources = loader.sources
    trees += loader.trees
    later += loader.diagnostics
  }

  /// Returns whether all of a scenario's text could be read. A part that was left out may matter.
  private func hasWholeText(_ plan: ScenarioPlan) -> Bool {
    !syntax.contains { complaint in
      guard complaint.severity == .error, let place = complaint.labels.first?.range else {
        return false
      }
      return plan.extent.start <= place.start && place.start <= plan.extent.end
    }
  }
}
