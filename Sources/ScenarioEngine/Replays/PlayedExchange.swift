import Events
import Values

/// A recorded exchange that is played. What the other side sent, and what arrived of the client, is
/// read from the trace when it comes next.
package final class PlayedExchange {
  package let request: Exchange.Request
  /// The next input from the other side; nil at the end.
  private(set) var input: ReplayedTrace.Input?
  /// The number of inputs that were passed.
  private(set) var passed = 0
  /// True if no connection was made.
  var isUnreachable: Bool { if case .unreachable? = input?.kind { true } else { false } }
  /// The closest entry of the mock and the differences from it, as recorded, if no entry matched
  /// the request. It then ends the run again.
  package var refusal: (closest: String?, differences: [String])?
  /// True if the end of the connection was no news to the endpoint, which had given its answer.
  package var endsUnnoticed = false
  /// True if a stream or a WebSocket begins.
  package var opensConversation: Bool {
    switch input?.kind {
    case .stream?, .upgrade?: true
    default: false
    }
  }
  /// True if a stream begins here again, or goes on without what its client has missed.
  package var beginsAgain = false
  /// True if the client has left before all came.
  package private(set) var wasLeft = false
  /// The place of the trace up to which the acts of its mock do not happen; later ones come sooner.
  private var omitted: (position: Int, time: Microseconds) = (-1, 0)
  private var nextInput: () -> ReplayedTrace.Input?
  private let nextArrival: () -> ReplayedTrace.Arrival?

  /// - Parameters:
  ///   - request: What the client asked.
  ///   - inputs: Reads what the other side sent, one after the other.
  ///   - arrivals: Reads what arrived of the client, the request first.
  package init(
    _ request: Exchange.Request, inputs: @escaping () -> ReplayedTrace.Input?,
    arrivals: @escaping () -> ReplayedTrace.Arrival?
  ) {
    self.request = request
    nextInput = inputs
    nextArrival = arrivals
    input = inputs()
  }

  /// Lets something else come than was recorded.
  ///
  /// - Parameters:
  ///   - hasEffects: False if what the mock did because of the client does not happen.
  ///   - change: Returns what comes in place of an input, and whether nothing follows it.
  package func change(
    hasEffects: Bool,
    by change: @escaping (ReplayedTrace.Input) -> (input: ReplayedTrace.Input, isLast: Bool)
  ) {
    if !hasEffects { omitted.position = .max }
    var (first, isOver) = (input, false)
    let recorded = nextInput
    nextInput = {
      guard !isOver, let next = first ?? recorded() else { return nil }
      first = nil
      let changed = change(next)
      isOver = changed.isLast
      return changed.input
    }
    input = nextInput()
  }

  /// Leaves out what comes behind the head up to an input, which the client has already.
  package func resume(behind position: Int) {
    while let next = nextInput() {
      omitted = (next.position, next.time - next.answersTo.time)
      if next.position >= position { break }
    }
    let (recorded, time) = (nextInput, omitted.time)
    nextInput = {
      var next = recorded()
      next?.time -= time
      return next
    }
  }

  /// Moves on to the next input.
  func passInput() {
    input = nextInput()
    passed += 1
  }

  /// Passes all inputs: the client has gone.
  func passAll() {
    wasLeft = wasLeft || input != nil
    input = nil
    passed += 1
  }

  /// Returns how what the client sends next arrived; nil if the trace does not have it.
  func takeArrival() -> ReplayedTrace.Arrival? {
    var arrival = nextArrival()
    arrival?.effects.removeAll { $0.position <= omitted.position }
    for index in arrival?.effects.indices ?? 0..<0 { arrival?.effects[index].time -= omitted.time }
    return arrival
  }
}
