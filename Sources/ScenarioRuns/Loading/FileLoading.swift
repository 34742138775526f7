import Diagnostics
import ScenarioPlan
import ScenarioSpec
import Secrets
import YAMLSyntax

/// The way of one file from text to plans. Each stage takes what the one before understood, and
/// adds its diagnostics.
struct FileLoading {
  private let file: SourceFile
  private var inputs: PlanInputs
  private let files: ComponentFiles
  private var configuration: Configuration
  private(set) var kind = FileKind.scenarios
  private var sources = SourceMap()
  /// The secrets of this file, and those of the files that it uses.
  private var secrets: [NamedSecret] = []
  private var usedSecrets: [NamedSecret] = []
  /// The values in secret columns of tables.
  private var cells: [String] = []
  /// The diagnostics of the YAML text, and those of all later stages.
  private var syntax: [Diagnostic] = []
  private var later: [Diagnostic] = []
  /// The scalars that are taken as they are written.
  private var textPlaces: Set<SourceRange> = []
  /// The places that name files of values: those of this file, and of the files that it uses.
  private var uses = DataFileUses()
  private var usesElsewhere = DataFileUses()
  /// The documents without a plan.
  private var outlines: [ScenarioPlan] = []

  /// The most documents that are in memory as a whole.
  private static let largestBatch = 256

  init(
    _ file: SourceFile, inputs: PlanInputs, files: ComponentFiles, _ configuration: Configuration
  ) {
    self.file = file
    self.inputs = inputs
    self.files = files
    self.configuration = configuration
    usedSecrets = configuration.secrets
  }

  /// Text → tree.
  mutating func parse() -> [YAMLDocument] {
    let tree = parseYAML(file, index: sources.add(file))
    kind = FileKind(of: tree.value, at: file.path)
    syntax = tree.diagnostics
    if kind == .configuration { syntax.removeAll { $0.id == "empty-file" } }
    for file in configuration.files { _ = sources.add(file) }
    if !syntax.isEmpty, let help = helpForForeignText(file.bytes) {
      for index in syntax.indices { syntax[index].help = help }
    }
    return tree.value
  }

  /// Tree → plans, one batch of documents after the other. Of a batch only its plans stay, so that
  /// a file of many documents takes little more memory than its plans.
  mutating func makePlans(_ tree: consuming [YAMLDocument]) -> [ScenarioPlan] {
    let tables = TableLoader(sources, files: files, folder: enclosingFolder(of: file.path))
    let loader = ComponentLoader(sources, files: files)
    let damaged = syntax.filter { $0.severity == .error }
      .compactMap { $0.labels.first?.range.start }.sorted()
    var plans: [ScenarioPlan] = []
    plans.reserveCapacity(tree.count)
    var rest = Array(tree.reversed())
    tree = []
    while !rest.isEmpty {
      let batch = Array(rest.suffix(FileLoading.largestBatch).reversed())
      rest.removeLast(batch.count)
      let complete = include(decode(batch, tables), loader)
      plans += compile(complete, damaged)
      secrets += findSecrets(in: batch, inputs: inputs)
    }
    later += titlesGivenTwice(plans)
    let shelved = plans.withSnapshots(of: file.path, files)
    later += shelved.diagnostics
    if shelved.value.count < plans.count {
      let kept = Set(shelved.value.map(\.extent))
      outlines += plans.filter { !kept.contains($0.extent) }.map(\.outline)
    }
    return shelved.value
  }

  /// Tree → documents.
  private mutating func decode(
    _ tree: [YAMLDocument], _ tables: TableLoader
  ) -> DecodedScenarios {
    tables.sources = sources
    let documents = decodeScenarios(tree, in: sources, tables: TableFiles(tables))
    sources = tables.sources
    later += documents.diagnostics
    textPlaces.formUnion(documents.textPlaces)
    uses = tables.uses
    cells += documents.value.secretCells
    return documents.value
  }

  /// Documents → documents with the components they use and the steps they include.
  private mutating func include(
    _ documents: consuming DecodedScenarios, _ loader: ComponentLoader
  ) -> DecodedScenarios {
    var complete = documents
    loader.sources = sources
    configuration.load(with: loader)
    for index in complete.whole.indices {
      if let rest = inputs.continuation, complete.whole[index].title.range == rest.scenario {
        complete.whole[index].goOn(after: rest.kept, withStepsOf: rest.file)
      }
      loader.load(&complete.whole[index], of: file.path)
    }
    for index in complete.partial.indices {
      loader.load(&complete.partial[index].document, of: file.path)
    }
    take(loader)
    return complete
  }

