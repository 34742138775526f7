import Diagnostics
import ScenarioPlan
import ScenarioSpec

/// Loading of the steps that scripts include.
extension ComponentLoader {
  /// Fills in what a file of steps includes.
  func load(_ document: inout StepsDocument, of path: String) {
    open = [(straightened(path), nil)]
    _ = load(&document.steps, Extent())
  }

  /// Fills in what the mocks of a configuration include.
  func load(_ endpoints: inout [DefaultEndpoint], of path: (SourceRange) -> String) {
    for index in endpoints.indices {
      open = [(straightened(path(endpoints[index].range)), nil)]
      var extent = Extent()
      endpoints[index].endpoint.mapScripts { load($0, &extent) }
    }
    open = []
  }

  /// Returns a mock's script with what it includes.
  func load(_ script: ScriptSpec, _ extent: inout Extent) -> ScriptSpec {
    var script = script
    extent = load(&script, extent)
    return script
  }

  /// Fills in what a script includes. The extent is what the scenario holds without it.
  func load(_ script: inout ScriptSpec, _ extent: Extent) -> Extent {
    var extent = extent
    for index in script.steps.indices { load(&script.steps[index], &extent) }
    return extent
  }

  private func load(_ step: inout StepSpec, _ extent: inout Extent) {
    guard case .include(var include) = step.kind else {
      step.kind = step.kind.mapScripts { load($0, &extent) }
      return
    }
    guard let found = steps(include) else { return }
    let sum = extent.adding(found.extent, includes: 1)
    guard sum.includes <= ComponentLimit.includes else {
      let _: StepsDocument? = refuse(
        include.path.range, .steps, most: ComponentLimit.includes)
      return
    }
    if open.count - 1 + found.extent.height + 1 > ComponentLimit.depth {
      return report(.filesTooDeep(include.path.range, .steps, most: ComponentLimit.depth))
    }
    extent = sum
    include.file = found.document
    step.kind = .include(include)
  }

  private func steps(_ include: IncludeSpec) -> Loaded<StepsDocument>? {
    guard let path = find(include.path, .steps) else { return nil }
    if let first = open.firstIndex(where: { $0.path == path }) {
      report(.fileCycle(include.path.range, .steps, open[first...].map(\.path) + [path]))
      return nil
    }
    if let known = loadedSteps[.string(path)]?[include.place] { return known }
    guard open.count <= ComponentLimit.depth else {
      report(.filesTooDeep(include.path.range, .steps, most: ComponentLimit.depth))
      return nil
    }
    let label = Diagnostic.Label.include(at: include.path.range)
    let result = read(
      path, for: include.path, .steps, label,
      { decodeSteps($0, in: $1, for: include.place, tables: $2) }, { load(&$0.steps, Extent()) })
    loadedSteps[.string(path), default: [:]][include.place] = .some(result)
    return result
  }
}
