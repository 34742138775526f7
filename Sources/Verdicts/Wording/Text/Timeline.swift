import Diagnostics
import Events
import ScenarioPlan
import Values

/// The number of events in a timeline, and of those after the failed one.
private let timelineLength = 6
private let timelineAfter = 2
/// The length of a timeline's line in characters, unless one event alone is longer.
private let timelineWidth = 76
/// The number of causes that a chain follows back.
private let causesFollowed = 6

/// The history of a failure: the events around it, and the causes that led to it.
extension FailureWriter {
  /// The events of the sources an expectation names, around the one that failed.
  func timeline(of failure: Failure) -> [Diagnostic.Fact] {
    let window = timelineWindow(of: failure)
    guard let last = window.last, window.count > 1 || last.sequence != failure.event else {
      return []
    }
    let sources = sources(of: failure)
    let isOneSource = sources.allSatisfy { $0 == sources[0] }
    let briefs = names.briefs(window.map { ($0.source, $0.value) })
    var pieces = zip(window, briefs).map { emission, brief in
      piece(emission, brief, failed: failure.event, isNamed: !isOneSource)
    }
    if window.startIndex > 0 { pieces.insert("…", at: 0) }
    if hasMore(after: last, of: failure) { pieces.append("…") }
    return note("timeline", wrapped(pieces))
  }

  func timelineWindow(of failure: Failure) -> ArraySlice<EmissionBuffer.Emission> {
    let sources = sources(of: failure)
    let emissions = judge.buffer.emissions.filter {
      $0.sequence >= failure.firstEvent && sources.contains($0.source)
    }
    let failed = failure.event.flatMap { event in
      emissions.firstIndex { $0.sequence == event }
    }
    let end = failed.map { min($0 + 1 + timelineAfter, emissions.count) } ?? emissions.count
    return emissions[max(0, end - timelineLength)..<end]
  }

  private func hasMore(after last: EmissionBuffer.Emission, of failure: Failure) -> Bool {
    let sources = sources(of: failure)
    return judge.buffer.emissions.contains {
      $0.sequence > last.sequence && sources.contains($0.source)
    }
  }

  /// Joins pieces by arrows, in lines that are not too long.
  private func wrapped(_ pieces: [String]) -> String {
    var text = ""
    var length = 0
    for (place, piece) in pieces.enumerated() {
      let breaks = length + piece.count > timelineWidth && length > 0
      text += place == 0 ? "" : breaks ? "\n→ " : " → "
      length = breaks ? piece.count : length + piece.count + 3
      text += piece
    }
    return text
  }

  /// Returns an event's part of the timeline. If all events are of one source, its name is left
  /// out.
  private func piece(
    _ emission: EmissionBuffer.Emission, _ brief: String, failed: EventID?, isNamed: Bool
  ) -> String {
    let name = isNamed ? names.name(of: emission.source) + " " : ""
    let value = emission.isCompletion ? "|" : brief
    let text = "\(durationText(emission.time)) \(name)\(value)"
    if emission.sequence == failed { return text + " ✗" }
    let isSettled = emission.isAccountedFor || emission.isCompletion
    return isSettled ? text : text + " (unaccounted)"
  }

  private func sources(of failure: Failure) -> [SourceID] {
    guard let assertion = failure.assertion else { return [] }
    switch judge.plan.assertions[assertion].kind {
    case .expectMap(let sequences): return sequences.map(\.source)
    case .expectList(let entries): return entries.flatMap(\.members).map(\.source)
    case .never(let entries, _): return entries.map(\.source)
    case .check, .eventually, .retry, .fails, .receive, .answer, .snapshot: return []
    }
  }

  /// `event 5 ← api GET /fact at 40ms ← send at 0ms (line 33)`.
  func cause(of event: EventID?) -> [Diagnostic.Fact] {
    guard let event, let last = log[event] else { return [] }
    var pieces: [String] = []
    var next = last.cause
    while let number = next, number < event, pieces.count < causesFollowed,
      let cause = log[number]
    {
      if let text = text(ofCause: cause) { pieces.append(text) }
      next = cause.cause.flatMap { $0 < number ? $0 : nil }
    }
    if pieces.isEmpty { return [] }
    if source(of: event) != nil { pieces.insert(name(of: event), at: 0) }
    return note("cause", pieces.joined(separator: " ← "))
  }

  private func text(ofCause event: Event) -> String? {
    let time = durationText(event.time)
    switch event.kind {
    case .source(let kind): return text(ofCause: kind, time)
    case .script(.stepBegan(let step)): return "\(text(of: step)) at \(time)\(line(of: step))"
    case .network(.faulted(let fault)): return "\(text(of: fault.kind)) by a fault at \(time)"
    case .script, .network, .run, .assertion: return nil
    }
  }

  private func text(ofCause kind: SourceEvent, _ time: String) -> String? {
    switch kind {
    case .emitted(let source, let value):
      return "\(names.name(of: source)) \(names.brief(value, of: source)) at \(time)"
    case .finished(let source, error: nil): return "\(names.name(of: source)) completed at \(time)"
    case .finished(let source, let error?):
      let error = names.text(error, maxLength: timelineValueLength)
      return "\(names.name(of: source)) failed with \(error) at \(time)"
    case .subscribed, .unsubscribed: return nil
    }
  }

  private func text(of step: StepReference) -> String {
    turnText(step).map { "\(step.verb) \($0)" } ?? step.verb
  }

  private func line(of step: StepReference) -> String {
    guard let file = sources.file(of: step.range) else { return "" }
    let line = file.place(of: Int(step.range.start)).line
    let isElsewhere = step.range.file != judge.plan.range.file
    return isElsewhere ? " (\(file.path):\(line))" : " (line \(line))"
  }

  /// The acting step an event came after.
  func stepText(before event: EventID) -> String? {
    for earlier in log.events(before: event).reversed() {
      if case .script(.stepBegan(let step)) = earlier.kind {
        return "after \(text(of: step))\(line(of: step))"
      }
    }
    return nil
  }
}
