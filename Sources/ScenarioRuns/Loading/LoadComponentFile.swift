import Diagnostics
import ScenarioPlan
import ScenarioSpec
import Verdicts
import YAMLSyntax

/// Whether a file is a component by its name; in a folder only `*.scenario.yaml` is a scenario.
func isComponentFile(_ path: String) -> Bool {
  path.hasSuffix(".component.yaml") || path.hasSuffix(".component.yml")
}

/// A component looked at by itself: all that can be said about it without knowing who uses it.
func loadComponent(
  _ tree: Diagnosed<[YAMLDocument]>, of file: SourceFile, in sources: SourceMap,
  inputs: PlanInputs, components: ComponentFiles
) -> LoadedFile {
  let loader = ComponentLoader(sources, files: components)
  var decoded = tree.value.isEmpty ? Diagnosed(nil) : decodeComponent(tree.value, in: sources)
  if var component = decoded.value {
    loader.load(&component.stage, of: file.path)
    decoded.diagnostics += loader.diagnostics + checkComponent(component, inputs: inputs)
  }
  let complaints = foldComplaints(tree.diagnostics, decoded.diagnostics.onceInOtherFiles())
  let mask = SecretMask(findSecrets(in: tree.value + loader.trees, inputs: inputs))
  return LoadedFile(
    sources: loader.sources, plans: [], diagnostics: complaints.map { mask.masked($0) },
    mask: mask, isComponent: true)
}

extension DecodedScenarios {
  /// Goes through all documents.
  mutating func fillIn(_ body: (inout ScenarioDocument) -> Void) {
    for index in whole.indices { body(&whole[index]) }
    for index in partial.indices { body(&partial[index].document) }
  }
}

/// What makes two complaints one, wherever the component they are about is used.
private struct Mistake: Hashable {
  var id: String
  var message: String
  var place: SourceRange
}

extension [Diagnostic] {
  /// A mistake in a component is told once, however often the component is used; the file that is
  /// loaded is the first of its map.
  func onceInOtherFiles() -> [Diagnostic] {
    var seen: Set<Mistake> = []
    return filter { complaint in
      guard let place = complaint.labels.first?.range, place.file > 0 else { return true }
      return seen.insert(Mistake(id: complaint.id, message: complaint.message, place: place))
        .inserted
    }
  }
}
