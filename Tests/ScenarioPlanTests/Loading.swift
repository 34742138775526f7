import Diagnostics
import ScenarioPlan
import ScenarioRuns
import Values

/// A text and the plan it was made into, or what there is to say against it.
struct Loading {
  let file: LoadedFile

  /// Variables are given by name with the text and the value of the command line.
  init(
    _ text: String, variables: [PlanInputs.Variable] = [], environment: ValueMap = ValueMap(),
    components: [String: String] = [:]
  ) {
    var inputs = PlanInputs()
    inputs.variables = variables
    inputs.environment = environment
    file = loadScenarios(
      SourceFile(path: "a.yaml", text: text), inputs: inputs, components: .inMemory(components))
  }

  var plan: ScenarioPlan? { file.plans.first }

  var ids: [String] { file.diagnostics.map(\.id.rawValue) }

  /// Each complaint on a line: `3:5 some-id: the message`, and behind `→` the help.
  var complaints: [String] {
    file.diagnostics.map { diagnostic in
      "\(place(of: diagnostic)) \(diagnostic.id): \(diagnostic.message)"
        + (diagnostic.help.map { " → " + $0 } ?? "")
    }
  }

  private func place(of diagnostic: Diagnostic) -> String {
    guard let range = diagnostic.labels.first?.range, let file = file.sources.file(of: range) else {
      return "nowhere"
    }
    let place = file.place(of: Int(range.start))
    return "\(place.line):\(place.column)"
  }

  /// The names of the nodes that are observed, in the order in which they emit.
  var emissionOrder: [String] {
    guard let plan else { return [] }
    return plan.observedNodes.map { plan.nodes[$0].name }
  }
}
