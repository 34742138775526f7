import Diagnostics
import LiveWorld
import ScenarioEngine
import ScenarioPlan
import ScenarioSpec
import Secrets
import TraceRecording
import Traces
import Values
import Verdicts

/// The destinations of the lines of runs: traces of single runs, and a log of all.
package struct RunRecords: Sendable {
  /// The runs that get a trace of their own.
  package enum Traces: Sendable, Equatable {
    case none, all, failures
  }

  package var traces = Traces.none
  /// The folder of traces; nil stands for `traces` beside each scenario.
  package var folder: String?
  package var log: SuiteLog?
  /// The runs whose timelines go into a report.
  package var timelines = KeptTimelines.none
  /// The options of the command line that change a run.
  package var options = ValueMap()
  /// The files that traces hand on.
  let spares = SpareFiles()

  package init() {}

  var isWanted: Bool { traces != .none || log != nil }
}

/// The recording of one run, which may go to a file and to a log.
final class RunRecording {
  private let plan: ScenarioPlan
  private let sources: SourceMap
  private let tracedFiles: TracedFiles
  private let tracedSteps: TracedSteps
  private let steps: StepIdentities
  private let inputs: RunInputs
  private let suite: Suite
  private let path: String
  private var file: TraceFile?
  private var timeline: TimelineRecording?
  private(set) var recorders: [RunRecorder] = []

  init(
    _ plan: ScenarioPlan, _ inputs: RunInputs, _ suite: Suite, _ file: LoadedSuiteFile,
    at place: SuiteQueue.Place, path: String, keepsTimeline: Bool
  ) {
    self.plan = plan
    self.path = path
    self.inputs = inputs
    self.suite = suite
    sources = file.head.sources
    tracedFiles = file.tracedFiles
    tracedSteps = file.tracedSteps
    steps = suite.records.isWanted ? file.tracedSteps.steps(of: plan) : StepIdentities()
    if suite.records.traces != .none { record() }
    if let log = suite.records.log { write(to: log, place) }
    if keepsTimeline {
      let timeline = TimelineRecording(plan, inputs, suite, file)
      self.timeline = timeline
      recorders.append(timeline.recorder)
    }
  }

  /// Returns the timeline of the run, which has finished; nil if none was to be kept.
  func keptTimeline(_ verdict: Verdict) -> RunTimeline? { timeline?.timeline(verdict) }

  /// The path of the trace, if it was kept.
  private(set) var keptTrace: String?

  /// The path of the trace and the reason, if it could not be written.
  var problem: UnwrittenFile? {
    guard let file, let message = file.problem else { return nil }
    return UnwrittenFile(path: file.path, message: message)
  }

  /// Ends the trace with the verdict, and keeps it if it is wanted.
  func finish(_ verdict: inout Verdict, wasInterrupted: Bool) {
    for recorder in recorders { recorder.finish(verdict, verdict.failures, in: sources) }
    guard let file else { return }
    if let problem = secretProblem(in: file, plan, verdict.secretsToSearch(with: plan)) {
      verdict.outcome = .failed
      verdict.failures.append(problem)
    }
    if suite.records.traces == .failures, verdict.outcome != .failed { return file.discard() }
    keptTrace = path
    if wasInterrupted { return }
    // A good run is what the next failures are compared with.
    if verdict.outcome == .failed, GoodRun(at: path) != nil {
      let other = pathOfFailedRun(path)
      keptTrace = other
      return file.complete(at: other)
    }
    file.complete()
  }

  private func record() {
    let file = TraceFile(path, suite.records.spares)
    self.file = file
    add(from: enclosingFolder(of: path), header: file.write, line: file.write)
  }

  private func write(to log: SuiteLog, _ place: SuiteQueue.Place) {
    add(
      from: log.folder, header: { log.append(.header($0), of: place) },
      line: { log.append(.line($0), of: place) })
  }

  private func add(
    from folder: String, header write: (TraceHeader) -> Void,
    line: @escaping (TraceLine) -> Void
  ) {
    var mask = TraceMask(
      plan, from: OutsideParties(of: plan, inputs.row, in: suite.world, tracedFiles.sources))
    let facts = RunFacts(of: plan, inputs, suite)
    var header = TraceHeader(plan, facts, tracedFiles, from: folder, &mask)
    header.steps = steps.listed
    if header.hasRealEndpoints { header.headers = tracedSteps.headers() }
    write(header)
    let places = PlaceTexts(tracedFiles, folder, steps)
    recorders.append(
      RunRecorder(plan, header, mask, places: places, write: line))
  }

}

/// Returns where the trace of a failed run lies beside that of a good one.
private func pathOfFailedRun(_ path: String) -> String {
  let ending = ".trace.jsonl"
  guard path.hasSuffix(ending) else { return path + ".failed" }
  return path.dropLast(ending.count) + ".failed" + ending
}

