import Diagnostics
import Events

/// Finds requests with two answers, and answers that come before their requests.
struct AnswerOrderMachine: TrafficMachine {
  static let twice: DiagnosticID = "two-answers"
  static let early: DiagnosticID = "answer-before-request"

  /// Which of the two is looked for.
  private let id: DiagnosticID
  private(set) var exercised = ExercisedCount()
  /// By exchange: its answer.
  private var answers: [Int: RuleWitness] = [:]
  private var answered = LastElements<Int>()
  /// By server: an answer to no request, and the request behind it.
  private var early: [String: (answer: RuleWitness, request: RuleWitness?, exchange: Int)] = [:]

  init(_ id: DiagnosticID) { self.id = id }

  mutating func observe(_ line: ExchangeLine, _ end: RecordingEnd) -> [RuleFinding] {
    if case .request(let request) = line.kind {
      if early[line.server] != nil, early[line.server]?.request == nil {
        early[line.server]?.request = RuleWitness(line, request.shownTarget)
        early[line.server]?.exchange = line.exchange
      }
      return []
    }
    guard line.kind.isHead, line.from == .server, !isInterim(line.kind) else { return [] }
    let witness = RuleWitness(line, "the answer")
    exercised.add(.server)
    guard line.exchange > 0 else {
      early[line.server] = early[line.server] ?? (witness, nil, 0)
      return []
    }
    // A log that begins in the middle has an answer to an earlier request.
    if early[line.server]?.exchange == line.exchange { early[line.server] = nil }
    guard id == AnswerOrderMachine.twice else { return [] }
    guard let first = answers.updateValue(witness, forKey: line.exchange) else {
      if let oldest = answered.append(line.exchange) { answers[oldest] = nil }
      return []
    }
    return [RuleFinding(.server, "the request is answered twice", first, witness)]
  }

  mutating func finish(_ end: RecordingEnd) -> [RuleFinding] {
    guard id == AnswerOrderMachine.early else { return [] }
    return early.sorted { $0.key < $1.key }.compactMap { _, found in
      found.request.map {
        RuleFinding(.server, "the answer comes before its request", found.answer, $0)
      }
    }
  }

  private func isInterim(_ kind: Traffic.Kind) -> Bool {
    if case .response(let answer) = kind { (100..<200).contains(answer.status) } else { false }
  }
}

/// Finds messages of a side that has closed its conversation.
struct AfterCloseMachine: TrafficMachine {
  static let id: DiagnosticID = "message-after-close"

  private(set) var exercised = ExercisedCount()
  private var closed: [Int: (side: Traffic.Side, witness: RuleWitness)] = [:]
  private var closedLast = LastElements<Int>()

  mutating func observe(_ line: ExchangeLine, _ end: RecordingEnd) -> [RuleFinding] {
    switch line.kind {
    case .goodbye, .left:
      guard line.exchange > 0 else { return [] }
      exercised.add(line.from)
      guard closed[line.exchange] == nil else { return [] }
      closed[line.exchange] = (line.from, RuleWitness(line, "the close"))
      if let oldest = closedLast.append(line.exchange) { closed[oldest] = nil }
    case .event, .line, .message:
      guard let close = closed[line.exchange], close.side == line.from else { return [] }
      let side = line.from == .client ? "client" : "server"
      return [
        RuleFinding(
          line.from, "the \(side) sends something after it has closed", close.witness,
          RuleWitness(line, "what comes after it"))
      ]
    case .request, .response, .stream, .upgrade, .comment, .retry, .id, .cutEvent, .ping, .pong,
      .bytes, .drop, .reset, .unreachable:
      break
    }
    return []
  }
}
