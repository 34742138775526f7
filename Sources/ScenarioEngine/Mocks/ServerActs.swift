import CEL
import Events
import Protocols
import ScenarioPlan
import Values

/// The acts of a mock on a connection that stays open.
extension MockConversation {
  /// False where nothing follows it.
  func perform(
    _ act: ServerActPlan, in slots: some CELSlots
  ) throws(EvaluationFailure) -> Bool {
    guard isOpen else { return false }
    startStream()
    switch act {
    case .event(let event): try send(event, in: slots)
    case .message(let data): send(message: try evaluate(data, in: slots).get())
    case .bytes(let pieces):
      for piece in pieces { send(raw: try bytes(of: piece, in: slots)) }
    case .halfClose: link.halfClose()
    case .close(let code, let reason): try close(code, reason, in: slots)
    case .pings(let areAnswered): answersPings(areAnswered)
    case .drop:
      link.drop()
      return false
    case .reset:
      link.reset()
      return false
    case .stall:
      stall()
      return false
    }
    return true
  }

  private func send(
    _ event: ServerEventPlan, in slots: some CELSlots
  ) throws(EvaluationFailure) {
    if kind == .lines {
      let data = try event.data.map { data throws(EvaluationFailure) in
        try evaluate(data, in: slots).get()
      }
      link.notify(.sentMessage(data ?? .null))
      return link.write(Array(((data ?? .null).json() + "\n").utf8))
    }
    var message = SSEMessage()
    message.id = try text(event.id, in: slots)
    message.event = try text(event.event, in: slots)
    message.comment = try text(event.comment, in: slots)
    message.retry = try milliseconds(event.retry, in: slots)
    let data = try event.data.map { data throws(EvaluationFailure) in
      try evaluate(data, in: slots).get()
    }
    message.data = data.map { payloadText($0) }
    switch message.encoded() {
    case .success(let bytes):
      send(
        SentEvent(name: message.event, id: message.id, data: data, comment: message.comment), bytes)
    case .failure(let problem):
      let range = (event.id ?? event.event ?? event.data)?.range ?? plan.range
      throw EvaluationFailure(range: range, message: problem.message)
    }
  }

  private func text(
    _ data: DataPlan?, in slots: some CELSlots
  ) throws(EvaluationFailure) -> String? {
    guard let data else { return nil }
    return try evaluate(data, in: slots).get().sentText
  }

  private func milliseconds(
    _ duration: DurationPlan?, in slots: some CELSlots
  ) throws(EvaluationFailure) -> Int? {
    guard let duration else { return nil }
    return Int(try evaluate(duration, in: slots).get() / 1_000)
  }

  private func bytes(
    of piece: BytesPlan, in slots: some CELSlots
  ) throws(EvaluationFailure) -> [UInt8] {
    switch piece {
    case .constant(let bytes): return bytes
    case .value(let data):
      let value = try evaluate(data, in: slots).get()
      if case .bytes(let bytes) = value { return bytes }
      return Array((value.sentText ?? "").utf8)
    }
  }

  private func send(raw bytes: [UInt8]) {
    link.notify(.sentBytes(bytes.count))
    switch kind {
    case .eventStream, .lines: link.write(bytes)
    case .webSocket: link.sendRaw(bytes)
    }
  }

  private func close(
    _ code: DataPlan?, _ reason: DataPlan?, in slots: some CELSlots
  ) throws(EvaluationFailure) {
    guard kind == .webSocket else { return link.endStream() }
    let reason = try text(reason, in: slots) ?? ""
    guard let code else { return close(code: WebSocketCloseCode.normal, reason: reason) }
    let value = try evaluate(code, in: slots).get()
    guard case .int(let number) = value, (0...65_535).contains(number) else {
      throw EvaluationFailure(
        range: code.range,
        message: "a code is a whole number from 0 to 65535, not \(value.display(maxLength: 80))"
      )
    }
    close(code: number, reason: reason)
  }
}

/// Steps of mocks' scripts, and steps that make mocks act.
extension ScriptRun {
  func act(_ act: ServerActPlan, _ step: StepPlan) -> Flow {
    switch role {
    case .conversation(let conversation):
      do throws(EvaluationFailure) {
        return try conversation.perform(act, in: self) ? .next : .waits
      } catch {
        return .fails(scriptFailure(error))
      }
    case .call(let call):
      call.reset()
      return .waits
    case .steps, .action, .transaction, .shadow: return .next
    }
  }

