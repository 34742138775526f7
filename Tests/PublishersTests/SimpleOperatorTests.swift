import Publishers
import Testing

@Suite struct SimpleOperatorTests {
  @Test(arguments: mapping + dropping + limiting + untilOutput + failing)
  func `operators on one source`(_ line: MarbleCase) {
    #expect(line.observed() == line.expected)
  }

  @Test(arguments: reducing + collecting)
  func `operators that come to a result`(_ line: MarbleCase) {
    #expect(line.observed() == line.expected)
  }
}

private func number(_ text: String) -> Int { Int(text) ?? 0 }

private func digit(_ text: String) throws -> Int {
  guard let value = Int(text) else { throw Oops() }
  return value
}

private let mapping = [
  MarbleCase("map keeps order and the end", "1:aa 3:bb 4:|") { $0.hot("-a-b|").map { $0 + $0 } },
  MarbleCase("map passes a failure", "1:aa 2:#") { $0.hot("-a#").map { $0 + $0 } },
  MarbleCase("compactMap drops what is nil", "0:1 2:3 3:|") {
    $0.hot("1x3|").compactMap { Int($0) }
  },
  MarbleCase("filter drops what is not wanted", "0:1 2:1 3:|") {
    $0.hot("121|").filter { $0 == "1" }
  },
  MarbleCase("replaceNil replaces nil", "0:1 1:0 2:|") {
    $0.hot("1x|").map { Int($0) }.replaceNil(with: 0)
  },
  MarbleCase("tryMap cancels upstream and fails with what was thrown", "0:+a 0:1 1:xa 1:#") {
    $0.watched("a", "1x3|").tryMap(digit)
  },
  MarbleCase("tryMap passes on what does not throw", "0:1 1:2 2:|") { $0.hot("12|").tryMap(digit) },
  MarbleCase("tryFilter fails with what was thrown", "0:2 2:#") {
    $0.hot("21x|").tryFilter { try digit($0) > 1 }
  },
  MarbleCase("tryCompactMap drops what is nil", "1:2 2:|") {
    $0.hot("12|").tryCompactMap { try digit($0) > 1 ? $0 : nil }
  },
  MarbleCase("removeDuplicates compares with the value before", "0:a 2:b 4:a 5:|") {
    $0.hot("aabba|").removeDuplicates()
  },
  MarbleCase("removeDuplicates asks about the previous value and the new one", "0:1 2:2 4:3 5:|") {
    $0.hot("11213|").removeDuplicates { $0 >= $1 }
  },
  MarbleCase("scan yields each accumulation but not the seed", "0:-a 1:-ab 2:|") {
    $0.hot("ab|").scan("-") { $0 + $1 }
  },
  MarbleCase("scan passes a failure", "0:-a 1:#") { $0.hot("a#").scan("-") { $0 + $1 } },
  MarbleCase("mapError leaves values and the end alone", "0:a 1:|") {
    $0.hot("a|").mapError { _ in Oops() }
  },
  MarbleCase("setFailureType changes nothing else", "0:1 0:2 0:|") { _ in
    [1, 2].publisher.setFailureType(to: Oops.self)
  },
  MarbleCase("ignoreOutput passes the end", "3:|") { $0.hot("abc|").ignoreOutput() },
  MarbleCase("ignoreOutput passes a failure", "1:#") { $0.hot("a#").ignoreOutput() },
  MarbleCase("measureInterval counts from the subscription", "2:0.002 5:0.003 6:|") { lab in
    lab.hot("--a--b|").measureInterval(using: lab.scheduler).map { "\($0)".dropLast(8) }
  },
]

private let dropping = [
  MarbleCase("dropFirst drops so many", "2:c 3:|") { $0.hot("abc|").dropFirst(2) },
  MarbleCase("dropFirst(0) drops nothing", "0:a 1:|") { $0.hot("a|").dropFirst(0) },
  MarbleCase("dropFirst drops one unless told", "1:b 2:#") { $0.hot("ab#").dropFirst() },
  MarbleCase("dropFirst of more than there are", "2:|") { $0.hot("ab|").dropFirst(5) },
  MarbleCase("drop(while:) opens for good", "2:3 3:1 4:|") {
    $0.hot("1231|").drop { number($0) < 3 }
  },
]

