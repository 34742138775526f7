import Diagnostics
import Values

/// The class of a divergence, in words for people and programs.
extension Divergence {
  package var className: String {
    switch kind {
    case .otherValue where now?.knownKind == .request: "asked something else"
    case .otherValue where now?.isWritten == true: "wrote something else"
    case .otherValue where now?.isSentByClient == true: "asked something else"
    case .otherValue: "another value"
    case .time(let shift): shift > 0 ? "too late" : "too early"
    case .order: "another order"
    case .missing: "missing"
    case .extra: "extra"
    case .unknownRequest: "asked something else"
    case .onceMore: "extra"
    case .noAnswer: "answer missing"
    case .leftOver: "input left over"
    }
  }
}

extension Divergence {
  /// True if it may come from an answer that did not come: something is missing, or an assertion
  /// did not hold.
  fileprivate var mayLackAnswer: Bool {
    switch kind {
    case .missing: true
    case .otherValue: now?.knownKind == .assertion && now?.value?.json["held"] == .bool(false)
    case .time, .order, .extra, .unknownRequest, .onceMore, .noAnswer, .leftOver: false
    }
  }
}

extension ReplayComparison {
  /// Returns the rule that a divergence breaks, in one sentence.
  package func message(of divergence: Divergence) -> String {
    let recorded = divergence.recorded.map { run.entries[$0].line }
    let name = "`\(visibleText((divergence.now ?? recorded)?.source ?? "the scenario"))`"
    let kind = (divergence.now ?? recorded)?.knownKind
    let asked = divergence.now.map { "`\(requestText($0))`" } ?? ""
    if kind == .verdict { return "the run ends with another verdict than in the trace" }
    switch divergence.kind {
    case .otherValue where kind == .assertion: return "an assertion came out otherwise"
    case .otherValue where kind == .request:
      return "\(name) was asked something else than in the trace"
    case .otherValue where divergence.now?.isWritten == true:
      return "our side wrote something else to \(name) than in the trace"
    case .otherValue where divergence.now?.isSentByClient == true:
      return "\(name) was sent something else than in the trace"
    case .otherValue: return "\(name) has another value than in the trace"
    case .order: return "an event of \(name) stands before its cause in the trace"
    case .time(let shift):
      let verb = kind == .request ? "was asked" : "came"
      return "\(name) \(verb) \(shift > 0 ? "later" : "earlier") than in the trace"
    case .missing where kind == .request: return "\(name) was not asked what the trace has"
    case .missing where kind == .assertion: return "an assertion of the trace was not reached"
    case .missing where kind == .step: return "a step of the trace was not taken"
    case .missing where kind == .stdin: return "a line to \(name) was not written"
    case .missing where recorded?.isSentByClient == true:
      return "\(name) was not sent what the trace has"
    case .missing where kind == .signal: return "\(name) was sent no signal"
    case .missing: return "an event of \(name) did not come"
    case .extra where kind == .assertion: return "an assertion was reached that the trace lacks"
    case .extra where kind == .step: return "a step was taken that the trace lacks"
    case .extra where kind == .stdin:
      return "our side wrote a line to \(name) that the trace does not have"
    case .extra where kind == .signal:
      return "our side sent a signal to \(name) that the trace does not have"
    case .extra: return "an event of \(name) came that the trace does not have"
    case .unknownRequest: return "the trace has no answer of \(name) to \(asked)"
    case .onceMore: return "\(name) was asked \(asked) once more than in the trace"
    case .noAnswer:
      let text = recorded.map { "`\(requestText($0))`" } ?? ""
      return "the answer of \(name) to \(text) is missing in the trace"
    case .leftOver: return "an input of \(name) is left over"
    }
  }

  /// Returns what people compare of a divergence: both sides, causes, and what would have followed.
  package func notes(on divergence: Divergence) -> [Diagnostic.Fact] {
    var notes: [Diagnostic.Fact] = []
    let entry = divergence.recorded.map { run.entries[$0] }
    notes.append(.init("recorded", entry.map(recordedText) ?? "nothing"))
    notes.append(.init("now", nowText(divergence)))
    for difference in divergence.differences.prefix(ReplayComparison.mostDifferences) {
      notes.append(.init("differs", visibleText(difference)))
    }
    if let entry, let causes = causesText(entry) { notes.append(.init("cause", causes)) }
    if let index = divergence.recorded, let next = nextText(after: index) {
      notes.append(.init("then", next))
    }
    notes.append(.init("class", divergence.className))
    return notes + generalNotes(divergence)
  }

  private static let mostDifferences = 5

