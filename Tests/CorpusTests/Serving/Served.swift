import Diagnostics
import Events
import Glibc
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Secrets
import Synchronization
import Testing
import TraceRecording
import Traces
import Values
import Verdicts
import World

@testable import LiveWorld

/// The result of serving a scenario to a client on a thread of its own. Without steps serving ends
/// with the client.
final class Served: ServingWatcher, @unchecked Sendable {
  typealias Client = @Sendable ([String: UInt16]) -> [String]

  private(set) var verdict: Verdict?
  private(set) var refusal: Diagnostic?
  /// The courses that a sweep would try, if nothing is disturbed.
  private(set) var courses: [String] = []
  private(set) var deeds: [String] = []
  private(set) var mask = SecretMask()
  /// The trace of the run, if it was recorded.
  private(set) var trace: [UInt8] = []
  /// The ids of the failures that were reported while serving.
  private(set) var told: [String] = []
  var answers: [String] { said.withLock { $0 } ?? [] }
  private let said = Mutex<[String]?>(nil)
  private let client: Client?

  init(
    _ text: String, timeout: Int64? = nil, ports: [String: UInt16] = [:],
    requestHeadTimeout: Int64? = nil, disturb: [String]? = nil, isRecorded: Bool = false,
    client: Client? = nil
  ) throws {
    self.client = client
    let file = loadScenarios(SourceFile(path: "shop.yaml", text: text))
    let plan = try #require(file.plans.first, "\(file.diagnostics)")
    var settings = ServingSettings()
    settings.timeout = timeout
    settings.ports = ports
    if let requestHeadTimeout { settings.requestHeadTimeout = requestHeadTimeout }
    settings.disturbances = (disturb ?? []).compactMap(Disturbance.init(name:))
    settings.findsCourses = disturb?.isEmpty == true
    let end = wallClock() + 20_000_000
    let isEndless = !text.contains("steps:")
    let inputs = RunInputs(seed: 1) { [self] in
      (isEndless && said.withLock { $0 != nil }) || wallClock() > end
    }
    let recorder = isRecorded ? recorder(of: plan, TracedFiles(file.sources)) : nil
    switch serveScenario(
      plan, inputs: inputs, sources: file.sources, settings: settings, watcher: self,
      recorders: recorder.map { [$0] } ?? [])
    {
    case .refused(let problem): refusal = problem
    case .judged(let run, _):
      verdict = run.verdict
      recorder?.finish(run.verdict, [], in: file.sources)
      courses = run.courses.map(\.name)
    }
    while client != nil, verdict != nil, said.withLock({ $0 == nil }), wallClock() < end {
      usleep(1_000)
    }
  }

  private func recorder(of plan: ScenarioPlan, _ files: TracedFiles) -> RunRecorder {
    var mask = TraceMask(NamedSecrets(), findsTokens: false)
    let facts = RunFacts(
      by: "rehearse", seed: 1, world: "serve", isVirtual: false, side: .server)
    let header = TraceHeader(plan, facts, files, from: "", &mask)
    var writer = TraceWriter()
    trace = writer.write(header).bytes
    return RunRecorder(
      plan, header, mask,
      write: { [unowned self] line in trace += writer.write(line).bytes })
  }

  func began(at places: [ServedPlace], certificate: [UInt8]?) -> Bool {
    guard let client else { return true }
    var ports: [String: UInt16] = [:]
    for place in places { ports[place.name] = place.port }
    return startDetachedThread { [ports, self] in
      let answers = client(ports)
      said.withLock { $0 = answers }
    }
  }

  func hide(by mask: SecretMask) { self.mask = mask }

  func observe(_ event: Event) {
    if case .network(.served(_, _, let activity)) = event.kind { deeds.append("\(activity)") }
  }

  func observe(_ failures: [Diagnostic], at time: Int64) { told += failures.map(\.id.rawValue) }
}
