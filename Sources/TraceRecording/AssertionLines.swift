import Events
import ScenarioPlan
import Traces
import Values

/// The lines of what assertions are judged by. With them, judging a trace again gives the same.
extension EventLines {
  func line(for event: AssertionEvent) -> TraceLine {
    switch event {
    case .opened(_, let step, let reads): read("opened", step, reads)
    case .checked(_, let step, let reads): read("checked", step, reads)
    case .attempted(_, let step, let error):
      read("attempted", step, [], [("error", error ?? .null)])
    case .snapshotTaken(_, let step, let file, let value):
      read("snapshot", step, [], [("file", .string(file)), ("value", value)])
    case .received(_, let step, let message, let reads):
      read("received", step, reads, [("message", message)])
    case .exchanged(_, let step, let exchange, let reads):
      read("exchanged", step, reads, [("exchange", value(exchange))])
    case .invariantsSampled(let samples): line(for: samples)
    case .ignored(let sources):
      TraceLine(.ignored, .list(sources.map { .string(name($0)) }))
    }
  }

  private func read(
    _ name: String, _ step: StepReference, _ reads: [Value], _ more: [(Value, Value)] = []
  ) -> TraceLine {
    var members: [ValueMap.Entry] = [("as", .string(name))]
    members += more
    members.append(("values", .list(reads)))
    members.append(("verb", .string(step.verb)))
    return line(.read, step, members)
  }

  private func line(for samples: [InvariantSample]) -> TraceLine {
    let read = samples.map { sample -> Value in
      ["invariant": .int(sample.invariant.index), "values": .list(sample.reads)]
    }
    var line = TraceLine(.read, ["as": "invariants", "samples": .list(read)])
    line.at = samples.first.flatMap { place(plan.invariants[$0.invariant].range) }
    return line
  }

  private func value(_ exchange: Exchange) -> Value {
    [
      "began": .int(Int(exchange.began)), "ended": .int(Int(exchange.ended)),
      "hops": .list(exchange.hops.map(value)),
    ]
  }

  private func value(_ hop: Exchange.Hop) -> Value {
    let lines = traffic(isReal: hop.place != nil)
    // In the order of their keys, which the writer need not sort then.
    var members: [ValueMap.Entry] = [("request", value(lines.message(hop.request)))]
    if let response = hop.response {
      members.append(("response", value(lines.message(response))))
    }
    members.append(("source", .string(plan.endpoints[hop.endpoint].name)))
    return .map(ValueMap(distinct: members))
  }

  /// Returns a message with the exact text of its body, which a line of its own has beside it.
  private func value(_ message: TrafficLines.Message) -> Value {
    guard let text = message.text, case .map(var map) = message.value else { return message.value }
    map["text"] = .string(text)
    return .map(map)
  }
}

/// The lines of failures apart from assertions.
extension EventLines {
  func line(for problem: RunProblem) -> TraceLine {
    switch problem {
    case .unmatchedRequest(let request): line(for: request)
    case .evaluation(let failure, let step):
      problemLine("evaluation", step, failure.message, at: place(failure.range))
    case .actionFailed(_, let error, let range):
      problemLine("actionFailed", nil, nil, [("error", error)], at: place(range))
    case .stepFailed(let step, let message): problemLine("stepFailed", step, message)
    case .requestFailed(let step, _, let error, let message):
      problemLine("requestFailed", step, message, [("error", error)])
    case .limit(let name, let value, let message):
      problemLine("limit", nil, message, [("name", .string(name)), ("value", .int(value))])
    case .program(let problem): line(for: problem)
    case .endlessWait(let step): problemLine("endlessWait", step, nil)
    case .interrupted(let step): problemLine("interrupted", step, nil)
    case .subject(let failure):
      problemLine("subject", nil, failure.message, at: place(failure.range))
    }
  }

  private func line(for problem: ProgramProblem) -> TraceLine {
    let name =
      switch problem.kind {
      case .notStarted: "programNotStarted"
      case .exitedBeforeReady, .notReady: "programNotReady"
      case .exited: "programFailed"
      case .usedAfterExit: "programEnded"
      case .inputClosed, .inputFull: "programInput"
      case .lineTooLong: "programLineTooLong"
      }
    var more: [(Value, Value)] = []
    if case .exitedBeforeReady(let end) = problem.kind { more = [("end", end.value)] }
    var line = problemLine(name, problem.step, nil, more)
    line.source = plan.programs[problem.program].name
    return line
  }

  private func line(for request: UnmatchedRequest) -> TraceLine {
    var line = problemLine(
      "unmatchedRequest", nil, nil,
      [
        (
          "differences",
          .list((request.traced?.differences ?? request.differences).map { .string($0) })
        )
      ],
      at: request.closest.flatMap(place))
    line.source = plan.endpoints[request.endpoint].name
    return line
  }

  private func problemLine(
    _ name: String, _ step: StepReference?, _ message: String?, _ more: [(Value, Value)] = [],
    at place: String? = nil
  ) -> TraceLine {
    var map = ValueMap([("problem", .string(name))] + more)
    map["message"] = message.map { .string($0) }
    var made = TraceLine(.problem, .map(map))
    if let step { made = line(.problem, step, Array(map)) }
    if let place { made.at = place }
    return made
  }
}