  /// Complete documents → plans, without those whose text could not be read as a whole.
  private mutating func compile(
    _ documents: DecodedScenarios, _ damaged: [Int32]
  ) -> [ScenarioPlan] {
    prepareInputs()
    var plans: [ScenarioPlan] = []
    var documents = documents
    configure(&documents)
    for document in documents.whole {
      let compiled = compileScenario(document, inputs: inputs)
      textPlaces.formUnion(compiled.textPlaces)
      // What is wrong with the text may be the reason why there are no steps.
      later += labelling(compiled.diagnostics, of: document.range)
        .filter { syntax.isEmpty || $0.id != "no-steps" }
      if let plan = compiled.value, !plan.extent.holds(anyOf: damaged) {
        plans.append(plan)
      } else {
        outlines.append(ScenarioPlan(outlineOf: document))
      }
    }
    // If YAML read something else than its author meant, names may be missing that are there.
    if syntax.isEmpty {
      later += documents.partial.flatMap {
        labelling(diagnose($0, inputs, in: sources), of: $0.document.range)
      }
    }
    outlines += documents.partial.map { ScenarioPlan(outlineOf: $0.document) }
    outlines += documents.unreadable.map { ScenarioPlan(untitledAt: $0) }
    return plans
  }

  private mutating func prepareInputs() {
    inputs.paths = sources.files.map(\.path)
    inputs.configurationFiles = configuration.files.count
    inputs.readJSON = { [files] path in
      files.willRead(path)
      return readJSON(path)
    }
    inputs.readFile = { [files] path in
      files.willRead(path)
      return readContents(path)
    }
  }

  /// Complete documents → documents with what the configuration gives them.
  private func configure(_ documents: inout DecodedScenarios) {
    guard !configuration.isEmpty else { return }
    let used = namesInUsedFiles
    for index in documents.whole.indices { configure(&documents.whole[index], used) }
    for index in documents.partial.indices { configure(&documents.partial[index].document, used) }
  }

  private func configure(_ document: inout ScenarioDocument, _ used: Set<String>) {
    let names = sources.identifiers(in: document.range).union(used)
    document.complete(
      by: configuration.document, setupNames: configuration.setupNames, naming: names, in: sources)
  }

  /// The names in the components, steps and tables of a scenario.
  private var namesInUsedFiles: Set<String> {
    var names: Set<String> = []
    for number in sources.files.indices.dropFirst(1 + configuration.files.count) {
      let all = SourceRange(file: Int32(number), start: 0, end: .max)
      names.formUnion(sources.identifiers(in: all))
    }
    return names
  }

  /// Diagnoses a configuration by itself, and makes the plan of its set-up.
  mutating func makeSetup(_ tree: [YAMLDocument]) -> [ScenarioPlan] {
    secrets = findSecrets(in: tree, inputs: inputs)
    let decoded = decodeConfiguration(tree, in: sources)
    later += decoded.diagnostics
    guard var document = decoded.value else { return [] }
    var setup = document.setupDocument
    let loader = ComponentLoader(sources, files: files)
    loader.load(&setup, of: file.path)
    loader.load(&document.endpoints) { _ in file.path }
    for place in document.environments.indices {
      loader.load(&document.environments[place].settings.endpoints) { _ in file.path }
    }
    configuration.load(with: loader)
    take(loader)
    prepareInputs()
    // All of it is checked, but only what the set-up names needs the environment to run.
    let whole = SourceRange(file: 0, start: 0, end: .max)
    let unset: DiagnosticID = "unset-environment"
    for name in [nil] + document.environments.map(\.name.value) {
      var chosen = document
      chosen.choose(name)
      later += compile(setup, by: chosen, naming: sources.identifiers(in: whole)).diagnostics
        .filter { $0.id != unset && $0.id != "no-steps" }
    }
    document.choose(inputs.environmentName)
    guard let steps = document.setup else { return [] }
    let names = sources.identifiers(in: steps.range).union(namesInUsedFiles)
    let compiled = compile(setup, by: document, naming: names)
    later += compiled.diagnostics.filter { $0.id == unset }
    guard let plan = compiled.value, !syntax.hasErrors else { return [] }
    let setUp = plan.changed { $0.setup = steps.range }
    let shelved = [setUp].withSnapshots(of: file.path, files)
    later += shelved.diagnostics
    return shelved.value
  }