private let limiting = [
  MarbleCase("prefix finishes with its last value", "0:+a 0:a 1:xa 1:b 1:|") {
    $0.watched("a", "abc|").prefix(2)
  },
  MarbleCase("prefix(0) finishes at subscription", "0:+a 0:xa 0:|") {
    $0.watched("a", "a|").prefix(0)
  },
  MarbleCase("prefix of more than there are", "0:a 1:|") { $0.hot("a|").prefix(3) },
  MarbleCase("prefix passes a failure before its end", "0:a 1:#") { $0.hot("a#").prefix(2) },
  MarbleCase("prefix(while:) finishes at the first that is not", "0:+a 0:1 1:xa 1:|") {
    $0.watched("a", "131|").prefix { number($0) < 3 }
  },
  MarbleCase("prefix(while:) passes the end", "0:1 1:|") { $0.hot("1|").prefix { _ in true } },
  MarbleCase("output(at:) yields one and finishes", "1:b 1:|") { $0.hot("abc|").output(at: 1) },
  MarbleCase("output(at:) of one that does not come", "1:|") { $0.hot("a|").output(at: 1) },
  MarbleCase("output(in:) finishes with the last", "1:b 2:c 2:|") {
    $0.hot("abcd|").output(in: 1...2)
  },
  MarbleCase("output(in:) may be open", "1:b 2:c 3:|") { $0.hot("abc|").output(in: 1...) },
  MarbleCase("output(in:) of nothing finishes at once", "0:|") { $0.hot("abc|").output(in: 1..<1) },
]

private let untilOutput = [
  MarbleCase("prefix(untilOutputFrom:) finishes with the other's value", "0:a 1:b 2:|") {
    $0.hot("ab-c|").prefix(untilOutputFrom: $0.hot("--x"))
  },
  MarbleCase("prefix(untilOutputFrom:) does not mind how the other ends", "0:a 2:c 3:|") {
    $0.hot("a-c|").prefix(untilOutputFrom: $0.hot("-#"))
  },
  MarbleCase("prefix(untilOutputFrom:) cancels the other at the end", "0:+b 0:a 1:xb 1:|") {
    $0.hot("a|").prefix(untilOutputFrom: $0.watched("b", "--x"))
  },
  MarbleCase("prefix(untilOutputFrom:) of what has come already is empty", "0:|") {
    $0.watched("a", "a|").prefix(untilOutputFrom: Just(1))
  },
  MarbleCase("drop(untilOutputFrom:) opens with the other's value", "2:c 3:|") {
    $0.hot("a-c|").drop(untilOutputFrom: $0.hot("-x"))
  },
  MarbleCase("drop(untilOutputFrom:) ends when the other ends without one", "1:|") {
    $0.hot("a-c|").drop(untilOutputFrom: $0.hot("-|"))
  },
  MarbleCase("drop(untilOutputFrom:) does not mind the other's end afterwards", "2:c 3:|") {
    $0.hot("a-c|").drop(untilOutputFrom: $0.hot("(x#)"))
  },
  MarbleCase("drop(untilOutputFrom:) fails with the other", "0:+a 1:xa 1:#") {
    $0.watched("a", "a-c|").drop(untilOutputFrom: $0.hot("-#"))
  },
]

private let failing = [
  MarbleCase("catch goes on with another", "0:+a 0:a 1:+b 2:b 3:|") { lab in
    lab.watched("a", "a#").catch { _ in lab.watched("b", "-b|") }
  },
  MarbleCase("catch passes the failure of the other", "0:a 1:#") { lab in
    lab.hot("a#").catch { Fail<String, Oops>(error: $0) }
  },
  MarbleCase("catch leaves the end alone", "0:a 1:|") { lab in
    lab.hot("a|").catch { _ in lab.hot("b") }
  },
  MarbleCase("retry subscribes anew so many times", "0:+a 1:a 2:+a 3:a 4:+a 5:a 6:#") {
    $0.watched("a", "-a#").retry(2)
  },
  MarbleCase("retry(0) passes the failure", "0:+a 1:#") { $0.watched("a", "-#").retry(0) },
  MarbleCase("retry does nothing about the end", "0:+a 1:a 2:|") {
    $0.watched("a", "-a|").retry(2)
  },
  MarbleCase("replaceError yields in place of failing", "0:a 1:z 1:|") {
    $0.hot("a#").replaceError(with: "z")
  },
  MarbleCase("replaceError leaves the end alone", "0:a 1:|") {
    $0.hot("a|").replaceError(with: "z")
  },
  MarbleCase("replaceEmpty yields before the end of nothing", "1:z 1:|") {
    $0.hot("-|").replaceEmpty(with: "z")
  },
  MarbleCase("replaceEmpty leaves values alone", "0:a 1:|") {
    $0.hot("a|").replaceEmpty(with: "z")
  },
  MarbleCase("replaceEmpty leaves a failure alone", "1:#") { $0.hot("-#").replaceEmpty(with: "z") },
]

