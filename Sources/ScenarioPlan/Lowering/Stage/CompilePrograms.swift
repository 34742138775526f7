import CEL
import Diagnostics
import ScenarioSpec
import Values

/// Processes that the scenario starts and ends.
extension PlanCompiler {
  func compileSuspension(
    _ step: StepSpec, _ length: DurationSpec, _ timersAreDue: Bool
  ) -> StepPlanKind {
    if !timersAreDue, !plan.programs.isEmpty, plan.virtualTime == nil {
      report(.timersOfStoppedProgram(step.verb))
    }
    return .acting(.suspend(compile(length), timersAreDue: timersAreDue))
  }

  func declare(_ program: ProgramSpec) {
    let id = plan.programs.endIndex
    let name = unit.prefix + program.name.value
    let range = program.name.range
    names.programs.append(name)
    var declared = ProgramPlan(
      name: name, lines: addSource(name, .program(id, .lines), range),
      errors: addSource("\(name).errors", .program(id, .errors), range),
      exit: addSource("\(name).exit", .program(id, .exit), range),
      folderOfFile: folder(of: range), range: range)
    declared.sources = program.sources.map { source in
      ProgramPlan.Source(
        name: source.name.value,
        source: addSource(
          "\(name).\(source.name.value)", .program(id, .declared), source.name.range),
        initial: DataPlan(.constant(.null), source.name.range))
    }
    plan.programs.append(declared)
    plan.virtualTime = document.virtualTime
    plan.hasMachineClock = inputs.hasMachineClock
    plan.isInRealTime = plan.virtualTime == nil || plan.hasMachineClock
  }

  /// Declares the sources of programs, and the addresses of endpoints that others may connect to.
  func declareProgramsInScope() {
    guard !plan.programs.isEmpty || plan.against.haveAddresses else { return }
    for endpoint in unit.start.endpoints..<unit.end.endpoints {
      declareAddresses(of: endpoint, at: unit.name(plan.endpoints[endpoint].name))
    }
    let known = Set(scope.addresses)
    for (name, endpoint) in names.onlyEndpoints.sorted(by: { $0.value < $1.value })
    where name.hasPrefix(unit.prefix) && !known.contains(unit.name(name) + ".url") {
      declareAddresses(of: endpoint, at: unit.name(name))
    }
    for id in unit.start.programs..<unit.end.programs {
      let program = plan.programs[id]
      scope.declare("\(unit.name(program.name)).port", type: .int, slot: slot(.port(id)))
      scope.declare("\(unit.name(program.name)).temp", type: .string, slot: slot(.temp(id)))
      let sources = [program.lines, program.errors, program.exit] + program.sources.map(\.source)
      for source in sources {
        scope.declare(unit.name(plan.sources[source].name), slot: slot(.lastEvent(source)))
      }
    }
  }

  private func declareAddresses(of endpoint: EndpointID, at name: String) {
    for kind in AddressKind.allCases {
      scope.declare("\(name).\(kind.word)", type: .string, slot: slot(.address(endpoint, kind)))
    }
  }

  func lookUpProgram(_ name: String) -> ProgramID? { names.programs[unit.prefix + name] }

  /// Reports that no program has a name, where only programs can be meant.
  func reportUnknownProgram(_ name: Located<String>) {
    reportUnknown(
      name, "a program", known: names.programs.seen(from: unit.prefix), declaredIn: .programs)
  }

  func compile(_ program: ProgramSpec, _ id: ProgramID) {
    plan.programs[id].run = program.run.map { compileInitial($0) }
    plan.programs[id].environment = program.environment.map {
      ($0.name.value, compileInitial($0.value))
    }
    plan.programs[id].folder = program.folder.map { compileInitial($0) }
    plan.programs[id].ready = program.ready.map { compile($0) }
    for (number, source) in program.sources.enumerated() {
      guard let initial = source.initial else { continue }
      plan.programs[id].sources[number].initial = compileInitial(initial)
    }
    if let signal = program.signal { plan.programs[id].stop.signal = signal }
    if let timeout = program.stopTimeout { plan.programs[id].stop.timeout = timeout }
  }

  private func compile(_ ready: ReadinessSpec) -> ReadinessPlan {
    let sign: ReadinessPlan.Sign =
      switch ready.sign {
      case .line(let line): compileReadyLine(line)
      case .port(let port): .port(compileInitial(port))
      case .url(let url): .url(compileInitial(url))
      }
    return ReadinessPlan(
      sign: sign, timeout: ready.timeout ?? ReadinessPlan.defaultTimeout, range: ready.range)
  }

  private func compileReadyLine(_ line: MatcherSpec) -> ReadinessPlan.Sign {
    let matcher = compile(line)
    var reads: [SlotID] = []
    matcher.forEachExpression { expression in
      for slot in expression.readSlots
      where plan.slots[slot].isKnownToTheStageAlone && !reads.contains(slot) {
        reads.append(slot)
      }
    }
    return .line(matcher, reads: reads.sorted())
  }
}

extension Diagnostic {
  /// A process that is stopped in real time cannot keep what is left of its timers.
  static func timersOfStoppedProgram(_ verb: Located<String>) -> Diagnostic {
    Diagnostic(
      "timers-of-stopped-program",
      "in real time, the timers of a program go on while it sleeps", labels: [.init(verb.range)],
      help: "add `timers: due` to the step, so that they fire at the waking;"
        + " or add `time: virtual` to the scenario, where they keep what was left")
  }
}

extension MatcherPlan {
  /// Returns the matcher of a program's end: a number stands for an exit code, a text for a signal.
  func matchingExits() -> MatcherPlan {
    guard case .value(let data) = content, case .constant(let value) = data.content else {
      return self
    }
    switch value {
    case .int, .uint: return MatcherPlan(.map([(key: Value.string("code"), matcher: self)]), range)
    case .string: return MatcherPlan(.map([(key: Value.string("signal"), matcher: self)]), range)
    case .null, .bool, .double, .digits, .bytes, .timestamp, .duration, .list, .map, .type,
      .optional:
      return self
    }
  }
}