  private func compile(
    _ setup: ScenarioDocument, by own: ConfigurationDocument, naming names: Set<String>
  ) -> Diagnosed<ScenarioPlan?> {
    var setup = setup
    var complete = own
    complete.complete(by: configuration.document)
    setup.complete(
      by: complete, setupNames: configuration.setupNames, naming: names, in: sources)
    return compileScenario(setup, inputs: inputs)
  }

  private mutating func withTables<Part>(_ decode: (SourceMap, TableFiles) -> Part) -> Part {
    let tables = TableLoader(sources, files: files, folder: enclosingFolder(of: file.path))
    defer { (sources, uses) = (tables.sources, tables.uses) }
    return decode(sources, TableFiles(tables))
  }

  /// Diagnoses a component by itself, without a file that uses it.
  mutating func diagnoseComponent(_ tree: [YAMLDocument]) {
    if tree.isEmpty { return }
    secrets = findSecrets(in: tree, inputs: inputs)
    let decoded = withTables { decodeComponent(tree, in: $0, tables: $1) }
    later += decoded.diagnostics
    guard var component = decoded.value else { return }
    let loader = ComponentLoader(sources, files: files)
    loader.load(&component.stage, of: file.path)
    take(loader)
    later += labelling(checkComponent(component, inputs: inputs), of: component.range)
  }

  /// Diagnoses a file of steps by itself, as far as that is possible without a stage.
  mutating func diagnoseSteps(_ tree: [YAMLDocument]) {
    if tree.isEmpty { return }
    secrets = findSecrets(in: tree, inputs: inputs)
    let decoded = withTables { decodeSteps(tree, in: $0, tables: $1) }
    later += decoded.diagnostics
    guard var document = decoded.value else { return }
    let loader = ComponentLoader(sources, files: files)
    loader.load(&document, of: file.path)
    take(loader)
  }

  /// Folds the diagnostics, and hides the secrets of the file in all that leaves it.
  func finish(_ found: consuming [ScenarioPlan]) -> LoadedFile {
    var known: Set<String> = []
    let named = self.secrets + usedSecrets
    var plans = found
    let texts =
      plans.flatMap(\.secrets) + named.map(\.text) + anchorsOnNothing(syntax + later, in: sources)
    let secrets = texts.filter { known.insert($0).inserted }
    let literals = plans.flatMap(\.literalSecrets)
    var mask = SecretMask(secrets + literals).adding(cells)
    if !syntax.isEmpty || !later.isEmpty {
      let quoted = QuotedSecrets(in: sources)
      mask = mask.adding(quoted.literals)
      if quoted.areUnknown { mask.extent = .values }
    }
    let syntax = mask.extent == .values ? syntax.map(\.withoutValues) : syntax
    var names: [String: String] = [:]
    for secret in named where names[secret.text] == nil { names[secret.text] = secret.name }
    for index in plans.indices {
      names.merge(plans[index].secretNames) { _, compiled in compiled }
    }
    // Reports quote the lines of a file. They may hold secrets of other scenarios, and secrets that
    // a value from outside replaces.
    for index in plans.indices
    where plans[index].secrets != secrets || plans[index].secretNames != names
      || plans[index].literalSecrets != literals
    {
      plans[index] = plans[index].changed {
        ($0.secrets, $0.secretNames, $0.literalSecrets) = (secrets, names, literals)
      }
    }
    let diagnostics = foldComplaints(syntax, later.onceInOtherFiles(), textPlaces: textPlaces)
      .map { $0.hidden(by: mask) }
    var broken: [BrokenScenario] = []
    if kind == .scenarios {
      broken = brokenScenarios(outlines, besides: plans, diagnostics, in: file)
      for index in broken.indices where !secrets.isEmpty {
        broken[index].outline = broken[index].outline.changed { $0.secrets = secrets }
      }
    }
    return LoadedFile(
      kind: kind, sources: sources, plans: plans, broken: broken, diagnostics: diagnostics,
      mask: mask)
  }

  private mutating func take(_ loader: ComponentLoader) {
    sources = loader.sources
    let found = loader.takeFindings()
    usedSecrets += findSecrets(in: found.trees, inputs: inputs)
    later += found.diagnostics
    usesElsewhere.add(found.uses)
  }

  private func labelling(
    _ diagnostics: [Diagnostic], of document: SourceRange
  ) -> [Diagnostic] {
    usesElsewhere.labelling(uses.labelling(diagnostics, of: document), of: document)
  }
}

extension SourceRange {
  /// Returns whether one of these places, in their order, lies within. A part of the text that was
  /// left out may matter.
  fileprivate func holds(anyOf places: [Int32]) -> Bool {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < start { low = middle + 1 } else { high = middle }
    }
    return low < places.count && places[low] <= end
  }
}
