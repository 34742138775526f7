/// Benchmarks of the program. The start of a process is taken out of rates.
let programBenchmarks: [Benchmark] = [
  Benchmark(name: "startup") { program in
    let folder = try Folder()
    try folder.write(stateScenario(), to: "a.scenario.yaml")
    let usage = try program.best(["run", folder.path])
    return [
      Figure(name: "cpu", value: usage.seconds * 1e3, unit: "ms"),
      Figure(name: "memory", value: usage.megabytes, unit: "MB"),
    ]
  },
  Benchmark(name: "suite") { program in
    let texts = (0..<1_000).map { httpScenario($0) }
    return [try rate("text-to-verdict", of: texts, by: ["run", "--jobs=1", "-q"], program)]
  },
  Benchmark(name: "load") { program in
    let texts = (0..<1_000).map { httpScenario($0) }
    return [try rate("files", of: texts, by: ["validate"], program)]
  },
  Benchmark(name: "state") { program in
    let rows = (0..<10_000).map { "  - { id: r\($0), n: \($0) }" }.joined(separator: "\n")
    let text = stateScenario("cases:\n\(rows)\n")
    let figure = try rate("rows", of: [text], by: ["run", "--jobs=1", "-q"], program)
    return [Figure(name: figure.name, value: figure.value * 10_000, unit: figure.unit)]
  },
  Benchmark(name: "events") { program in
    [
      try time("ten-thousand-events", of: manyItems, program),
      try time("ten-thousand-ticks", of: manyTicks, program),
    ]
  },
  Benchmark(name: "traces") { program in try traces(program) },
]

/// Measures how many of some files a command does in a second of processor time.
private func rate(
  _ name: String, of texts: [String], by command: [String], _ program: Program
) throws -> Figure {
  let (one, all) = (try Folder(), try Folder())
  try one.write(stateScenario(), to: "a.scenario.yaml")
  for (number, text) in texts.enumerated() { try all.write(text, to: "\(number).scenario.yaml") }
  let start = try program.best(command + [one.path]).seconds
  let whole = try program.best(command + [all.path]).seconds
  return Figure(name: name, value: Double(texts.count) / (whole - start), unit: "1/CPU-s")
}

/// Measures a run of one file, without the start of the program.
private func time(_ name: String, of text: String, _ program: Program) throws -> Figure {
  let (one, file) = (try Folder(), try Folder())
  try one.write(stateScenario(), to: "a.scenario.yaml")
  try file.write(text, to: "a.scenario.yaml")
  let start = try program.best(["run", one.path]).seconds
  let whole = try program.best(["run", file.path]).seconds
  return Figure(name: name, value: (whole - start) * 1e3, unit: "ms")
}

/// Measures what recording adds to a suite of short scenarios with HTTP, and what replaying costs
/// beside running.
private func traces(_ program: Program) throws -> [Figure] {
  let (suite, recordings) = (try Folder(), try Folder())
  for number in 0..<500 {
    try suite.write(httpScenario(number), to: "\(number).scenario.yaml")
  }
  let run = try program.best(["run", "--jobs=1", "-q", suite.path]).seconds
  let record = ["run", "--jobs=1", "-q", "--record=\(recordings.path)", suite.path]
  let recorded = try program.best(record).seconds
  let replayed = try program.best(["replay", "-q", recordings.path]).seconds
  return [
    Figure(name: "recording", value: (recorded / run - 1) * 100, unit: "%"),
    Figure(name: "replay", value: replayed / run, unit: "runs"),
  ]
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

private func stateScenario(_ table: String = "") -> String {
  """
  scenario: A counter tells its parity
  \(table)
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
}

/// 10,000 values through two operators, each one expected.
private let manyItems = """
  scenario: Ten thousand events

  streams:
    numbers: { items: [\((0..<10_000).map(String.init).joined(separator: ", "))] }
    doubled: { from: numbers, through: [map: value * 2, filter: value >= 0] }

  steps:
    - expect: { doubled: [\((0..<10_000).map { String($0 * 2) }.joined(separator: ", "))] }
  """

/// 10,000 values, one in each millisecond, asserted as a diagram.
private let manyTicks = """
  scenario: Ten thousand ticks

  streams:
    ticks: { interval: 1ms, through: [prefix: 10000, map: "value % 2 == 0"] }

  steps:
    - expect:
        ticks:
          marble: "-\(String(repeating: "ab", count: 4_999))a(b|)"
          values: { a: true, b: false }
  """