private let reducing = [
  MarbleCase("reduce yields at the end", "2:-ab 2:|") { $0.hot("ab|").reduce("-") { $0 + $1 } },
  MarbleCase("reduce of nothing is the seed", "0:- 0:|") { $0.hot("|").reduce("-") { $0 + $1 } },
  MarbleCase("reduce yields nothing on failure", "1:#") { $0.hot("a#").reduce("-") { $0 + $1 } },
  MarbleCase("count counts", "2:2 2:|") { $0.hot("ab|").count() },
  MarbleCase("count of nothing is 0", "0:0 0:|") { $0.hot("|").count() },
  MarbleCase("last waits for the end", "3:b 3:|") { $0.hot("ab-|").last() },
  MarbleCase("last of nothing is nothing", "1:|") { $0.hot("-|").last() },
  MarbleCase("last yields nothing on failure", "1:#") { $0.hot("a#").last() },
  MarbleCase("last(where:) is the last that is so", "3:2 3:|") {
    $0.hot("125|").last { number($0) < 3 }
  },
  MarbleCase("first cancels upstream", "0:+a 1:xa 1:a 1:|") { $0.watched("a", "-ab|").first() },
  MarbleCase("first of nothing is nothing", "1:|") { $0.hot("-|").first() },
  MarbleCase("first(where:) is the first that is so", "1:2 1:|") {
    $0.hot("123|").first { number($0) > 1 }
  },
  MarbleCase("first(where:) of none is nothing", "1:|") { $0.hot("1|").first { number($0) > 1 } },
  MarbleCase("min is the least", "3:1 3:|") { $0.hot("213|").min() },
  MarbleCase("max is the greatest", "3:3 3:|") { $0.hot("231|").max() },
  MarbleCase("min of nothing is nothing", "0:|") { $0.hot("|").min() },
  MarbleCase("max yields nothing on failure", "1:#") { $0.hot("1#").max() },
  MarbleCase("min(by:) takes the first of equals", "2:a 2:|") {
    $0.hot("ab|").min { _, _ in false }
  },
  MarbleCase("max(by:) takes the first of equals", "2:a 2:|") {
    $0.hot("ab|").max { _, _ in false }
  },
  MarbleCase("contains answers as soon as it is certain", "1:true 1:|") {
    $0.hot("abc|").contains("b")
  },
  MarbleCase("contains answers no at the end", "1:false 1:|") { $0.hot("a|").contains("b") },
  MarbleCase("contains of nothing is false", "0:false 0:|") { $0.hot("|").contains("b") },
  MarbleCase("contains(where:) answers yes", "0:true 0:|") { $0.hot("a|").contains { $0 == "a" } },
  MarbleCase("allSatisfy answers no as soon as it is certain", "1:false 1:|") {
    $0.hot("131|").allSatisfy { number($0) < 3 }
  },
  MarbleCase("allSatisfy answers yes at the end", "2:true 2:|") {
    $0.hot("11|").allSatisfy { number($0) < 3 }
  },
  MarbleCase("allSatisfy of nothing is true", "0:true 0:|") {
    $0.hot("|").allSatisfy { _ in false }
  },
  MarbleCase("allSatisfy yields nothing on failure", "1:#") {
    $0.hot("1#").allSatisfy { _ in true }
  },
]

private let collecting = [
  MarbleCase("collect gathers everything", #"2:["a", "b"] 2:|"#) { $0.hot("ab|").collect() },
  MarbleCase("collect of nothing is empty", "0:[] 0:|") { $0.hot("|").collect() },
  MarbleCase("collect yields nothing on failure", "1:#") { $0.hot("a#").collect() },
  MarbleCase("collect(n) passes the rest at the end", #"1:["a", "b"] 4:["c"] 4:|"#) {
    $0.hot("ab-c|").collect(2)
  },
  MarbleCase("collect(n) without a rest just ends", #"1:["a", "b"] 2:|"#) {
    $0.hot("ab|").collect(2)
  },
  MarbleCase("collect(n) drops the rest on failure", #"1:["a", "b"] 3:#"#) {
    $0.hot("abc#").collect(2)
  },
]
