import Events
import ScenarioPlan
import Values
import World

/// The origin of what programs do: processes, or a trace.
enum ProgramOrigin {
  case launcher(any ProgramLauncher)
  case trace(ReplayDirector, RecordedPrograms)
}

/// The programs of one run.
final class LivePrograms {
  let run: RunParts
  private let origin: ProgramOrigin
  private var programs: [LiveProgram] = []
  private var ports: [Int?]
  private var folders: [ProgramID: Value] = [:]

  init(_ run: RunParts, _ origin: ProgramOrigin) {
    self.run = run
    self.origin = origin
    ports = Array(repeating: nil, count: run.plan.programs.count)
  }

  /// True if a program may still write, connect or end.
  var mayAct: Bool { programs.contains { !$0.isOver } }

  /// Returns the free port of a program, which is the same whenever it is asked for.
  func port(of program: ProgramID) -> Value {
    if let port = ports[program.index] { return .int(port) }
    let port = freePort(for: program) ?? 0
    ports[program.index] = port
    run.taps?.observe(.port(port, of: program))
    return .int(port)
  }

  private func freePort(for program: ProgramID) -> Int? {
    switch origin {
    case .launcher(let launcher): launcher.freePort().map(Int.init)
    case .trace(_, let recorded): recorded.all[program.index].port
    }
  }

  /// Returns the temporary folder of a program, which is made when it is first asked for.
  func temp(of program: ProgramID) -> Value {
    if let folder = folders[program] { return folder }
    let folder = folder(for: program).map { Value.string($0) } ?? .null
    folders[program] = folder
    if case .string(let path) = folder { run.taps?.observe(.folder(path, of: program)) }
    return folder
  }

  private func folder(for program: ProgramID) -> String? {
    let plan = run.plan.programs[program]
    switch origin {
    case .trace(_, let recorded): return recorded.all[program.index].folder
    case .launcher(let launcher):
      let names = [run.plan.title, run.inputs.rowName, plan.name].compactMap(\.self)
      if let folder = launcher.makeFolder(named: names) { return folder }
      run.supervisor.fail(
        EvaluationFailure(
          range: plan.range, message: "no temporary folder can be made for `\(plan.name)`"))
      return nil
    }
  }

  /// True if a trace says what programs do.
  var areReplayed: Bool {
    switch origin {
    case .launcher: false
    case .trace: true
    }
  }

  /// Starts the programs in the order of the document, and waits until all are ready.
  func startAll() {
    for (id, program) in run.plan.programs.withIDs where !run.supervisor.isStopped {
      let live = LiveProgram(self, id, program)
      programs.append(live)
      live.start(from: origin)
      // So that what they do first comes in their order.
      run.loop.letProgramsRest()
    }
    run.loop.run(while: { programs.contains(where: \.isStarting) })
  }

  subscript(id: ProgramID) -> LiveProgram? {
    programs.indices.contains(id.index) ? programs[id.index] : nil
  }

  /// Fails the scenario if a program ended with an error that nothing is about.
  func reportUnexpectedExits() {
    for program in programs where !run.supervisor.isStopped { program.reportUnexpectedExit() }
  }

  /// Gives programs that are about to end a moment to do so, and fails the scenario if one of them
  /// ends with an error.
  func awaitLastEnds() {
    let grace = areReplayed ? LivePrograms.graceOfKilling : LivePrograms.graceOfLastEnds
    run.loop.run(while: { programs.contains(where: \.mayBeEnding) }, atMost: grace)
    run.loop.run(
      while: { programs.contains(where: \.isEnding) }, atMost: LivePrograms.graceOfKilling)
    reportUnexpectedExits()
  }

  /// How long the end of a program may take that has written its last line. An interpreter writes
  /// what it has buffered, and then frees what it has.
  private static let graceOfLastEnds: Microseconds = 30_000

  /// Sends a signal to the processes of all programs.
  func signal(_ number: Int) {
    for program in programs { program.send(signal: number) }
  }

  /// Ends all programs. What they write from now on is no event.
  func stopAll() {
    if run.loop.scheduler.wakesAt != nil { goOn() }
    for program in programs { program.stopSilently() }
    let longest = run.plan.programs.map(\.stop.timeout).max() ?? 0
    run.loop.run(while: { mayAct || mayClientsAct }, atMost: longest + LivePrograms.graceOfKilling)
  }

  /// True if recorded clients have something left to do, such as to leave.
  private var mayClientsAct: Bool {
    switch origin {
    case .launcher: false
    case .trace(let director, _): director.visitors?.mayAct == true
    }
  }

  /// How long the end of what was killed may take.
  private static let graceOfKilling: Microseconds = 2_000_000

  func invalidate() {
    for program in programs { program.invalidate() }
    programs = []
    if case .launcher(let launcher) = origin { launcher.removeFolders() }
  }
}

extension RunParts {
  /// Starts the programs, if there are any.
  func startPrograms() {
    guard let programs else { return }
    for id in plan.endpoints.indices where endpoints.mock(of: id) != nil {
      let (url, webSocket) = (address(of: id, .http), address(of: id, .webSocket))
      taps?.observe(.listening(id, url: url.plainText, webSocket: webSocket.plainText))
    }
    programs.startAll()
  }

  /// Returns the address at which others reach an endpoint. In memory it is the endpoint's name,
  /// which nobody else can reach.
  func address(of endpoint: EndpointID, _ kind: AddressKind) -> Value {
    let plan = plan.endpoints[endpoint]
    if let recorded = director?.trace.addresses[endpoint] {
      return .string(kind == .http ? recorded.http : recorded.webSocket)
    }
    if let authority = world.authority?(plan.name) {
      return .string("\(kind == .http ? "http" : "ws")://\(authority)")
    }
    guard isReal(endpoint), let data = plan.address,
      case .string(let url)? = supervisor.value(of: data, in: ValueReader(stage))
    else { return .string("\(kind == .http ? "http" : "ws")://\(plan.name)") }
    guard kind == .webSocket, url.hasPrefix("http") else { return .string(url) }
    return .string("ws" + url.dropFirst("http".count))
  }

  /// Leaves the servers among the programs, and ends all programs. A server that is asked to stop
  /// would wait for its clients.
  func endPrograms() {
    guard let programs else { return }
    if !programs.areReplayed {
      taps?.clientsLeave()
      suppliersMade?.leave(where: isReal)
    }
    programs.stopAll()
  }

  /// True for an endpoint that is a server at its URL, now or in the trace that is replayed.
  private func isReal(_ endpoint: EndpointID) -> Bool {
    if let director, director.trace.programs != nil {
      return director.trace.played?.contains(endpoint) == true
    }
    return world.isReal(plan.endpoints[endpoint].name)
  }
}
