import Glibc
import ScenarioPlan
import ScenarioRuns

/// Measures traces: what recording costs, how fast a trace is replayed, and how large both are.
///
/// `rehearse` beside this program replays. The first argument has the scenarios of a suite with
/// HTTP; a second one, `http`, measures the recording of that suite alone.
func tracesBenchmark(arguments: [String]) {
  let scenarios = arguments.first ?? "scenarios"
  let folder = "/tmp/traces-\(getpid())"
  guard mkdir(folder, 0o755) == 0 else { return print("cannot make \(folder)") }
  defer { _ = system("rm -rf '\(folder)'") }
  if arguments.dropFirst().first != "http" {
    // First, while this process is small: a child begins with the memory of its parent.
    measureReplay(in: folder)
    measureExchanges(in: folder)
    measureRecording(in: folder)
  }
  measureSuite(at: scenarios, in: folder, "recording-of-http")
  // On a disk, making a file may take the system longer than its scenario took to run.
  let memory = "/dev/shm/traces-\(getpid())"
  guard mkdir(memory, 0o755) == 0 else { return }
  defer { _ = system("rm -rf '\(memory)'") }
  measureSuite(at: scenarios, in: memory, "recording-of-http-in-memory")
}

/// The turns of the loop of which each has two events: a step, and the value that it sets.
private let turnsOfMillion = 499_990

/// Measures the recording of steps and values, without HTTP.
private func measureRecording(in folder: String) {
  let turns = 50_000
  let path = folder + "/recorded.scenario.yaml"
  guard writeText(countingScenario(turns), to: path) else { return print("cannot write \(path)") }
  let files = [SuiteFile(path: path)]
  let cost = recordingCost(of: files, in: folder, rounds: 9)
  let perEvent = (cost.recorded - cost.plain) / Double(2 * turns) * 1e6
  printFigure("traces", "recording", (perEvent * 100).rounded() / 100, "us/event")
}

/// Measures the recording of a suite with HTTP, as a share of the time of the suite.
private func measureSuite(at path: String, in folder: String, _ figure: String) {
  guard case .files(let paths) = findFiles(at: path) else { return print("no folder \(path)") }
  let files = paths.map { path in
    SuiteFile(path: path, wants: { plan, _, _ in !plan.endpoints.isEmpty })
  }
  let cost = recordingCost(of: files, in: folder, rounds: 5)
  let share = (cost.recorded / cost.plain - 1) * 100
  printFigure("traces", figure, (share * 10).rounded() / 10, "%")
}

/// Measures the replay of a million events, as processes of their own.
private func measureReplay(in folder: String) {
  guard let small = recordedTrace("small", turns: 5, in: folder),
    let large = recordedTrace("large", turns: turnsOfMillion, in: folder)
  else { return print("nothing was recorded") }
  let events = Double(2 * turnsOfMillion)
  printFigure("traces", "size", (Double(large.bytes) / events * 10).rounded() / 10, "bytes/event")
  guard let start = medianUsage(of: [builtProgram, "replay", small.path], runs: 20),
    let whole = medianUsage(of: [builtProgram, "replay", large.path], runs: 3),
    let run = usage(of: [builtProgram, "run", folder + "/large.scenario.yaml"])
  else { return print("\(builtProgram) did not replay; build it first") }
  printFigure("traces", "replay", (events / whole.seconds).rounded(), "events/CPU-s")
  printFigure("traces", "replay-startup", (start.seconds * 1e6).rounded() / 1e3, "ms")
  printFigure("traces", "replay-memory", megabytes(whole.kilobytes), "MB")
  printFigure("traces", "run-memory", megabytes(run.kilobytes), "MB")
  let index = Double(whole.kilobytes - run.kilobytes) * 1024 / events
  printFigure("traces", "index-of-event", (index * 10).rounded() / 10, "bytes/event")
}

