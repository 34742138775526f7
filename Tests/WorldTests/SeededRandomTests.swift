import Testing

@testable import World

struct `chance` {
  @Test func `the generators give the published numbers`() {
    var mixer = SplitMix64(state: 1_234_567)
    #expect(
      (0..<3).map { _ in mixer.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
    var chance = SeededRandom(state: (1, 2, 3, 4))
    #expect(
      (0..<4).map { _ in chance.next() } == [
        11520, 0, 1_509_978_240, 1_215_971_899_390_074_240,
      ])
    #expect(fnv1a("") == 0xCBF2_9CE4_8422_2325)
    #expect(fnv1a("foobar") == 0x8594_4171_F739_67E8)
  }

  @Test func `the same seed gives the same numbers, another seed others`() {
    var first = SeededRandom(seed: 7)
    var second = SeededRandom(seed: 7)
    var other = SeededRandom(seed: 8)
    let numbers = (0..<10).map { _ in first.next() }
    #expect(numbers == (0..<10).map { _ in second.next() })
    #expect(numbers != (0..<10).map { _ in other.next() })
  }

  @Test func `drawing in one place does not shift another place`() {
    var root = SeededRandom(seed: 7)
    var before = root.stream("http.connection 3")
    _ = root.next()
    var sibling = root.stream("jitter")
    _ = sibling.next()
    var after = root.stream("http.connection 3")
    let numbers = (0..<5).map { _ in before.next() }
    #expect(numbers == (0..<5).map { _ in after.next() })
    #expect(numbers != (0..<5).map { _ in sibling.next() })
  }

  @Test func `streams of streams differ from each other`() {
    let root = SeededRandom(seed: 7)
    var ab = root.stream("a").stream("b")
    var ba = root.stream("b").stream("a")
    #expect(ab.next() != ba.next())
  }

  @Test func `numbers stay inside their range and reach all of it evenly`() {
    var chance = SeededRandom(seed: 3)
    var counts = [Int](repeating: 0, count: 6)
    for _ in 0..<60_000 { counts[chance.int(in: 10...15) - 10] += 1 }
    for count in counts { #expect((9_500...10_500).contains(count)) }
    for _ in 0..<1000 { #expect((0..<1).contains(chance.double())) }
  }

  @Test func `the widest and the narrowest ranges work`() {
    var chance = SeededRandom(seed: 3)
    #expect(chance.int(in: 5...5) == 5)
    #expect(chance.int(in: .min ... .min) == .min)
    _ = chance.int(in: .min ... .max)
    _ = chance.int(in: .min ... .max - 1)
  }

  @Test func `as many bytes come as were asked for`() {
    var chance = SeededRandom(seed: 3)
    for count in [-1, 0, 1, 7, 8, 9, 100] { #expect(chance.bytes(count).count == max(0, count)) }
  }
}
