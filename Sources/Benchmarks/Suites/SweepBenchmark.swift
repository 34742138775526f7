import Diagnostics
import Glibc
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Values

/// Measures sweeps: disturbed runs of one loaded plan, all courses of a folder, and the memory of
/// many runs.
func sweepBenchmark(folder: String) {
  if let plan = loadScenarios(SourceFile(path: "shop.scenario.yaml", text: shopScenario)).plans
    .first
  {
    disturbedRuns(of: plan)
  }
  for name in ["live", "licensing"] { sweepAll(of: "\(folder)/\(name)") }
}

/// Sweeps a scenario again and again for about two seconds of processor time.
private func disturbedRuns(of plan: ScenarioPlan) {
  let shared = SharedPlan(plan)
  var best = 0.0
  var courses = 0
  var memory = 0
  let began = processorTime()
  while processorTime() - began < 2 {
    let start = processorTime()
    let result = sweepScenario(
      shared, inputs: RunInputs(seed: 1), sources: SourceMap(), options: SweepOptions())
    precondition(result.good.outcome == .passed && result.groups.isEmpty)
    best = max(best, Double(result.places) / (processorTime() - start))
    courses += result.places
    // What is needed once, as the memory of the allocator, is needed by then.
    if memory == 0, courses > 1_000 { memory = mostKilobytes() }
  }
  printFigure("sweep", "disturbed-runs", best.rounded(), "1/CPU-s")
  printFigure("sweep", "growth", Double(mostKilobytes() - memory) / Double(courses), "KB/run")
}

/// Sweeps all scenarios of a folder, with a run on each core.
private func sweepAll(of folder: String) {
  guard case .files(let files) = findFiles(at: folder) else { return }
  var options = SweepOptions()
  let workers = Workers(processorCount())
  options.workers = workers
  let start = wallClock()
  let courses = resultsInOrder(of: files, by: workers) { [options] path in
    coursesTried(in: path, options)
  }
  printFigure("sweep", folder, Double(wallClock() - start) / 1_000, "ms")
  printFigure("sweep", "\(folder): runs", Double(courses.reduce(0, +)), "1")
}

/// Sweeps the scenarios of a file, and returns the number of courses.
private func coursesTried(in path: String, _ options: SweepOptions) -> Int {
  guard case .success(let bytes) = readFile(path) else { return 0 }
  let loaded = loadScenarios(SourceFile(path: path, bytes: bytes))
  var courses = 0
  for plan in loaded.plans where plan.reasonNotToSweep() == nil {
    let rows: [RowPlan?] = plan.columns.isEmpty ? [nil] : plan.rows
    for row in rows {
      courses +=
        sweepScenario(
          SharedPlan(plan), inputs: RunInputs(seed: plan.seed ?? 0, row: row),
          sources: loaded.sources, options: options
        ).places
    }
  }
  return courses
}

private func mostKilobytes() -> Int {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return usage.ru_maxrss
}

/// Ten steps, one stream and three requests, whose client makes up for what is lost.
private let shopScenario = """
  scenario: A shop shows prices and takes an order
  endpoints:
    shop:
      resumable: true
      sse:
        - accept: { path: /prices }
          script:
            - event: { id: "1", data: "10" }
            - wait: 1s
            - event: { id: "2", data: "12" }
            - wait: 1s
            - event: { id: "3", data: "11" }
            - wait: forever
      http:
        - get: /items
          respond: { json: [{ id: 1 }], after: 20ms }
        - get: /items/{id}
          respond: { json: { id: 1, title: Tea }, after: 20ms }
        - put: /orders/7
          respond: { json: { id: 7 }, after: 20ms }
  connections:
    prices:
      sse: { endpoint: shop, path: /prices }
      retry: { maxAttempts: 9, initialDelay: 1s }
  providers:
    items: { endpoint: shop, get: /items, retry: { maxAttempts: 9, initialDelay: 1s } }
    item: { endpoint: shop, get: /items/1, retry: { maxAttempts: 9, initialDelay: 1s } }
    order: { endpoint: shop, put: /orders/7, retry: { maxAttempts: 9, initialDelay: 1s } }
  reactors:
    page:
      state: { items: none, item: none, order: none }
      actions:
        list: [{ load: { items: items } }]
        open: [{ load: { item: item } }]
        buy: [{ load: { order: order } }]
  steps:
    - connect: prices
    - expect: { prices: { data: "10" } }
    - send: page.list
    - expect: { page.items: [loading, { loaded: [{ id: 1 }] }] }
    - send: page.open
    - expect: { page.item: [loading, { loaded: { title: Tea } }] }
    - send: page.buy
    - expect: { page.order: [loading, { loaded: { id: 7 } }] }
    - expect: { prices: [{ data: "12" }, { data: "11" }] }
    - check: page.order.loaded.id == 7
  """
