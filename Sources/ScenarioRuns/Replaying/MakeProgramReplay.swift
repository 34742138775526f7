import Events
import ScenarioEngine
import ScenarioPlan
import Traces
import Values

extension TraceRun {
  /// True if programs of the scenario ran.
  var runsPrograms: Bool { !header.programs.isEmpty }

  /// True if no mock took part, so that the scenario served nobody.
  var hasOnlyRealEndpoints: Bool {
    runsPrograms && !header.worlds.isEmpty && header.worlds.values.allSatisfy { $0 == "real" }
  }
}

/// Replays of programs.
extension ReplayMaker {
  /// The programs of the trace, in the order of the plan.
  var programs: RecordedPrograms {
    let places = Dictionary(
      plan.programs.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    var recorded = RecordedPrograms(plan.programs.map { _ in RecordedPrograms.Program() })
    for index in run.entries.indices where run.entries.kind(of: index)?.mayBeOfProgram == true {
      guard let program = run.header.program(of: run.entries.source(of: index)),
        let place = places[program]
      else { continue }
      add(index, to: &recorded.all[place], plan.programs[ProgramID(place)])
    }
    return recorded
  }

  /// The places at which others reached the mocks.
  func addresses(_ ids: [String: EndpointID]) -> [EndpointID: RecordedAddress] {
    var addresses: [EndpointID: RecordedAddress] = [:]
    for index in run.entries.indices where run.entries.kind(of: index) == .listening {
      guard let endpoint = run.entries.source(of: index).flatMap({ ids[$0] }) else { continue }
      addresses[endpoint] = address(index)
    }
    return addresses
  }

  private func address(_ index: Int) -> RecordedAddress? {
    let line = run.entries[index].line
    guard let json = line.value?.json, let url = json["url"]?.plainText else { return nil }
    let webSocket = json["webSocket"]?.plainText ?? "ws" + url.dropFirst("http".count)
    return RecordedAddress(http: url, webSocket: webSocket)
  }

  private func add(
    _ index: Int, to program: inout RecordedPrograms.Program, _ plan: ProgramPlan
  ) {
    let line = secrets.restored(in: run.entries[index].line)
    switch line.knownKind {
    case .stdin?, .signal?: program.sent.append(run.entries.time(of: index))
    case .listening?:
      if case .int(let port)? = line.value?.json["port"] { program.port = port }
      if case .string(let path)? = line.value?.json["temp"] { program.folder = path }
    case .problem?: note(line, index, in: &program)
    case .ready?: append(.becomesReady, line, index, to: &program)
    case .exit?:
      guard let end = ProgramEnd(reader.decoded(line.value) ?? .null) else { return }
      append(.exits(end), line, index, to: &program)
    case .emitted?: append(written(line, by: plan), line, index, to: &program)
    case nil, .finished?, .subscribed?, .unsubscribed?, .request?, .response?, .stream?, .upgrade?,
      .event?, .line?, .message?, .ping?, .pong?, .bytes?, .goodbye?, .drop?, .reset?, .left?,
      .unreachable?, .now?, .step?, .branch?, .phase?, .assertion?, .read?, .idle?, .network?,
      .fault?, .log?, .ignored?, .failure?, .pending?, .verdict?:
      break
    }
  }

  private func append(
    _ act: RecordedPrograms.Act, _ line: TraceLine, _ index: Int,
    to program: inout RecordedPrograms.Program
  ) {
    let due = ReplayedTrace.Input(
      .drop, time: run.entries.time(of: index), seen: line.seen, position: index)
    program.inputs.append(RecordedPrograms.Input(act, due: due))
  }

  /// Adds what went wrong with a program, so that it does again.
  private func note(_ line: TraceLine, _ index: Int, in program: inout RecordedPrograms.Program) {
    switch line.value?.json["problem"] {
    case "programNotStarted"?: program.isStarted = false
    case "programLineTooLong"?: append(.writesTooLong, line, index, to: &program)
    case "programNotReady"?:
      guard let end = line.value?.json["end"].flatMap({ ProgramEnd($0) }) else { return }
      append(.exitsBeforeReady(end), line, index, to: &program)
    case "programInput"?: program.closesInputAfter = program.sent.count
    // The other problems follow from its end, or from its silence.
    default: break
    }
  }

  /// Returns the line that a program wrote: as it was, or as a report that feeds a source.
  private func written(_ line: TraceLine, by program: ProgramPlan) -> RecordedPrograms.Act {
    let value = reader.decoded(line.value) ?? .null
    let source = line.source ?? program.name
    if source == program.name { return .writes(value, .output) }
    let name = String(source.dropFirst(program.name.count + 1))
    if name == "errors" { return .writes(value, .errors) }
    return .writes(["source": .string(name), "value": value], .output)
  }
}

extension TraceKind {
  /// True if such a line may say something of a program.
  fileprivate var mayBeOfProgram: Bool {
    switch self {
    case .emitted, .stdin, .signal, .ready, .exit, .listening, .problem: true
    case .finished, .subscribed, .unsubscribed, .request, .response, .stream, .upgrade, .event,
      .line, .message, .ping, .pong, .bytes, .goodbye, .drop, .reset, .left, .unreachable, .now,
      .step,
      .branch, .phase, .assertion, .read, .idle, .network, .fault, .log, .ignored, .failure,
      .pending, .verdict:
      false
    }
  }
}

extension TraceRun {
  /// False for a trace of an older version. `rehearse serve` starts no programs.
  var saysWhatProgramsDid: Bool {
    runsPrograms || header.worlds.values.contains { $0 == "serve" }
  }
}
