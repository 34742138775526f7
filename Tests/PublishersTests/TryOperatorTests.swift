import Publishers
import Testing

/// Operators whose closures throw the failure that upstream has: its type stays as it is.
@Suite struct TryOperatorTests {
  @Test(arguments: passing)
  func `what throws nothing does what its namesake does`(_ line: MarbleCase) {
    #expect(line.observed() == line.expected)
  }

  @Test(arguments: throwing)
  func `what is thrown cancels upstream and is the failure`(_ line: MarbleCase) {
    #expect(line.observed() == line.expected)
  }

  @Test(arguments: failingUpstream)
  func `a failure from upstream passes`(_ line: MarbleCase) {
    #expect(line.observed() == line.expected)
  }

  @Test func `an error of another type makes the failure any error`() {
    struct Other: Error {}
    let log = Log<String>()
    let source = PassthroughSubject<Int, Oops>()
    let token = source.tryMap { if $0 > 1 { throw Other() } else { $0 } }
      .tryFilter { $0 > 0 }
      .sink(
        receiveCompletion: { if case .failure(let error) = $0 { log.add("\(error is Other)") } },
        receiveValue: { log.add("\($0)") })
    source.send(1)
    source.send(2)
    #expect(log.entries == ["1", "true"])
    token.cancel()
  }

  @Test func `a closure that cancels while it is asked is given its way`() {
    let log = Log<String>()
    let source = PassthroughSubject<String, Oops>()
    let recorder = Recorder<String, Oops>(note: log.add)
    source.tryMap { (value: String) throws(Oops) in
      recorder.subscription?.cancel()
      return value
    }.receive(subscriber: recorder)
    source.send("a")
    #expect(log.entries == [])
  }

  @Test func `a subscriber shares no state with another`() {
    let log = Log<Int>()
    let publisher = [1, 2].publisher.tryScan { $0 + $1 }.tryRemoveDuplicates(by: ==)
      .tryDrop { $0 < 3 }
    for _ in 0..<2 {
      _ = publisher.sink(receiveCompletion: { _ in }, receiveValue: { log.add($0) })
    }
    #expect(log.entries == [3, 3])
  }
}

private func notC(_ value: String) throws(Oops) -> String {
  if value == "c" { throw Oops() }
  return value
}

private func isA(_ value: String) throws(Oops) -> Bool { try notC(value) == "a" }

private func join(_ left: String, _ right: String) throws(Oops) -> String {
  try left + notC(right)
}

private func isSame(_ left: String, _ right: String) throws(Oops) -> Bool {
  try left == notC(right)
}

private func isLess(_ left: String, _ right: String) throws(Oops) -> Bool {
  try notC(left) < notC(right)
}

private let passing = [
  MarbleCase("tryMap", "0:a! 1:b! 2:|") {
    $0.hot("ab|").tryMap { value throws(Oops) in try notC(value) + "!" }
  },
  MarbleCase("tryCompactMap", "0:a 2:|") {
    $0.hot("ab|").tryCompactMap { value throws(Oops) in try isA(value) ? value : nil }
  },
  MarbleCase("tryFilter", "0:a 2:|") { $0.hot("ab|").tryFilter(isA) },
  MarbleCase("tryScan", "0:-a 1:-ab 2:|") { $0.hot("ab|").tryScan("-", join) },
  MarbleCase("tryScan from the first value", "0:a 1:ab 2:|") { $0.hot("ab|").tryScan(join) },
  MarbleCase("scan from the first value", "0:a 1:ab 2:abd 3:|") {
    $0.hot("abd|").scan { $0 + $1 }
  },
  MarbleCase("tryRemoveDuplicates", "0:a 2:b 3:|") {
    $0.hot("aab|").tryRemoveDuplicates(by: isSame)
  },
  MarbleCase("tryDrop", "1:b 2:a 3:|") { $0.hot("aba|").tryDrop(while: isA) },
  MarbleCase("tryDrop asks no more once it is open", "0:b 1:c 2:|") {
    $0.hot("bc|").tryDrop(while: isA)
  },
  MarbleCase("tryPrefix", "0:+s 0:a 1:xs 1:|") { $0.watched("s", "ab---").tryPrefix(while: isA) },
  MarbleCase("tryReduce", "2:-ab 2:|") { $0.hot("ab|").tryReduce("-", join) },
  MarbleCase("tryReduce of nothing", "0:- 0:|") { $0.hot("|").tryReduce("-", join) },
  MarbleCase("tryFirst", "0:+s 1:xs 1:a 1:|") { $0.watched("s", "ba--").tryFirst(where: isA) },
  MarbleCase("tryLast", "3:a 3:|") { $0.hot("aab|").tryLast(where: isA) },
  MarbleCase("tryContains", "0:true 0:|") { $0.hot("ac").tryContains(where: isA) },
  MarbleCase("tryAllSatisfy", "2:true 2:|") { $0.hot("aa|").tryAllSatisfy(isA) },
  MarbleCase("tryAllSatisfy of one that does not", "1:false 1:|") {
    $0.hot("abc|").tryAllSatisfy(isA)
  },
  MarbleCase("tryMin", "3:a 3:|") { $0.hot("bab|").tryMin(by: isLess) },
  MarbleCase("tryMax", "3:b 3:|") { $0.hot("bab|").tryMax(by: isLess) },
  MarbleCase("no value is asked for in vain", "1:a", demand: .max(1)) {
    $0.hot("ba").tryFilter(isA)
  },
]

