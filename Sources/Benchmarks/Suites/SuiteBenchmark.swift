import Diagnostics
import Glibc
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Values

/// Measures whole scenarios: from text to verdict, rows of one table, and state alone.
func suiteBenchmark(only figure: String?) {
  if figure == nil || figure == "text-to-verdict" { textToVerdict() }
  if figure == nil || figure == "wide-text-to-verdict" { wideTextToVerdict() }
  if figure == nil || figure == "rows-of-one-table" { rowsOfOneTable() }
  if figure == nil || figure == "state-only-from-plan" { stateOnly() }
}

private func textToVerdict() {
  measure("suite", "text-to-verdict", 1_000, batches(of: httpScenario), runBatch)
}

/// Measures the same with a route, a provider and an action for each of the three requests.
private func wideTextToVerdict() {
  measure("suite", "wide-text-to-verdict", 1_000, batches(of: wideHTTPScenario), runBatch)
}

/// Loads files as `rehearse run` does.
private func batches(of text: (Int) -> String) -> [[SourceFile]] {
  let files = generated(text)
  return stride(from: 0, to: files.count, by: Suite.largestBatch).map {
    Array(files[$0..<min($0 + Suite.largestBatch, files.count)])
  }
}

private func runBatch(_ files: [SourceFile]) {
  for loaded in files.map({ loadScenarios($0) }) { runAll(loaded) }
}

private func generated(_ text: (Int) -> String) -> [SourceFile] {
  (0..<1_000).map { SourceFile(path: "suite/\($0).scenario.yaml", text: text($0)) }
}

private func rowsOfOneTable() {
  let text = tableScenario(rows: 1_000)
  let table = loadScenarios(SourceFile(path: "table.scenario.yaml", text: text))
  measure("suite", "rows-of-one-table", 1_000, [table], runAll)
}

private func stateOnly() {
  let state = loadScenarios(SourceFile(path: "state.scenario.yaml", text: stateScenario))
  let many = [LoadedFile](repeating: state, count: 10_000)
  measure("suite", "state-only-from-plan", many.count, many, runAll)
}

/// Measures loading alone: 1,000 files made into plans.
func loadBenchmark() {
  measure("load", "files", 1_000, generated(wideHTTPScenario)) { file in
    precondition(loadScenarios(file).plans.count == 1)
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

/// Repeats the items for about two seconds of processor time, and prints the best rate of a round.
private func measure<Item>(
  _ benchmark: String, _ figure: String, _ count: Int, _ items: [Item], _ work: (Item) -> Void
) {
  var best = Double.infinity
  let began = processorTime()
  while processorTime() - began < 2 {
    let start = processorTime()
    for item in items { work(item) }
    best = min(best, processorTime() - start)
  }
  printFigure(benchmark, figure, (Double(count) / best).rounded(), "1/CPU-s")
}

/// Three requests to a mock, each awaited and matched.
private func httpScenario(_ number: Int) -> String {
  """
  scenario: Task \(number) is read three times

  endpoints:
    api:
      http:
        - get: /tasks/{id}
          respond: { json: { id: "${request.params.id}", title: Read }, after: 20ms }

  providers:
    task: { endpoint: api, get: "/tasks/${id}", params: [id] }

  reactors:
    tasks:
      state: { task: none }
      actions:
        read:
          params: [id]
          steps: [{ load: { task: { provider: task, with: { id: "${id}" } } } }]

  steps:
    - send: { tasks.read: \(number) }
    - expect:
        - tasks.task: loading
        - api: { get: /tasks/\(number) }
        - tasks.task: { loaded: { id: "\(number)" } }
          after: 20ms
    - send: { tasks.read: 8 }
    - expect:
        api: { get: /tasks/8 }
        tasks.task: [loading, { loaded: { title: Read } }]
    - send: { tasks.read: 9 }
    - expect:
        api: { get: /tasks/9 }
        tasks.task: [loading, { loaded: { id: "9" } }]

  """
}

private func wideHTTPScenario(_ number: Int) -> String {
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
  let text = wideHTTPScenario(7)
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
