import Publishers
import Testing

@Suite struct CombiningTests {
  @Test(arguments: merging + combining + zipping)
  func `side by side`(_ line: MarbleCase) {
    #expect(line.observed() == line.expected)
  }

  @Test(arguments: flattening + grouping + switching + concatenating)
  func `one inside or after the other`(_ line: MarbleCase) {
    #expect(line.observed() == line.expected)
  }

  @Test func `sixty-four sources merge in the order in which they were given`() {
    let lab = Lab()
    let sources = (0..<64).map { number in
      lab.hot("--x|").map { _ in number }.eraseToAnyPublisher()
    }
    let expected = (0..<64).map { "2:\($0)" } + ["3:|"]
    #expect(lab.run(MergeMany(sources)) == expected.joined(separator: " "))
  }

  @Test func `a group keeps its values until they are asked for`() {
    let (source, log) = (PassthroughSubject<Int, Never>(), Log<String>())
    var groups: [KeyedGroup<Bool, Int, Never>] = []
    let token = source.grouped { $0 < 10 }.sink { groups.append($0) }
    for value in [1, 20, 2] { source.send(value) }
    let first = groups[0].sink { log.add("first \($0)") }
    let second = groups[0].sink { log.add("second \($0)") }
    source.send(3)
    first.cancel()
    source.send(4)
    #expect(groups.map(\.key) == [true, false])
    #expect(
      log.entries == ["first 1", "first 2", "first 3", "second 3", "second 4"])
    _ = (token, second)
  }

  @Test func `values sent from inside a group keep their order`() {
    let (source, log) = (PassthroughSubject<Int, Never>(), Log<Int>())
    let token = source.grouped { $0 % 10 }.flatMap { $0 }.sink { value in
      log.add(value)
      if value == 1 { for next in [11, 2, 21] { source.send(next) } }
    }
    source.send(1)
    #expect(log.entries == [1, 11, 2, 21])
    _ = token
  }
}

private let merging = [
  MarbleCase("merge passes values as they come and ends with the last", "0:a 1:x 2:b 4:y 5:|") {
    $0.hot("a-b|").merge(with: $0.hot("-x--y|"))
  },
  MarbleCase("merge keeps the order of registration in one instant", "1:a 1:x 2:|") {
    $0.hot("-a|").merge(with: $0.hot("-x|"))
  },
  MarbleCase("merge fails with the first and cancels the rest", "0:+a 0:a 1:xa 1:#") {
    $0.watched("a", "a--b|").merge(with: $0.hot("-#"))
  },
  MarbleCase("merge of sequences takes one after the other", "0:1 0:2 0:3 0:4 0:|") { _ in
    [1, 2].publisher.merge(with: [3, 4].publisher)
  },
  MarbleCase("merge of three and four", "0:1 0:2 0:3 0:4 0:|") { _ in
    Just(1).merge(with: Just(2), Just(3), Just(4))
  },
  MarbleCase("merge of none ends at once", "0:|") { _ in MergeMany([Just<Int>]()) },
  MarbleCase("merge does not subscribe after a failure", "0:+a 0:xa 0:#") {
    $0.watched("a", "a").merge(
      with: Fail<String, Oops>(error: Oops()).eraseToAnyPublisher(), $0.watched("b", "b"))
  },
  MarbleCase("merge passes no more than is asked for", "0:1 0:2", demand: .max(2)) { _ in
    [1, 2].publisher.merge(with: [3, 4].publisher)
  },
]