  /// The next message of the client; what it must be like is left to the judge.
  func receive(_ assertion: AssertionID, _ step: StepPlan) -> Flow {
    guard case .conversation(let conversation) = role else { return .next }
    if run.isEndless, run.supervisor.awaitedMessages[assertion] == nil {
      run.supervisor.awaitedMessages[assertion] = AwaitedMessage(step: reference(to: step))
    }
    let message = conversation.takeMessage { [weak self] message in
      guard let self else { return }
      onCancel = nil
      if case .next = judge(message, assertion, step) { resume() }
    }
    if let message { return judge(message, assertion, step) }
    onCancel = { conversation.stopWaiting() }
    return .waits
  }

  private func judge(_ message: Value, _ assertion: AssertionID, _ step: StepPlan) -> Flow {
    let reference = reference(to: step)
    run.supervisor.awaitedMessages[assertion]?.wasMet = true
    run.recorder.record(
      .assertion(.received(assertion, reference, message: message, reads: readings(of: assertion))))
    switch run.judge.status(in: branch) {
    case .met, .pending: return .next
    case .failed, .retried:
      run.supervisor.stop()
      if run.isEndless, case .conversation(let conversation) = role {
        conversation.turnAwayClient()
      }
      return .waits
    }
  }

  private func reference(to step: StepPlan) -> StepReference {
    StepReference(
      verb: step.verb, range: step.verbRange, branch: branch, turns: turns, includes: includes)
  }

  func serve(_ plans: [ServePlan], to audience: AudiencePlan, _ step: StepPlan) -> Flow {
    do throws(ServeFailure) {
      for plan in plans { try run.serve(plan, to: audience, in: self) }
      return .next
    } catch {
      switch error {
      case .unfit(let message): return .fails(cannot(step, message))
      case .evaluation(let failure): return .fails(scriptFailure(failure))
      }
    }
  }
}

/// The reason why mocks cannot act as they should.
enum ServeFailure: Error {
  case unfit(String)
  case evaluation(EvaluationFailure)

  fileprivate static func nobody(at endpoint: EndpointPlan) -> ServeFailure {
    .unfit("`\(endpoint.name)` has no such connection open")
  }

  /// The reason for people.
  var message: String {
    switch self {
    case .unfit(let message): message
    case .evaluation(let failure): failure.message
    }
  }
}

extension RunParts {
  /// Makes a mock act on its connections, or begin or end to listen.
  func serve(
    _ plan: ServePlan, to audience: AudiencePlan, in slots: some CELSlots
  ) throws(ServeFailure) {
    // A real endpoint does as it likes.
    guard let server = endpoints.mock(of: plan.endpoint) else {
      endpoints.remotes?.driftChecker?.giveUp(plan.endpoint)
      if case .act = plan.command, let player = endpoints.player(of: plan.endpoint),
        player.servesNobody
      {
        throw .nobody(at: player.plan)
      }
      return
    }
    switch plan.command {
    case .stop: server.stop()
    case .start: server.start()
    case .restart:
      server.stop()
      server.start()
    case .act(let act): try serve(act, on: server, to: audience, in: slots)
    }
  }

  private func serve(
    _ act: ServerActPlan, on server: MockServer, to audience: AudiencePlan,
    in slots: some CELSlots
  ) throws(ServeFailure) {
    let chosen = try audience.chosen(of: server.openConversations.filter(\.isOpen), in: slots)
    guard !chosen.isEmpty else { throw .nobody(at: server.plan) }
    if let other = chosen.first(where: { !act.fits($0.kind) }) {
      let connection = "connection \(other.number) of `\(server.plan.name)`"
      throw .unfit(
        "\(act.displayName) does not fit \(connection), which is \(other.kind.text.one)")
    }
    do throws(EvaluationFailure) {
      for conversation in chosen {
        _ = try conversation.perform(act, in: slots)
        if act.isLast { conversation.cancel() }
      }
    } catch {
      throw .evaluation(error)
    }
  }
}

extension AudiencePlan {
  fileprivate func chosen(
    of conversations: [MockConversation], in slots: some CELSlots
  ) throws(ServeFailure) -> [MockConversation] {
    switch self {
    case .all: return conversations
    case .last: return Array(conversations.suffix(1))
    case .connection(let data):
      switch evaluate(data, in: slots) {
      case .success(let number): return conversations.filter { .int($0.number) == number }
      case .failure(let failure): throw .evaluation(failure)
      }
    }
  }
}

extension ServerActPlan {
  /// True if a script has nothing left to do after this act of a `serve` step.
  fileprivate var isLast: Bool {
    switch self {
    case .drop, .reset, .stall, .close: true
    case .event, .message, .bytes, .halfClose, .pings: false
    }
  }
}
