import Diagnostics
import Events
import ScenarioPlan
import Values

/// The texts about a stream that ended too soon, or had other subscriptions than expected.
extension FailureWriter {
  func streamEnded(_ failure: Failure, _ awaited: Awaited, _ event: EventID) -> Diagnostic {
    let source = names.name(of: awaited.source)
    let ending = judge.buffer.ending(of: awaited.source)
    let end = ending?.isCompletion == false ? "failed" : "completed"
    return Diagnostic(
      "stream-ended", "`\(source)` has \(end), and another event of it is still awaited",
      labels: [.init(awaited.range, position(of: awaited, failure))],
      facts: [
        .init("actual", "\(names.text(value(of: event)))   \(place(of: event))"),
        .init("expected", names.text(awaited.expected)),
      ],
      help: "a stream that has \(end) emits no more events")
  }

  func subscriptions(_ failure: Failure, _ difference: SubscriptionDifference) -> Diagnostic {
    let source = names.name(of: difference.source)
    let plan = difference.wanted[ifPresent: difference.place]
    let seen = difference.seen[ifPresent: difference.place]
    let drawing = drawing(difference, plan, seen)
    var diagnostic = Diagnostic(
      "marble-subscriptions", "`\(source)` was not subscribed to as in the diagrams",
      labels: [.init(plan?.range ?? difference.range, turnText(failure.step) ?? "")],
      facts: [.init("expected", drawing.wanted), .init("actual", drawing.seenAndCaret)])
    let counts = (difference.wanted.count, difference.seen.count)
    if counts.0 != counts.1 {
      diagnostic.facts.append(.init("count", "\(counts.1), where \(counts.0) expected"))
    }
    diagnostic.facts.append(.init(ordinal(difference.place + 1), description(seen, difference.end)))
    return diagnostic
  }

  /// `subscribed at 20ms, left at 50ms`.
  private func description(_ seen: SubscriptionSeen?, _ end: Microseconds) -> String {
    guard let seen else { return "not subscribed until \(durationText(end))" }
    let ended = seen.ended.flatMap { $0 <= end ? $0 : nil }
    let left = ended.map { "left at \(durationText($0))" } ?? "not left until \(durationText(end))"
    return "subscribed at \(durationText(seen.began)), \(left)"
  }

  private func drawing(
    _ difference: SubscriptionDifference, _ plan: SubscriptionMarblePlan?,
    _ seen: SubscriptionSeen?
  ) -> AlignedDiagrams {
    let zero = difference.zero
    let ended = seen?.ended.flatMap { $0 <= difference.end ? $0 : nil }
    let wanted = [plan?.subscribed, plan?.unsubscribed]
    let actual = [seen?.began, ended].map { time in time.map { $0 - zero } }
    let first = zip(wanted, actual).first { $0 != $1 }
    let focus = first.map { min($0 ?? .max, $1 ?? .max) } ?? 0
    let tick = plan?.tick ?? difference.wanted.last?.tick ?? 1000
    let isTogether = focus == wanted[0] && focus == actual[0]
    return AlignedDiagrams(
      tick: tick, wanted: .init(marks: marks(wanted), end: plan?.end ?? difference.end - zero),
      seen: .init(marks: marks(actual), end: difference.end - zero),
      focus: .init(offset: focus, index: isTogether ? 1 : 0))
  }

  private func marks(_ times: [Microseconds?]) -> [AlignedDiagrams.Mark] {
    zip(times, ["^", "!"]).compactMap { time, symbol in
      time.map { .init(offset: $0, symbol: symbol) }
    }
  }
}