private let combining = [
  MarbleCase("combineLatest yields once both have a value", "1:ax 2:bx 3:by 5:|") {
    $0.hot("a-b-|").combineLatest($0.hot("-x-y-|")) { $0 + $1 }
  },
  MarbleCase("combineLatest ends only when both have", "3:|") {
    $0.hot("|").combineLatest($0.hot("x--|")) { $0 + $1 }
  },
  MarbleCase("combineLatest fails with the first", "0:+a 1:xa 1:#") {
    $0.watched("a", "a--").combineLatest($0.hot("-#")) { $0 + $1 }
  },
  MarbleCase("combineLatest of three", "2:axp 3:ayp 4:|") {
    $0.hot("a--|").combineLatest($0.hot("-x-y|"), $0.hot("--p|")).map { $0.0 + $0.1 + $0.2 }
  },
  MarbleCase("combineLatest of three by a closure", "0:123 0:|") { _ in
    Just(1).combineLatest(Just(2), Just(3)) { "\($0)\($1)\($2)" }
  },
  MarbleCase("combineLatest of four by a closure", "0:1234 0:|") { _ in
    Just(1).combineLatest(Just(2), Just(3), Just(4)) { "\($0)\($1)\($2)\($3)" }
  },
  MarbleCase("combineLatest of four", "0:1234 0:|") { _ in
    Just(1).combineLatest(Just(2), Just(3), Just(4)).map { "\($0.0)\($0.1)\($0.2)\($0.3)" }
  },
]

private let zipping = [
  MarbleCase("zip pairs in order", "1:ax 3:by 4:|") {
    $0.hot("ab-c|").zip($0.hot("-x-y|")) { $0 + $1 }
  },
  MarbleCase("zip of three by a closure", "0:123 0:|") { _ in
    Just(1).zip(Just(2), Just(3)) { "\($0)\($1)\($2)" }
  },
  MarbleCase("zip of four by a closure", "0:1234 0:|") { _ in
    Just(1).zip(Just(2), Just(3), Just(4)) { "\($0)\($1)\($2)\($3)" }
  },
  MarbleCase("zip ends when no pair can come any more", "0:+b 0:ax 1:xb 1:|") {
    $0.hot("a|").zip($0.watched("b", "xy-z|")) { $0 + $1 }
  },
  MarbleCase("zip waits for the partners of what waits", "2:ax 3:by 3:|") {
    $0.hot("ab|").zip($0.hot("--xyz|")) { $0 + $1 }
  },
  MarbleCase("zip tells of a failure before it cancels the other", "0:+a 1:# 1:xa") {
    $0.watched("a", "a--").zip($0.hot("-#")) { $0 + $1 }
  },
  MarbleCase("zip of three", "2:axp 3:|") {
    $0.hot("a--|").zip($0.hot("-x-|"), $0.hot("--p|")).map { $0.0 + $0.1 + $0.2 }
  },
  MarbleCase("zip of sequences", "0:1a 0:2b 0:|") { _ in
    [1, 2, 3].publisher.zip(["a", "b"].publisher) { "\($0)\($1)" }
  },
  MarbleCase("zip of four", "0:1234 0:|") { _ in
    Just(1).zip(Just(2), Just(3), Just(4)).map { "\($0.0)\($0.1)\($0.2)\($0.3)" }
  },
]

private let flattening = [
  MarbleCase("flatMap passes what all yield", "2:x 3:y 3:x 4:y 4:|") { lab in
    lab.hot("-ab|").flatMap { _ in lab.cold("-xy|").prefix(2) }
  },
  MarbleCase("flatMap ends with the last inner one", "0:+a 1:x 3:|") { lab in
    lab.hot("a|").flatMap { lab.watched($0, "-x-|") }
  },
  MarbleCase("flatMap fails with an inner one and cancels the others", "0:+a 1:+b 2:xa 2:#") {
    lab in
    lab.hot("ab").flatMap { lab.watched($0, $0 == "a" ? "----x|" : "-#") }
  },
  MarbleCase("flatMap fails with the outer one and cancels the inner", "0:+a 2:xa 2:#") { lab in
    lab.hot("a-#").flatMap { lab.watched($0, "----x|") }
  },
  MarbleCase("flatMap drops hot values beyond its limit", "0:+a 2:|") { lab in
    lab.hot("ab|").flatMap(maxPublishers: .max(1)) { lab.watched($0, "--|") }
  },
  MarbleCase("flatMap runs a sequence within its limit", "0:+a 2:a 3:+b 5:b 6:|") { lab in
    ["a", "b"].publisher.setFailureType(to: Oops.self).flatMap(maxPublishers: .max(1)) { name in
      lab.watched(name, "--\(name)|")
    }
  },
  MarbleCase("flatMap over what never fails takes any failure", "0:1 0:1 0:#") { _ in
    [1, 2].publisher.flatMap {
      $0 == 1
        ? [1, 1].publisher.setFailureType(to: Oops.self).eraseToAnyPublisher()
        : Fail(error: Oops()).eraseToAnyPublisher()
    }
  },
  MarbleCase("flatMap passes no more than is asked for", "0:1 0:2", demand: .max(2)) { _ in
    [[1, 2], [3, 4]].publisher.flatMap { $0.publisher }
  },
]

