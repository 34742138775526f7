import Publishers
import Testing

/// Sources whose operators compute their result at once.
@Suite struct AtOnceTests {
  @Test func `operators of one value have the types and results of Combine`() {
    let two: Just<Int> = Just(1).map { $0 + 1 }
    let even: Optional<Int>.Publisher = two.filter { $0.isMultiple(of: 2) }
    let half: Optional<String>.Publisher = even.map { "\($0 / 2)" }
    let whole: Just<String> = half.replaceEmpty(with: "none")
    let number: Result<Int, any Error>.Publisher = whole.tryMap { try digits($0) }
    let sure: Result<Int, Never>.Publisher = number.map { $0 + 1 }.replaceError(with: 0)
    #expect(two == Just(2))
    #expect(even == Optional.Publisher(2))
    #expect(half == Optional.Publisher("1"))
    #expect(whole == Just("1"))
    #expect(sure == Result.Publisher(2))
    #expect(Just("x").tryMap { try digits($0) }.replaceError(with: 0) == Result.Publisher(0))
  }

  @Test func `operators of a collection have the types and results of Combine`() {
    let doubled: SequencePublisher<[Int], Never> = (1...3).publisher.map { $0 * 2 }
    let all: Result<[Int], Never>.Publisher = doubled.append(8).collect()
    let least: Optional<Int>.Publisher = doubled.min()
    let count: Just<Int> = doubled.count()
    #expect(doubled == [2, 4, 6].publisher)
    #expect(all == Result.Publisher([2, 4, 6, 8]))
    #expect(least == Optional.Publisher(2))
    #expect(count == Just(3))
  }

  @Test func `their closures run once, also without a subscriber`() {
    var calls = 0
    func count(_ value: Int) -> Int {
      calls += 1
      return value
    }
    let one = Just(1).map(count)
    let optional = Int?.some(2).publisher.map(count)
    let result = Result<Int, Oops>.success(3).publisher.map(count)
    let many = [4, 5].publisher.map(count)
    #expect(calls == 5)
    for _ in 0..<2 {
      #expect(text(one) == "1|" && text(optional) == "2|" && text(result) == "3|")
      #expect(text(many) == "45|")
    }
    #expect(calls == 5)
  }

  @Test func `a sequence without an end is taken one by one`() {
    #expect(text((1...).publisher.map { $0 * 2 }.prefix(3)) == "246|")
    #expect(text((1...).publisher.dropFirst(2).filter { $0 > 4 }.prefix(2)) == "56|")
  }

  @Test func `an optional without a value stays one`() {
    let none = Int?.none.publisher
    #expect(none.map { $0 + 1 } == Optional.Publisher(nil))
    #expect(none.count() == Optional.Publisher(nil))
    #expect(none.collect() == Optional.Publisher(nil))
    #expect(none.replaceEmpty(with: 3) == Just(3))
  }

  @Test func `a failure passes through the operators of a result`() {
    let failed = Result<Int, Oops>.failure(Oops()).publisher
    #expect(failed.map { $0 + 1 } == Result.Publisher(Oops()))
    #expect(failed.count() == Result.Publisher(Oops()))
    #expect(text(failed.ignoreOutput()) == "Oops()")
    #expect(text(failed.tryMap { $0 + 1 }) == "Oops()")
    #expect(failed.replaceError(with: 4) == Result.Publisher(4))
  }

  @Test func `sources are equal if they emit the same`() {
    #expect(Just(1) == Just(1) && Just(1) != Just(2))
    #expect([1, 2].publisher == [1, 2].publisher && [1].publisher != [2].publisher)
    #expect(Empty<Int, Oops>() == Empty<Int, Oops>())
    #expect(Empty<Int, Oops>() != Empty<Int, Oops>(completeImmediately: false))
    #expect(Fail<Int, Oops>(error: Oops()) == Fail<Int, Oops>(error: Oops()))
    #expect(Int?.some(1).publisher == Optional.Publisher(1))
    #expect(Result<Int, Oops>.success(1).publisher != Result.Publisher(Oops()))
    let record = Record<Int, Oops>(output: [1], completion: .finished)
    #expect(record == Record { $0.receive(1) })
  }

  @Test func `publishers that are made of equal ones are equal`() {
    let (a, b) = ([1].publisher, Just(2))
    #expect(a.combineLatest(b) == a.combineLatest(b) && a.zip(b) == a.zip(b))
    #expect(a.merge(with: b) == Merge(a, b) && MergeMany(b, b) != MergeMany(b))
    #expect(b.append(a) == Concatenate(prefix: b, suffix: a))
  }

  @Test(arguments: pairs)
  func `what is computed at once is what the operator emits`(_ pair: Pair) {
    for (atOnce, oneByOne) in pair.texts { #expect(atOnce == oneByOne) }
  }
}

private func digits(_ text: String) throws -> Int {
  guard let number = Int(text) else { throw Oops() }
  return number
}

/// Returns the values and the end of a publisher.
func text<P: Publisher>(_ publisher: P) -> String {
  var text = ""
  let token = publisher.sink(
    receiveCompletion: { completion in
      switch completion {
      case .finished: text += "|"
      case .failure(let error): text += "\(error)"
      }
    }, receiveValue: { text += "\($0)" })
  token.cancel()
  return text
}