extension RunFacts {
  /// The facts of a run of a suite.
  init(of plan: ScenarioPlan, _ inputs: RunInputs, _ suite: Suite) {
    var variables = ValueMap()
    for (name, value) in plan.setupValues { variables[name] = value }
    var spellings = ValueMap()
    let names = plan.variableNames + plan.columns.map(\.name)
    for variable in suite.inputs.variables where names.contains(variable.name) {
      variables[variable.name] = variable.value
      spellings[variable.name] = variable.spelling(of: variable.value).map { .string($0) }
    }
    let endpoints = plan.worlds(in: suite.world)
    self.init(
      by: "rehearse \(programVersion)", row: inputs.row, seed: inputs.seed,
      world: recordedWorld(of: endpoints), isVirtual: !plan.runsInRealTime(on: endpoints),
      side: .client,
      variables: variables, options: suite.records.options)
    self.spellings = spellings
    began = isVirtual ? nil : calendarClock()
    noteDisturbances(of: plan, inputs)
    let isOnSockets = endpoints.contains { $0 == .real || $0 == .sockets }
    for (endpoint, world) in zip(plan.endpoints, endpoints) {
      worlds[endpoint.name] =
        world == .mock && isOnSockets ? WorldName.sockets.rawValue : world.rawValue
    }
    if !plan.programs.isEmpty { notePrograms(of: plan, in: suite.world) }
  }
}

extension RunFacts {
  /// The name of the option by which a header says what went wrong in a run.
  static let disturbances = "disturb"

  /// Adds what goes wrong in the run.
  private mutating func noteDisturbances(of plan: ScenarioPlan, _ inputs: RunInputs) {
    let all = inputs.options.disturbances.isEmpty ? plan.disturbances : inputs.options.disturbances
    if all.isEmpty { return }
    options[.string(RunFacts.disturbances)] = .list(all.map { .string("\($0)") })
  }
}

extension RunFacts {
  /// Adds that programs run: mocks then serve them over sockets, which is our side.
  private mutating func notePrograms(of plan: ScenarioPlan, in world: WorldKind) {
    runsPrograms = true
    let others = plan.endpointsOfOthers(in: world)
    for endpoint in plan.endpoints {
      if worlds[endpoint.name] == WorldName.mock.rawValue {
        worlds[endpoint.name] = WorldName.sockets.rawValue
      }
      sides[endpoint.name] = others.contains(endpoint.name) ? .client : .server
    }
  }
}

/// Returns the world that the header of a trace names: a real one, if there is one among them.
private func recordedWorld(of worlds: [WorldName]) -> String {
  let world = worlds.first { $0 == .real } ?? worlds.first { $0 != .mock } ?? .mock
  return world.rawValue
}

extension Verdict {
  /// Returns the secrets that a finished trace is searched for. What expressions have computed from
  /// them may stand elsewhere by chance.
  package func secretsToSearch(with plan: ScenarioPlan) -> NamedSecrets {
    var searched = plan.namedSecrets.filtered { !plan.computedSecrets.contains($0) }
    searched.add(secrets.filter { !computedSecrets.contains($0) }, names: plan.secretNames)
    return searched.filtered { $0.utf8.count >= shortestSearched }
  }
}

/// Searches a finished trace for secrets. Returns the complaint about one that is in it after all.
package func secretProblem(
  in file: TraceFile, _ plan: ScenarioPlan, _ searched: NamedSecrets
) -> Diagnostic? {
  guard !searched.isEmpty else { return nil }
  return searched.finding(in: file.contents()).map { .secretInTrace($0, file.path, at: plan.range) }
}

/// The fewest bytes of a secret that a finished trace is searched for. Shorter ones occur by
/// chance.
private let shortestSearched = 5

/// The places of a scenario as a trace writes them. A step that repeats has its place once.
package final class PlaceTexts: TracedPlaces {
  private let files: TracedFiles
  private let folder: String
  private let steps: StepIdentities
  private var known: [SourceRange: String] = [:]
  /// The paths that places begin with, by the number of their file.
  private var paths: [Int32: String] = [:]
  /// The place that was asked for last, which a loop asks for again.
  private var last: (range: SourceRange, text: String)?

  package init(
    _ files: TracedFiles, _ folder: String, _ steps: StepIdentities = StepIdentities()
  ) {
    self.files = files
    self.folder = folder
    self.steps = steps
  }

  package func path(of path: String) -> String {
    files.sources.files.first { $0.path == path }.map { files.path(of: $0, from: folder) } ?? path
  }

  package func step(at range: SourceRange, includedBy includes: [SourceRange]) -> String? {
    steps.identity(at: range, includedBy: includes)
  }

  /// Returns `path:line:column`; nil if the range is in no file.
  package func text(of range: SourceRange) -> String? {
    if let last, last.range == range { return last.text }
    let text = known[range] ?? made(range)
    if let text { last = (range, text) }
    return text
  }

  private func made(_ range: SourceRange) -> String? {
    guard let file = files.sources.file(of: range) else { return nil }
    let place = file.place(of: Int(range.start))
    let path = paths[range.file] ?? files.path(of: file, from: folder)
    paths[range.file] = path
    let text = "\(path):\(place.line):\(place.column)"
    known[range] = text
    return text
  }
}

extension Diagnostic {
  fileprivate static func secretInTrace(
    _ name: String, _ path: String, at range: SourceRange
  ) -> Diagnostic {
    Diagnostic(
      "secret-in-trace", "the trace `\(path)` contains the secret \(name)",
      labels: [.init(range)],
      help: "delete the trace; report what the secret is part of, without the secret")
  }
}
