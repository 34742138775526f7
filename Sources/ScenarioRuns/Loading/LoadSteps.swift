import Diagnostics
import ScenarioSpec

/// Loading of the steps that scripts include.
extension ComponentLoader {
  /// Fills in what a file of steps includes.
  func load(_ document: inout StepsDocument, of path: String) {
    open = [(straightened(path), nil)]
    _ = load(&document.steps, Extent())
  }

  /// Fills in what a script includes. The extent is what the scenario holds without it.
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