private let grouping = [
  MarbleCase("groups run their operators by themselves", "0:a 1:b 2:aa 3:bb 4:|") { lab in
    lab.hot("abab|").grouped { $0 }.flatMap { group in group.scan { $0 + $1 } }
  },
  MarbleCase("groups end in the order of their first values", "3:2 3:1 3:|") { lab in
    lab.hot("bab|").grouped { $0 }.flatMap { $0.count().map { "\($0)" } }
  },
  MarbleCase("a group that fails ends them all", "0:a 1:b 2:#") { lab in
    lab.hot("abac|").grouped { $0 }.flatMap { group in
      group.tryScan { _, _ throws(Oops) in throw Oops() }
    }
  },
  MarbleCase("a failure reaches the groups first", "0:a 1:r 1:#") { lab in
    lab.hot("a#").grouped { $0 }.flatMap {
      $0.catch { _ in Just("r").setFailureType(to: Oops.self) }
    }
  },
  MarbleCase("a group that has ended leaves out what comes", "0:a 1:b 4:|") { lab in
    lab.hot("abab|").grouped { $0 }.flatMap { $0.prefix(1) }
  },
  MarbleCase("groups wait until they are asked for", "0:a 1:b", demand: .max(2)) { lab in
    lab.hot("abcd|").grouped { $0 }.flatMap { $0 }
  },
]

private let switching = [
  MarbleCase(
    "switchToLatest cancels the old one before it subscribes", "0:+a 1:x 2:xa 2:+b 3:x 4:x 5:|"
  ) {
    lab in
    lab.hot("a-b|").map { lab.watched($0, $0 == "a" ? "-xx" : "-xx|") }.switchToLatest()
  },
  MarbleCase("switchToLatest does not end with an inner one", "0:+a 2:+b 3:|") { lab in
    lab.hot("a-b|").map { lab.watched($0, "-|") }.switchToLatest()
  },
  MarbleCase("switchToLatest ends with the outer one after the inner", "0:+a 2:|") { lab in
    lab.hot("a|").map { lab.watched($0, "--|") }.switchToLatest()
  },
  MarbleCase("switchToLatest fails with an inner one", "0:+a 1:#") { lab in
    lab.hot("a--b").map { lab.watched($0, "-#") }.switchToLatest()
  },
  MarbleCase("switchToLatest fails with the outer one", "0:+a 1:xa 1:#") { lab in
    lab.hot("a#").map { lab.watched($0, "--x") }.switchToLatest()
  },
]

private let concatenating = [
  MarbleCase("append subscribes after the end", "0:+a 0:a 1:+b 2:b 3:|") {
    $0.watched("a", "a|").append($0.watched("b", "-b|"))
  },
  MarbleCase("append is skipped after a failure", "0:+a 0:a 1:#") {
    $0.watched("a", "a#").append($0.watched("b", "-b|"))
  },
  MarbleCase("append takes values", "0:a 1:y 1:z 1:|") { $0.hot("a|").append("y", "z") },
  MarbleCase("prepend puts values first", "0:y 0:z 1:a 2:|") { $0.cold("-a|").prepend("y", "z") },
  MarbleCase("prepend takes a sequence", "0:y 0:z 1:a 2:|") { $0.cold("-a|").prepend(["y", "z"]) },
  MarbleCase("prepend of a publisher subscribes to it first", "0:+b 1:b 2:+a 3:a 4:|") {
    $0.watched("a", "-a|").prepend($0.watched("b", "-b|"))
  },
  MarbleCase("what was asked for goes over to what is appended", "0:1 0:2 0:3", demand: .max(3)) {
    _ in [1, 2].publisher.append(3, 4)
  },
]
