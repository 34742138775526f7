/// The benchmarks by name. Each prints one JSON line per figure. The Autobahn peers measure
/// nothing: `Tests/ConformanceTests` runs them against the Autobahn suite.
let benchmarks: [(name: String, run: @Sendable ([String]) -> Int32)] = [
  ("startup", { measured { startupBenchmark(program: $0.first) }($0) }),
  ("suite", { measured { suiteBenchmark(only: $0.first) }($0) }),
  ("sweep", { measured { sweepBenchmark(folder: $0.first ?? "scenarios") }($0) }),
  ("load", { measured { _ in loadBenchmark() }($0) }),
  ("growth", { measured { _ in growthBenchmark() }($0) }),
  ("traces", { measured { tracesBenchmark(arguments: $0) }($0) }),
  ("yaml", { measured { _ in yamlBenchmark() }($0) }),
  ("fmt", { measured { _ in formatBenchmark() }($0) }),
  ("cel", { measured { _ in celBenchmark() }($0) }),
  ("schema", { measured { _ in schemaBenchmark() }($0) }),
  ("graph", { measured { graphBenchmark(arguments: $0) }($0) }),
  ("timers", { measured { _ in timersBenchmark() }($0) }),
  ("virtual-sleeps", { measured { _ in virtualSleepsBenchmark() }($0) }),
  ("reactors", { measured { _ in reactorsBenchmark() }($0) }),
  ("operators", { measured { _ in operatorsBenchmark() }($0) }),
  ("streams", { measured { streamsBenchmark(folder: $0.first ?? "scenarios") }($0) }),
  ("merge64", { measured { _ in merge64Benchmark() }($0) }),
  ("debounce", { measured { _ in debounceBenchmark() }($0) }),
  ("http", { measured { _ in httpBenchmark() }($0) }),
  ("connections", { measured { connectionsBenchmark(only: $0.first) }($0) }),
  ("tls", { measured { _ in tlsBenchmark() }($0) }),
  ("sqlite", { measured { _ in sqliteBenchmark() }($0) }),
  ("sse", { measured { _ in sseBenchmark() }($0) }),
  ("exchange", { measured { _ in exchangeBenchmark() }($0) }),
  ("websocket", { measured { _ in webSocketBenchmark() }($0) }),
  ("all", { _ in allBenchmarks() }),
  ("compare", comparePrograms),
  ("autobahn-client", { autobahnClient(port: $0.first) }),
  ("autobahn-server", { autobahnServer(port: $0.first) }),
]

private func measured(
  _ work: @escaping @Sendable ([String]) -> Void
) -> @Sendable ([String]) -> Int32 {
  { arguments in
    work(arguments)
    return 0
  }
}

/// The names that measure nothing by themselves.
private let otherNames = ["all", "compare", "autobahn-client", "autobahn-server"]

/// Runs all benchmarks, each in a process of its own, so that none finds what another has left.
private func allBenchmarks() -> Int32 {
  var failures = 0
  for name in benchmarks.map(\.name) where !otherNames.contains(name) {
    if usage(of: [CommandLine.arguments[0], name], showsOutput: true) == nil { failures += 1 }
  }
  return failures == 0 ? 0 : 1
}

func usage() -> Int32 {
  print(
    "usage: Benchmarks NAME [ARGUMENT], or Benchmarks NAME NAME ...; one of: "
      + benchmarks.map(\.name).joined(separator: ", "))
  return 2
}
