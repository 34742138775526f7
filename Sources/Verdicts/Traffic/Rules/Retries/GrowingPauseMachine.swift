import Diagnostics
import Events
import Values

/// Finds clients that go on asking in the same pauses though the server refuses them.
///
/// The server says with `Retry-After` or `retry:` when it wants to be asked again, and then nothing
/// is found.
struct GrowingPauseMachine: TrafficMachine {
  static let id: DiagnosticID = "pause-does-not-grow"

  private struct Asked: Hashable {
    var server: String
    var method: String
    var target: String
  }

  /// The attempts that were refused, one after the other.
  private struct Refused {
    var count = 0
    /// Those of the last attempts.
    var begins: [Microseconds] = []
    var last: RuleWitness?
    var isAdvised = false
    var isFound = false
  }

  /// The refusals after which a pause has to have grown.
  private static let mostRefusals = 3
  /// The longest pause that may be too short. A client that asks each minute is a heartbeat.
  private static let longestPause: Microseconds = 15_000_000

  private(set) var exercised = ExercisedCount()
  private var open: [Int: (asked: Asked, witness: RuleWitness)] = [:]
  private var refused: [Asked: Refused] = [:]

  mutating func observe(_ line: ExchangeLine, _ end: RecordingEnd) -> [RuleFinding] {
    switch line.kind {
    case .request(let request):
      let asked = Asked(server: line.server, method: request.method, target: request.target)
      let witness = RuleWitness(line, request.shownTarget)
      open[line.exchange] = (asked, witness)
      return attempt(asked, witness, end)
    case .response(let answer):
      guard let asked = open.removeValue(forKey: line.exchange) else { return [] }
      let isRefusal = [429, 500, 502, 503, 504].contains(answer.status)
      note(asked, isRefusal: isRefusal, isAdvised: answer["retry-after"] != nil)
    case .unreachable:
      if let asked = open.removeValue(forKey: line.exchange) {
        note(asked, isRefusal: true, isAdvised: false)
      }
    case .stream, .upgrade:
      if let asked = open.removeValue(forKey: line.exchange) { refused[asked.asked] = nil }
    case .retry: for asked in refused.keys { refused[asked]?.isAdvised = true }
    case .goodbye, .left, .drop, .reset: open[line.exchange] = nil
    case .event, .comment, .id, .cutEvent, .line, .message, .ping, .pong, .bytes: break
    }
    return []
  }

  private mutating func note(
    _ attempt: (asked: Asked, witness: RuleWitness), isRefusal: Bool, isAdvised: Bool
  ) {
    guard isRefusal else {
      refused[attempt.asked] = nil
      return
    }
    var attempts = refused[attempt.asked] ?? Refused()
    attempts.count += 1
    attempts.begins = attempts.begins.suffix(Self.mostRefusals - 1) + [attempt.witness.time]
    attempts.last = attempt.witness
    attempts.isAdvised = attempts.isAdvised || isAdvised
    refused[attempt.asked] = attempts
  }

  private mutating func attempt(
    _ asked: Asked, _ witness: RuleWitness, _ end: RecordingEnd
  ) -> [RuleFinding] {
    guard let before = refused[asked], before.begins.count >= GrowingPauseMachine.mostRefusals,
      !before.isAdvised, !before.isFound
    else { return [] }
    exercised.add(.client)
    let times = before.begins + [witness.time]
    let pauses = zip(times.dropFirst(), times).map { $0 - $1 }
    // By chance a pause may be shorter than the one before it, and all of them hardly are alike.
    guard let least = pauses.min(), let most = pauses.max(),
      most <= GrowingPauseMachine.longestPause,
      most - least <= max(end.tolerance, least / 5)
    else { return [] }
    refused[asked]?.isFound = true
    return [
      RuleFinding(
        .client,
        "the client asks again after \(durationText(most)), as before, though it was refused "
          + "\(before.count) times",
        before.last, witness)
    ]
  }
}
