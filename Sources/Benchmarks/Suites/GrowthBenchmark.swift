import Diagnostics
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Values

/// Measures scenarios of which one part is very large, so that work that grows with the square of
/// a part shows.
func growthBenchmark() {
  for shape in shapes {
    let file = SourceFile(path: "\(shape.name).scenario.yaml", text: shape.text())
    let began = processorTime()
    let loaded = loadScenarios(file)
    for plan in loaded.plans where !shape.isWrong {
      let run = runScenario(plan, inputs: RunInputs(seed: 1))
      precondition(run.verdict.outcome == .passed)
    }
    precondition(loaded.plans.isEmpty == shape.isWrong)
    printFigure("growth", shape.name, ((processorTime() - began) * 1_000).rounded(), "ms")
  }
}

private struct Shape: Sendable {
  var name: String
  /// True if the file has errors, of which one complaint each is made.
  var isWrong = false
  var text: @Sendable () -> String
}

private let shapes = [
  Shape(name: "100,000 computed nodes that read the first") {
    scenario(
      graph: ["n: 0"] + (0..<100_000).map { "c\($0): { computed: n + \($0) }" }, ["set: { n: 1 }"])
  },
  Shape(name: "100,000 computed nodes, each before the one that it reads") {
    scenario(
      graph: (0..<100_000).map { "c\($0): { computed: c\($0 + 1) + 1 }" } + ["c100000: 0"],
      ["check: c99999 == 1"])
  },
  Shape(name: "20,000 checks of 20,000 nodes") {
    scenario(
      graph: (0..<20_000).map { "n\($0): 0" }, (0..<20_000).map { "check: n\($0) == 0" })
  },
  Shape(name: "500 wrong names in expressions, 5,000 nodes", isWrong: true) {
    scenario(
      graph: (0..<5_000).map { "node\($0): 0" }, (0..<500).map { "check: nod\($0)x == 0" })
  },
  Shape(name: "500 wrong names in `set`, 5,000 nodes", isWrong: true) {
    scenario(
      graph: (0..<5_000).map { "node\($0): 0" }, (0..<500).map { "set: { nod\($0)x: 0 }" })
  },
  Shape(name: "10,000 reactors") {
    let reactors = (0..<10_000).map {
      "  r\($0): { state: { v: 0 }, actions: { go: [{ set: { v: 1 } }] } }"
    }
    return (["scenario: Growth", "reactors:"] + reactors + ["steps:", "  - send: r0.go"])
      .joined(separator: "\n")
  },
  Shape(name: "10,000 routes") {
    let routes = (0..<10_000).map { "      - { get: \"/p\($0)/{id}\", respond: { json: 1 } }" }
    return
      (["scenario: Growth", "endpoints:", "  api:", "    http:"] + routes
      + ["steps:", "  - request: { endpoint: api, get: /p1/2 }"]).joined(separator: "\n")
  },
  Shape(name: "1,000 invariants, 1,000 changes") {
    let invariants = (0..<1_000).map { "  - always: n <= \(1_000 + $0)" }
    let steps = [
      "steps:", "  - repeat: 1000", "    steps: [{ set: { n: \"${n + 1}\" } }]",
      "  - check: n == 1000",
    ]
    return (["scenario: Growth", "graph: { n: 0 }", "invariants:"] + invariants + steps)
      .joined(separator: "\n")
  },
  Shape(name: "5,000 events in any order") {
    scenario(
      graph: ["v: -1"],
      (0..<5_000).map { "set: { v: \($0) }" }
        + ["expect: [{ anyOrder: [\(list((0..<5_000).reversed()) { "{ v: \($0) }" })] }]"])
  },
  Shape(name: "`$anyOrder` of 5,000 maps") {
    let maps = { (numbers: [Int]) in list(numbers) { "{ id: \($0), name: Task }" } }
    return scenario(
      graph: ["v: []"],
      [
        "set: { v: [\(maps(Array(0..<5_000)))] }",
        "expect: { v: { $anyOrder: [\(maps((0..<5_000).reversed()))] } }",
      ])
  },
]

private func list(_ numbers: [Int], _ text: (Int) -> String) -> String {
  numbers.map(text).joined(separator: ", ")
}

private func scenario(graph: [String], _ steps: [String]) -> String {
  (["scenario: Growth", "graph:"] + graph.map { "  \($0)" } + ["steps:"]
    + steps.map { "  - \($0)" }).joined(separator: "\n")
}
