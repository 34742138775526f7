import Events
import Protocols
import ScenarioPlan
import Values
import World

/// The programs of one run.
final class LivePrograms {
  private let shared: SharedPlan
  private let launcher: any ProgramLauncher
  let loop: RunLoop
  let recorder: EventRecorder
  let supervisor: ScriptSupervisor
  let stage: Stage
  let emitter: SourceEmitter
  let judge: any Judge
  private var programs: [LiveProgram] = []
  private var ports: [Int?]

  var plan: ScenarioPlan { shared.plan }

  init(
    _ shared: SharedPlan, _ launcher: any ProgramLauncher, _ loop: RunLoop,
    _ recorder: EventRecorder, _ supervisor: ScriptSupervisor, _ stage: Stage,
    _ emitter: SourceEmitter, _ judge: any Judge
  ) {
    self.shared = shared
    self.launcher = launcher
    self.loop = loop
    self.recorder = recorder
    self.supervisor = supervisor
    self.stage = stage
    self.emitter = emitter
    self.judge = judge
    ports = Array(repeating: nil, count: shared.plan.programs.count)
  }

  /// True if a program may still write, connect or end.
  var mayAct: Bool { programs.contains { !$0.isOver } }

  /// Returns the free port of a program, which is the same whenever it is asked for.
  func port(of program: ProgramID) -> Value {
    if let port = ports[program.index] { return .int(port) }
    let port = launcher.freePort().map(Int.init) ?? 0
    ports[program.index] = port
    return .int(port)
  }

  /// Starts the programs in the order of the document, and waits until all are ready.
  func startAll() {
    for (id, program) in plan.programs.withIDs where !supervisor.isStopped {
      let live = LiveProgram(self, id, program)
      programs.append(live)
      live.start(with: launcher)
    }
    loop.run(while: { programs.contains(where: \.isStarting) })
  }

  subscript(id: ProgramID) -> LiveProgram? {
    programs.indices.contains(id.index) ? programs[id.index] : nil
  }

  /// Fails the scenario if a program ended with an error that nothing is about.
  func reportUnexpectedExits() {
    for program in programs where !supervisor.isStopped { program.reportUnexpectedExit() }
  }

  /// Ends all programs. What they write from now on is no event.
  func stopAll() {
    for program in programs { program.stopSilently() }
    let longest = plan.programs.map(\.stop.timeout).max() ?? 0
    loop.run(while: { mayAct }, atMost: longest + LivePrograms.graceOfKilling)
  }

  /// How long the end of what was killed may take.
  private static let graceOfKilling: Microseconds = 2_000_000

  func invalidate() {
    for program in programs { program.invalidate() }
    programs = []
  }
}

extension ScenarioRun {
  /// Returns the address at which others reach an endpoint. In memory it is the endpoint's name,
  /// which nobody else can reach.
  func address(of endpoint: EndpointID, _ kind: AddressKind) -> Value {
    let plan = plan.endpoints[endpoint]
    if let authority = world.authority?(plan.name) {
      return .string("\(kind == .http ? "http" : "ws")://\(authority)")
    }
    let isReal = world.reach != nil && world.realEndpoints?.contains(plan.name) != false
    guard isReal, let data = plan.address,
      case .string(let url)? = supervisor.value(of: data, in: ValueReader(stage))
    else { return .string("\(kind == .http ? "http" : "ws")://\(plan.name)") }
    guard kind == .webSocket, url.hasPrefix("http") else { return .string(url) }
    return .string("ws" + url.dropFirst("http".count))
  }
}
