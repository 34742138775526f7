import Diagnostics
import Glibc
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Values

/// Whole scenarios: from text to verdict, rows of one table, and state alone.
func suiteBenchmark(only figure: String?) {
  if figure == nil || figure == "text-to-verdict" { textToVerdict() }
  if figure == nil || figure == "rows-of-one-table" { rowsOfOneTable() }
  if figure == nil || figure == "state-only-from-plan" { stateOnly() }
}

private func textToVerdict() {
  let files = (0..<1_000).map { number in
    SourceFile(path: "suite/\(number).scenario.yaml", text: httpScenario(number))
  }
  measure("suite", "text-to-verdict", files.count) {
    for file in files { runAll(loadScenarios(file)) }
  }
}

private func rowsOfOneTable() {
  let text = tableScenario(rows: 1_000)
  let table = loadScenarios(SourceFile(path: "table.scenario.yaml", text: text))
  measure("suite", "rows-of-one-table", 1_000) { runAll(table) }
}

private func stateOnly() {
  let state = loadScenarios(SourceFile(path: "state.scenario.yaml", text: stateScenario))
  measure("suite", "state-only-from-plan", 10_000) {
    for _ in 0..<10_000 { runAll(state) }
  }
}

/// Reading alone: 1,000 files made into plans.
func loadBenchmark() {
  let files = (0..<1_000).map { number in
    SourceFile(path: "suite/\(number).scenario.yaml", text: httpScenario(number))
  }
  measure("load", "files", files.count) {
    for file in files { precondition(loadScenarios(file).plans.count == 1) }
  }
}

private func runAll(_ loaded: LoadedFile) {
  for diagnostic in loaded.diagnostics { fatalError(render(diagnostic, in: loaded.sources)) }
  for plan in loaded.plans {
    let rows: [RowPlan?] = plan.columns.isEmpty ? [nil] : plan.rows
    for row in rows {
      let run = runScenario(plan, inputs: RunInputs(seed: 1, row: row))
      precondition(run.verdict.outcome == .passed)
    }
  }
}

/// Repeats a piece of work for about two seconds of processor time and prints its best rate.
private func measure(_ benchmark: String, _ figure: String, _ count: Int, _ work: () -> Void) {
  work()
  var best = Double.infinity
  let began = processorTime()
  while processorTime() - began < 2 {
    let start = processorTime()
    work()
    best = min(best, processorTime() - start)
  }
  printFigure(benchmark, figure, (Double(count) / best).rounded(), "1/CPU-s")
}

/// Three requests to a mock, each awaited and matched.
private func httpScenario(_ number: Int) -> String {
  """
  scenario: Task \(number) is listed, made and read
  tags: [generated]

  endpoints:
    api:
      http:
        - get: /tasks
          respond: { json: [{ id: 1, title: Write }], after: 20ms }
        - post: /tasks
          respond: { status: 201, json: { id: \(number), title: Read }, after: 30ms }
        - get: /tasks/{id}
          respond: { json: { id: \(number), title: Read, done: false }, after: 10ms }

  providers:
    everything: { endpoint: api, get: /tasks }
    make: { endpoint: api, post: /tasks, json: { title: Read } }
    one: { endpoint: api, get: /tasks/\(number), value: "${response.json.title}" }

  reactors:
    tasks:
      state: { list: none, made: none, one: none }
      actions:
        fetch: [{ load: { list: everything } }]
        create: [{ load: { made: make } }]
        read: [{ load: { one: one } }]

  steps:
    - send: tasks.fetch
    - expect:
        - tasks.list: loading
        - api: { get: /tasks }
        - tasks.list: { loaded: [{ id: 1, title: Write }] }
          after: 20ms
    - send: tasks.create
    - expect:
        api: { post: /tasks, json: { title: Read } }
        tasks.made: [loading, { loaded: { id: \(number) } }]
    - send: tasks.read
    - expect:
        api: { get: /tasks/\(number) }
        tasks.one: [loading, { loaded: Read }]

  """
}

private func tableScenario(rows: Int) -> String {
  let text = httpScenario(7)
  let table = (0..<rows).map { "  - { id: r\($0), n: \($0) }" }.joined(separator: "\n")
  return text.replacingFirstLine("tags: [generated]", with: "tags: [generated]\ncases:\n\(table)")
}

extension String {
  fileprivate func replacingFirstLine(_ line: String, with other: String) -> String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0 == line ? other : String($0) }.joined(separator: "\n")
  }
}

private let stateScenario = """
  scenario: A counter tells its parity

  graph:
    count: 0
    isEven: { computed: count % 2 == 0 }
    displayText: { computed: "'Count: ' + string(count) + (isEven ? ' (even)' : ' (odd)')" }

  steps:
    - check: "displayText == 'Count: 0 (even)'"
    - set: { count: 1 }
    - expect: { isEven: false, displayText: "Count: 1 (odd)" }
    - set: { count: 3 }
    - expect: { displayText: "Count: 3 (odd)" }
    - set: { count: 3 }
    - never: [count, isEven, displayText]
  """
