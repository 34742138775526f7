import Diagnostics
import ScenarioPlan
import ScenarioSpec
import Verdicts
import YAMLSyntax

/// The steps that scripts include.
extension ComponentLoader {
  /// Fills in what a script includes; `extent` is what the scenario holds without it.
  func load(_ script: inout ScriptSpec, _ extent: Extent) -> Extent {
    var extent = extent
    for index in script.steps.indices { load(&script.steps[index], &extent) }
    return extent
  }

  private func load(_ step: inout StepSpec, _ extent: inout Extent) {
    guard case .include(var include) = step.kind else {
      step.kind = step.kind.mapScripts { script in
        var script = script
        extent = load(&script, extent)
        return script
      }
      return
    }
    guard let found = steps(include) else { return }
    let count = extent.count + 1 + found.extent.count
    if count > ComponentLimit.includes {
      if !isFull {
        report(.tooManyFiles(include.path.range, .steps, most: ComponentLimit.includes))
      }
      isFull = true
      return
    }
    if open.count - 1 + found.extent.height + 1 > ComponentLimit.depth {
      return report(.filesTooDeep(include.path.range, .steps, most: ComponentLimit.depth))
    }
    extent = Extent(count: count, height: max(extent.height, 1 + found.extent.height))
    include.file = found.document
    step.kind = .include(include)
  }

  private func steps(_ include: IncludeSpec) -> Loaded<StepsDocument>? {
    guard let path = find(include.path, .steps) else { return nil }
    if let first = open.firstIndex(where: { $0.path == path }) {
      report(.fileCycle(include.path.range, .steps, open[first...].map(\.path) + [path]))
      return nil
    }
    if let known = loadedSteps[path] { return known }
    guard open.count <= ComponentLimit.depth else {
      report(.filesTooDeep(include.path.range, .steps, most: ComponentLimit.depth))
      return nil
    }
    let label = Diagnostic.Label(include.path.range, "included here")
    let result = read(path, for: include.path, .steps, label, decodeSteps) {
      load(&$0.steps, Extent())
    }
    loadedSteps[path] = .some(result)
    return result
  }
}

/// Whether a file holds steps by its name.
func isStepsFile(_ path: String) -> Bool {
  path.hasSuffix(".steps.yaml") || path.hasSuffix(".steps.yml")
}

/// A file of steps looked at by itself: all that can be said without a stage.
func loadSteps(
  _ tree: Diagnosed<[YAMLDocument]>, of file: SourceFile, in sources: SourceMap,
  inputs: PlanInputs, components: ComponentFiles
) -> LoadedFile {
  let loader = ComponentLoader(sources, files: components)
  var decoded = tree.value.isEmpty ? Diagnosed(nil) : decodeSteps(tree.value, in: sources)
  if var document = decoded.value {
    loader.open = [(straightened(file.path), nil)]
    _ = loader.load(&document.steps, .init())
    decoded.diagnostics += loader.diagnostics
  }
  let complaints = foldComplaints(tree.diagnostics, decoded.diagnostics.onceInOtherFiles())
  let mask = SecretMask(findSecrets(in: tree.value + loader.trees, inputs: inputs))
  return LoadedFile(
    sources: loader.sources, plans: [], diagnostics: complaints.map { mask.masked($0) },
    mask: mask, isSteps: true)
}
