import Events

/// A recorded exchange that is played. What the other side sent, and what arrived of the client, is
/// read from the trace when it comes next.
package final class PlayedExchange {
  package let request: Exchange.Request
  /// The next input from the other side; nil at the end.
  private(set) var input: ReplayedTrace.Input?
  /// The number of inputs that were passed.
  private(set) var passed = 0
  /// True if no connection was made.
  let isUnreachable: Bool
  /// The closest entry of the mock and the differences from it, as recorded, if no entry matched
  /// the request. It then ends the run again.
  package var refusal: (closest: String?, differences: [String])?
  /// True if the end of the connection was no news to the endpoint, which had given its answer.
  package var endsUnnoticed = false
  private let nextInput: () -> ReplayedTrace.Input?
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
    if case .unreachable? = input?.kind { isUnreachable = true } else { isUnreachable = false }
  }

  /// Moves on to the next input.
  func passInput() {
    input = nextInput()
    passed += 1
  }

  /// Passes all inputs: the client has gone.
  func passAll() {
    input = nil
    passed += 1
  }

  /// Returns how what the client sends next arrived; nil if the trace does not have it.
  func takeArrival() -> ReplayedTrace.Arrival? { nextArrival() }
}
