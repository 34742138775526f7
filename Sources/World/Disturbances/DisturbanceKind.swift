/// The kinds of disturbances that a sweep tries, as scenarios name them.
package enum DisturbanceKind: String, Sendable, CaseIterable {
  case cut, lostRequest, lostAnswer, refuse, duplicate, late, swap
  case end, stall, slow, pieces, status, refusal, suspend

  /// A night.
  private static let sleep: Int64 = 8 * 3_600 * 1_000_000

  /// The demand on the end of a run.
  package enum Demand: Int, Sendable, Comparable {
    /// Nothing hangs or crashes, no invariant breaks, and nothing is done twice.
    case noHarm
    /// The same end as without the disturbance if the client tries again, and else no harm.
    case sameEndIfRetried
    /// The same end, unless a program ends with an error: it says that it failed.
    case sameEndOrError
    case sameEnd

    package static func < (one: Demand, other: Demand) -> Bool { one.rawValue < other.rawValue }
  }

  /// A row of the table of kinds.
  package struct Row: Sendable {
    package let kind: DisturbanceKind
    /// The disturbances, by the kind of the piece that they strike.
    package let strikes: [PiecePlace.Kind: [PieceDisturbance]]
    /// Of more places that are alike, the first, the middle and the last are tried.
    package let mostAlike: Int
    /// True if places are alike whatever their pieces say: the line is struck, and not the message.
    package let isOfLine: Bool
    /// True if it is tried only where the scenario chooses it.
    package let isChosen: Bool

    init(
      _ kind: DisturbanceKind, _ strikes: [PiecePlace.Kind: [PieceDisturbance]],
      mostAlike: Int = 20, isOfLine: Bool = false, isChosen: Bool = false
    ) {
      self.kind = kind
      self.strikes = strikes
      self.mostAlike = mostAlike
      self.isOfLine = isOfLine
      self.isChosen = isChosen
    }
  }

  /// The disturbances of pieces, in the order of a sweep. Other kinds strike lines or moments.
  package static let table = [
    Row(.lostRequest, [.request: [.broken(.cut, .before)]]),
    Row(.lostAnswer, [.answer: [.broken(.cut, .before)]]),
    Row(
      .cut,
      [
        .answer: [.broken(.cut, .within)], .sending: [.broken(.cut, .after)],
        .event: [.broken(.cut, .after), .broken(.cut, .within)],
        .message: [.broken(.cut, .after), .broken(.cut, .within)],
      ]),
    // Most clients rely on their protocol, which delivers once, so that the scenario has to say
    // that a piece may come twice.
    Row(
      .duplicate, [.event: [.duplicate], .message: [.duplicate], .sending: [.duplicate]],
      isChosen: true),
    Row(
      .end,
      [
        .answer: [.broken(.end, .head), .broken(.end, .body)],
        .event: [
          .broken(.end, .within), .broken(.end, .after), .broken(.close, .within),
          .broken(.close, .after),
        ],
        .message: [.broken(.end, .within), .broken(.end, .after)],
      ], mostAlike: 3, isOfLine: true),
    Row(
      .stall,
      [
        .answer: [.broken(.stall, .before)], .event: [.broken(.stall, .after)],
        .message: [.broken(.stall, .after)],
      ], mostAlike: 3, isOfLine: true, isChosen: true),
    Row(
      .slow, [.answer: [.slow], .event: [.slow], .message: [.slow]], mostAlike: 3,
      isOfLine: true),
    Row(
      .status,
      [
        .request: [
          .answered(status: 503, retryAfter: nil), .answered(status: 429, retryAfter: 5_000_000),
        ]
      ], mostAlike: 3),
    Row(
      .refusal,
      [
        .request: [
          .answered(status: 401, retryAfter: nil), .answered(status: 404, retryAfter: nil),
        ],
        .answer: [.answered(status: 500, retryAfter: nil)],
      ], mostAlike: 3),
    // What a sleep is to lead to only the scenario knows: a session may end over it.
    Row(
      .suspend,
      [
        .answer: [.suspended(.before, length: sleep), .suspended(.after, length: sleep)],
        .event: [.suspended(.after, length: sleep)], .message: [.suspended(.after, length: sleep)],
      ], mostAlike: 3, isOfLine: true, isChosen: true),
  ]
}

extension Disturbance {
  /// The demand on the end of a run with this disturbance.
  package var demand: DisturbanceKind.Demand {
    switch self {
    case .piece(_, .answered(let status, _)):
      [429, 503].contains(status) ? .sameEndIfRetried : .noHarm
    case .piece(_, .broken(let way, _)): way == .cut ? .sameEnd : .sameEndOrError
    case .piece(_, .suspended): .noHarm
    case .piece, .refusal, .offline, .rewritten: .sameEnd
    }
  }
  /// True if all comes, so that a client has no reason to begin again.
  package var losesNothing: Bool {
    switch self {
    case .piece(_, .duplicate), .rewritten: true
    case .piece, .refusal, .offline: false
    }
  }

  /// True if the line breaks or is late, which needs no further word in a report.
  package var isPlain: Bool {
    switch self {
    case .piece(_, .broken(let way, _)): way == .cut
    case .piece(_, .duplicate), .piece(_, .delay), .refusal, .offline: true
    case .piece(_, .slow), .piece(_, .answered), .piece(_, .suspended), .rewritten: false
    }
  }
}
