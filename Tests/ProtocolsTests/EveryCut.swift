import Testing

@testable import Protocols

/// Decodes bytes whole, as single bytes, and cut at every place and every pair of places, and
/// expects the same result each time.
func expectSameHoweverCut<Found: Equatable>(
  _ bytes: [UInt8], _ decode: (_ pieces: [[UInt8]]) -> Found
) {
  let whole = decode([bytes])
  #expect(decode(bytes.map { [$0] }) == whole)
  for first in 0...bytes.count {
    for second in first...bytes.count {
      let cut = decode(pieces(bytes, [first, second]))
      guard cut == whole else {
        #expect(cut == whole, "cut at \(first) and \(second)")
        return
      }
    }
  }
}

/// Damages bytes repeatedly, and expects the same result for every way to cut them.
func expectSameWhenDamaged<Found: Equatable>(
  _ sources: [[UInt8]], seed: UInt64, rounds: Int = 1500,
  _ decode: (_ pieces: [[UInt8]]) -> Found
) {
  var dice = Dice(state: seed)
  for _ in 0..<rounds {
    var bytes = sources[dice.below(sources.count)]
    for _ in 0...dice.below(4) { dice.damage(&bytes) }
    let cuts = (0..<dice.below(6)).map { _ in dice.below(bytes.count + 1) }.sorted()
    #expect(decode(pieces(bytes, cuts)) == decode([bytes]))
  }
}