/// Measures what a replay keeps of each exchange: by how much its memory grows with their number.
private func measureExchanges(in folder: String) {
  let counts = [2_000, 22_000]
  let usages = counts.compactMap { count -> (run: Int, replay: Int)? in
    guard let trace = recordedTrace("asked-\(count)", asking: count, in: folder),
      let run = usage(of: [builtProgram, "run", "\(folder)/asked-\(count).scenario.yaml"]),
      let replay = usage(of: [builtProgram, "replay", trace.path])
    else { return nil }
    return (run.kilobytes, replay.kilobytes)
  }
  guard usages.count == 2 else { return print("the exchanges were not replayed") }
  let exchanges = Double(counts[1] - counts[0])
  let run = Double(usages[1].run - usages[0].run) * 1024 / exchanges
  let replay = Double(usages[1].replay - usages[0].replay) * 1024 / exchanges
  printFigure("traces", "run-memory-of-exchange", run.rounded(), "bytes/exchange")
  printFigure("traces", "replay-memory-of-exchange", replay.rounded(), "bytes/exchange")
  // Its five lines have their place in the index of events.
  printFigure("traces", "index-of-exchange", (replay - run).rounded(), "bytes/5 events")
}

private func megabytes(_ kilobytes: Int) -> Double { (Double(kilobytes) / 102.4).rounded() / 10 }

/// Records a scenario, and returns its trace.
private func recordedTrace(
  _ name: String, turns: Int, in folder: String
) -> (path: String, bytes: Int)? {
  recordedTrace(name, of: countingScenario(turns), in: folder)
}

private func recordedTrace(
  _ name: String, asking count: Int, in folder: String
) -> (path: String, bytes: Int)? {
  recordedTrace(name, of: askingScenario(count), in: folder)
}

private func recordedTrace(
  _ name: String, of scenario: String, in folder: String
) -> (path: String, bytes: Int)? {
  let path = "\(folder)/\(name).scenario.yaml"
  guard writeText(scenario, to: path) else { return nil }
  guard usage(of: [builtProgram, "run", path, "--record=" + folder]) != nil else { return nil }
  let trace = "\(folder)/\(name).a-counter-counts.trace.jsonl"
  var status = stat()
  return stat(trace, &status) == 0 ? (trace, Int(status.st_size)) : nil
}

/// Returns the processor time of a suite without and with recording: the best of some rounds each.
private func recordingCost(
  of files: [SuiteFile], in folder: String, rounds: Int
) -> (plain: Double, recorded: Double) {
  var cost = (plain: Double.infinity, recorded: Double.infinity)
  for round in 0..<rounds {
    // A new folder for each: replacing files takes the system longer than making them.
    let traces = "\(folder)/\(files.count)-\(round)"
    cost.plain = min(cost.plain, time { runFiles(files, recordingTo: nil) })
    cost.recorded = min(cost.recorded, time { runFiles(files, recordingTo: traces) })
  }
  return cost
}

private func time(_ work: () -> Void) -> Double {
  let start = processorTime()
  work()
  return processorTime() - start
}

private func runFiles(_ files: [SuiteFile], recordingTo folder: String?) {
  var suite = Suite(files: files)
  if let folder {
    suite.records.traces = .all
    suite.records.folder = folder
  }
  runSuite(suite) { file in
    for scenario in file.scenarios where scenario.verdict.outcome == .failed {
      print("failed: \(file.path) \(scenario.plan.title)")
    }
  }
}

private func countingScenario(_ turns: Int) -> String {
  """
  scenario: A counter counts
  graph: { count: 0 }
  steps:
    - repeat: \(turns)
      steps:
        - set: { count: "${count + 1}" }
    - check: count == \(turns)

  """
}

private func askingScenario(_ count: Int) -> String {
  """
  scenario: A counter counts
  endpoints: { api: { http: [{ get: /next, respond: { json: { next: 1 } } }] } }
  steps:
    - repeat: \(count)
      steps:
        - request: { endpoint: api, get: /next, expect: { json: { next: 1 } } }

  """
}
