import Events
import Values

/// A log line by line, for comparing two runs.
func lines(of log: EventLog) -> [String] {
  log.events.map { event in
    let cause = event.cause.map { " ← \($0)" } ?? ""
    return "\(event.sequence) \(event.time) \(text(of: event.kind))\(cause)"
  }
}

private func text(of kind: Event.Kind) -> String {
  switch kind {
  case .run(let kind): text(of: kind)
  case .source(let kind): text(of: kind)
  case .script(let kind): text(of: kind)
  case .assertion(let kind): text(of: kind)
  case .network(let kind): text(of: kind)
  }
}

private func text(of kind: RunEvent) -> String {
  switch kind {
  case .pendingAtEnd(let ends): "leftOpen \(ends)"
  case .actionsAtEnd(let ended, let running): "actions \(ended) \(running)"
  case .idle(let next): "idle \(next.map { String($0) } ?? "")"
  case .failed: "failed"
  case .stepsEnded: "stepsEnded"
  case .finallyBegan: "finallyBegan"
  case .ended: "ended"
  case .inRealTime: "in wall time"
  case .tracePlayed(let facts): "trace played \(facts)"
  case .traceEnded: "trace ended"
  case .secretsCaptured(let secrets): "secrets \(secrets.map(\.text))"
  case .secretsKnown(let values): "secrets \(Value.list(values).json())"
  case .secretsComputed(let texts, let name): "secrets \(name) \(texts)"
  case .lagged(let time): "lagged \(time)"
  }
}

private func text(of kind: SourceEvent) -> String {
  switch kind {
  case .emitted(let source, let value): "emitted \(source) \(value.json())"
  case .finished(let source, let error): "finished \(source) \(error?.json() ?? "")"
  case .subscribed(let source, let number): "subscribed \(source) \(number)"
  case .unsubscribed(let source, let number): "unsubscribed \(source) \(number)"
  }
}

private func text(of kind: ScriptEvent) -> String {
  switch kind {
  case .stepBegan(let step): "stepBegan \(text(of: step))"
  case .branched(let parent, let first, let count): "branched \(parent) \(first) \(count)"
  case .branchesJoined(let parent): "branchesJoined \(parent)"
  case .logged(let step, let value): "logged \(text(of: step)) \(value.json())"
  case .connectionAccepted(let branch): "conversed \(branch)"
  }
}

private func text(of kind: AssertionEvent) -> String {
  switch kind {
  case .invariantsSampled(let samples):
    "sampled "
      + samples.map { "\($0.invariant) \(text(of: $0.reads))" }.joined(separator: ", ")
  case .opened(let assertion, let step, let reads):
    "opened \(assertion) \(text(of: step)) \(text(of: reads))"
  case .checked(let assertion, let step, let reads):
    "checked \(assertion) \(text(of: step)) \(text(of: reads))"
  case .attempted(let assertion, let step, let error):
    "attempted \(assertion) \(text(of: step)) \(error?.json() ?? "")"
  case .snapshotTaken(let assertion, let step, let file, let value):
    "snapshotTaken \(assertion) \(text(of: step)) \(file) \(value.json())"
  case .received(let assertion, let step, let message, let reads):
    "received \(assertion) \(text(of: step)) \(message.json()) \(text(of: reads))"
  case .exchanged(let assertion, let step, let exchange, let reads):
    "exchanged \(assertion) \(text(of: step)) \(exchange.hops) \(text(of: reads))"
  case .ignored(let sources): "ignored \(sources)"
  }
}

private func text(of kind: NetworkEvent) -> String {
  switch kind {
  case .served(_, let connection, let activity): "served \(connection) \(activity)"
  case .driftObserved(let driftObserved): "drift \(driftObserved.endpoint) \(driftObserved.part)"
  case .faulted(let fault): "faulted \(fault)"
  case .pieceSent(let place, _, _): "pieceSent \(place)"
  case .unreachable(let endpoint, let connection): "unreachable \(endpoint) \(connection)"
  case .pieceUnread(let place): "pieceUnread \(place)"
  case .answeredAgain(let source): "answeredAgain \(source)"
  case .passedOver(let source, _, let reason): "passedOver \(source) \(reason)"
  case .notResumed(let source, _, let id): "notResumed \(source) \(id)"
  }
}

private func text(of step: StepReference) -> String {
  "\(step.verb)@\(step.range.start) \(step.branch) \(step.turns)"
}

private func text(of reads: [Value]) -> String { Value.list(reads).json() }