  private func generalNotes(_ divergence: Divergence) -> [Diagnostic.Fact] {
    var notes: [String] = []
    if divergence.followers > 0 {
      let events =
        divergence.followers == 1 ? "1 later event" : "\(divergence.followers) later events"
      notes.append("\(events) came by the same time \(lateness(divergence))")
    }
    if divergences.count > 1 {
      let count = divergences.count - 1
      notes.append(
        count == 1 ? "1 more divergence follows" : "\(count) more divergences follow")
    }
    if divergence.mayLackAnswer, let request = unansweredRequest.map({ run.entries[$0] }) {
      let asked = lineText(request.line)
      notes.append("the trace has nothing that answers event \(request.number), \(asked)")
    }
    if let stoppedAt {
      notes.append("the replay ended at \(durationText(stoppedAt)), long after this")
    }
    for (layer, count) in layers.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let requests = count == 1 ? "1 request was" : "\(count) requests were"
      notes.append("\(requests) found by \(layer.text) only")
    }
    return notes.map { .init("note", $0) }
  }

  /// The first request that was asked again and that nothing follows in a complete trace.
  private var unansweredRequest: Int? {
    guard run.isComplete else { return nil }
    let exchange = (0..<exchanges.count).first { exchange in
      chooser.isUsed(exchange) && exchanges.chains[after: exchanges.request(of: exchange)] == nil
    }
    return exchange.map { exchanges.request(of: $0) }
  }

  /// The same, if the trace shows that it was answered: a line behind it is missing, or it caused
  /// an event.
  var requestWithDeletedAnswer: Int? {
    guard let request = unansweredRequest else { return nil }
    let wasAnswered = (request + 1..<run.entries.count).contains { index in
      if run.entries.number(of: index) > run.entries.number(of: index - 1) + 1 { return true }
      guard run.entries.kind(of: index) == .emitted else { return false }
      let line = run.entries[index].line
      return line.cause == run.entries.number(of: request)
        && line.source.map { !rules.endpoints.contains($0) } == true
    }
    return wasAnswered ? request : nil
  }

  private func lateness(_ divergence: Divergence) -> String {
    if case .time(let shift) = divergence.kind, shift < 0 { return "earlier" }
    return "later"
  }

  private func recordedText(_ entry: TraceReader.Entry) -> String {
    "event \(entry.number), at \(durationText(entry.time))   \(lineText(entry.line))"
  }

  private func nowText(_ divergence: Divergence) -> String {
    guard let now = divergence.now else { return "nothing" }
    var text = "at \(durationText(now.time ?? 0))   \(lineText(now))"
    if case .time(let shift) = divergence.kind {
      text +=
        "   \(durationText(shift < 0 ? 0 &- shift : shift)) \(shift > 0 ? "later" : "earlier")"
    }
    return text
  }

  /// Returns the causes of an event, the nearest first.
  private func causesText(_ entry: TraceReader.Entry) -> String? {
    guard let chain = TraceCauses(of: entry.number, in: run)?.chain, chain.count > 1 else {
      return nil
    }
    let texts = chain.dropFirst().prefix(3).map { cause in
      "\(sourceText(cause.line)) at \(durationText(cause.time))"
    }
    let more = chain.count > 4 ? " ← …" : ""
    return (["event \(entry.number)"] + texts).joined(separator: " ← ") + more
  }

  private func sourceText(_ line: TraceLine) -> String {
    let name = line.source.map { visibleText($0) + " " } ?? ""
    return line.knownKind == .step
      ? "step \(line.at.map { placeKey($0) } ?? "")" : name + lineText(line)
  }

  /// Returns what the trace has next.
  private func nextText(after index: Int) -> String? {
    let next = run.entries[(index + 1)...].lazy.filter { entry in
      entry.line.isCompared(in: run.header) || entry.line.isInput(in: run.header)
    }.prefix(3)
    let texts = next.map { entry in
      "\(sourceText(entry.line)) at \(durationText(entry.time))"
    }
    return texts.isEmpty ? nil : "recorded: " + texts.joined(separator: ", ")
  }

  private func lineText(_ line: TraceLine) -> String {
    if line.knownKind == .request { return requestText(line) }
    return line.valueText
  }

  private func requestText(_ line: TraceLine) -> String {
    let id = line.value?.json["headers"]?["last-event-id"].map {
      " (Last-Event-ID: \(visibleText($0.plainText)))"
    }
    return line.valueText + (id ?? "")
  }
}

extension TraceLine {
  /// True for what the scenario does to a program.
  fileprivate var isWritten: Bool { knownKind == .stdin || knownKind == .signal }

  /// True for a message of a client.
  fileprivate var isSentByClient: Bool { knownKind == .message && from == .client }
}
