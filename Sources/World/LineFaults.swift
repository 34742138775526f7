/// The way in which the line between clients and one endpoint carries bytes, besides its latency.
package struct LineConditions: Sendable, Equatable {
  /// Sizes of the pieces in which bytes arrive, used in turn. None leaves them unchanged.
  package var fragments: [Int]
  package var faults: FaultShares

  package init(fragments: [Int] = [], faults: FaultShares = FaultShares()) {
    self.fragments = fragments.filter { $0 > 0 }
    self.faults = faults
  }

  /// True if pieces pass as if there were no line.
  var isPlain: Bool { fragments.isEmpty && !faults.strikePieces }
}

/// The probabilities of faults, from 0 to 1.
package struct FaultShares: Sendable, Equatable {
  /// The share of attempts to connect that are refused.
  package var refuse = 0.0
  /// The share of pieces, as for all that follow.
  package var drop = 0.0
  package var reset = 0.0
  package var stall = 0.0
  package var corrupt = 0.0
  package var duplicate = 0.0
  package var delay = 0.0
  /// The longest delay of a piece, in microseconds.
  package var longestDelay: Int64 = 0

  package init() {}

  var strikePieces: Bool {
    drop > 0 || reset > 0 || stall > 0 || corrupt > 0 || duplicate > 0 || delay > 0
  }
}

/// A fault that happened.
package enum LineFault: Sendable, Equatable {
  case refused
  /// Both sides receive the end in the middle of what was sent.
  case dropped
  case reset
  /// Nothing arrives in this direction any more, not even the end.
  case stalled
  case corrupted
  case duplicated
  /// A delay in microseconds.
  case delayed(Int64)
}

/// The direction in which a piece travels.
package enum LineDirection: String, Sendable, Equatable {
  case toServer, toClient
}

/// The outcome of one piece.
struct PieceOutcome: Equatable {
  /// The fault that keeps the piece, and all behind it, from arriving.
  var end: LineFault?
  var flip: Flip?
  var isTwice = false
  var delay: Int64 = 0

  /// The bit that is changed: the index of its byte, and its place in the byte.
  struct Flip: Equatable {
    var byte: Int
    var bit: Int
  }
}

/// The generator that decides, piece by piece, which faults happen in one direction of a line.
struct FaultDraws {
  private var chance: SeededRandom

  init(_ chance: SeededRandom) { self.chance = chance }

  /// Draws the outcome of one piece. While any fault is possible, each piece takes the same number
  /// of draws, so that changing one share moves none of the other faults.
  mutating func outcome(ofPiece size: Int, _ shares: FaultShares) -> PieceOutcome {
    guard shares.strikePieces, size > 0 else { return PieceOutcome() }
    let isDropped = strikes(shares.drop)
    let isReset = strikes(shares.reset)
    let isStalled = strikes(shares.stall)
    let isCorrupt = strikes(shares.corrupt)
    let place = chance.double()
    let bit = Int(chance.double() * 8)
    let isTwice = strikes(shares.duplicate)
    let isLate = strikes(shares.delay)
    let length = chance.double()
    let end: LineFault? = isDropped ? .dropped : isReset ? .reset : isStalled ? .stalled : nil
    if let end { return PieceOutcome(end: end) }
    let byte = min(Int(place * Double(size)), size - 1)
    return PieceOutcome(
      flip: isCorrupt ? .init(byte: byte, bit: bit) : nil, isTwice: isTwice,
      delay: isLate ? 1 + Int64(length * Double(max(shares.longestDelay - 1, 0))) : 0)
  }

  private mutating func strikes(_ share: Double) -> Bool { chance.double() < share }
}

/// The line to one endpoint, which all connections to it share, with its conditions and its random
/// draws.
package final class FaultyLine {
  /// The present conditions. A change holds for what is sent from then on, also on connections that
  /// exist already.
  package var conditions: LineConditions
  private var refusals: SeededRandom
  private var toServer: FaultDraws
  private var toClient: FaultDraws
  private var attempts = 0

  package init(
    to name: String, _ conditions: LineConditions = LineConditions(), chance: SeededRandom
  ) {
    self.conditions = conditions
    refusals = chance.stream("faults of connecting to " + name)
    toServer = FaultDraws(chance.stream("faults on the way to " + name))
    toClient = FaultDraws(chance.stream("faults on the way from " + name))
  }

  /// Counts an attempt to connect, from 1, and decides whether it is refused.
  package func attempt() -> (number: Int, isRefused: Bool) {
    attempts += 1
    let share = conditions.faults.refuse
    return (attempts, share > 0 && refusals.double() < share)
  }

  func outcome(ofPiece size: Int, _ direction: LineDirection) -> PieceOutcome {
    switch direction {
    case .toServer: toServer.outcome(ofPiece: size, conditions.faults)
    case .toClient: toClient.outcome(ofPiece: size, conditions.faults)
    }
  }
}