private let throwing = [
  MarbleCase("tryMap", "0:+s 0:a 1:xs 1:#") { $0.watched("s", "ac-|").tryMap(notC) },
  MarbleCase("tryFilter", "0:+s 0:a 1:xs 1:#") { $0.watched("s", "ac-|").tryFilter(isA) },
  MarbleCase("tryScan", "0:+s 0:-a 1:xs 1:#") { $0.watched("s", "ac-|").tryScan("-", join) },
  MarbleCase("tryScan from the first value", "0:+s 0:a 1:xs 1:#") {
    $0.watched("s", "ac-|").tryScan(join)
  },
  MarbleCase("tryRemoveDuplicates", "0:+s 0:a 1:xs 1:#") {
    $0.watched("s", "ac-|").tryRemoveDuplicates(by: isSame)
  },
  MarbleCase("tryDrop", "0:+s 1:xs 1:#") { $0.watched("s", "ac-|").tryDrop(while: isA) },
  MarbleCase("tryPrefix", "0:+s 0:a 1:xs 1:#") { $0.watched("s", "ac-|").tryPrefix(while: isA) },
  MarbleCase("tryReduce", "0:+s 1:xs 1:#") { $0.watched("s", "ac-|").tryReduce("", join) },
  MarbleCase("tryFirst", "0:+s 1:xs 1:#") { $0.watched("s", "bc-|").tryFirst(where: isA) },
  MarbleCase("tryLast", "0:+s 1:xs 1:#") { $0.watched("s", "ac-|").tryLast(where: isA) },
  MarbleCase("tryContains", "0:+s 1:xs 1:#") { $0.watched("s", "bc-|").tryContains(where: isA) },
  MarbleCase("tryAllSatisfy", "0:+s 1:xs 1:#") { $0.watched("s", "ac-|").tryAllSatisfy(isA) },
  MarbleCase("tryMin", "0:+s 1:xs 1:#") { $0.watched("s", "ac-|").tryMin(by: isLess) },
  MarbleCase("tryMax", "0:+s 1:xs 1:#") { $0.watched("s", "ac-|").tryMax(by: isLess) },
]

private let failingUpstream = [
  MarbleCase("tryMap", "0:a 1:#") { $0.hot("a#").tryMap(notC) },
  MarbleCase("tryScan", "0:-a 1:#") { $0.hot("a#").tryScan("-", join) },
  MarbleCase("tryReduce", "1:#") { $0.hot("a#").tryReduce("-", join) },
  MarbleCase("tryPrefix", "0:a 1:#") { $0.hot("a#").tryPrefix(while: isA) },
  MarbleCase("tryAllSatisfy", "1:#") { $0.hot("a#").tryAllSatisfy(isA) },
]
