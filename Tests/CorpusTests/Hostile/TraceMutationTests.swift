import Diagnostics
import Glibc
import ScenarioEngine
import ScenarioRuns
import TestKit
import Testing
import TraceRecording
import Traces
import Verdicts

/// Traces with mistakes at random.
@Suite struct TraceMutationTests {
  private static let count =
    getenv("TRACE_MUTATIONS").flatMap { Int(String(cString: $0)) } ?? 3_000

  private static let pieces = [
    "\n", "\"", "{", "}", "[", "]", ",", ":", "null", "-1", "1e999", "\\u0000",
    "\"us\":",
    "\"time\":",
    "\"kind\":", "\"source\":", "\"settled\":true,", "\"n\":", "\"value\":{\"$body\":\"x\"}",
    "{\"trace\":1}\n", "{\"trace\":2}\n", "\"$bytes\":\"==\"", "\u{FEFF}", "9223372036854775807",
    "\"2026-11-22T08:00:00Z\"", "\"1970-01-01T00:00:00Z\"", "\"finished\"", "\"step\"", "\"idle\"",
    "\"verdict\"", "\"connection\":7,", "\"cause\":99,",
  ]

  private static let cases = [
    ("scenarios/traces/cart.scenario.yaml", "scenarios/traces/cart.trace.jsonl"),
    ("scenarios/traces/orders.scenario.yaml", "scenarios/traces/orders.trace.jsonl"),
    ("scenarios/live/prices.scenario.yaml", "scenarios/traces/prices."),
    ("scenarios/live/chat.scenario.yaml", "scenarios/traces/chat."),
  ]

  @Test(arguments: cases)
  func `a trace with mistakes is judged or refused, with a place for every complaint`(
    _ path: String, _ trace: String
  ) throws {
    let file = Corpus.load(path)
    let plan = try #require(file.plans.first)
    let traces = filePaths(below: "scenarios/traces").filter { $0.hasPrefix(trace) }
    let text = try #require(traces.first.flatMap { fileText($0) })
    var chance = LinearChance(state: UInt64(text.utf8.count))
    for _ in 0..<Self.count / Self.cases.count {
      var bytes = Array(text.utf8)
      for _ in 0...chance.below(4) { mutate(&bytes, &chance) }
      let read = ReadTrace(bytes)
      for place in read.problems.map(\.place) { #expect(isInside(place, bytes), "\(place)") }
      guard let run = read.runs.first else { continue }
      let lines = MatchedLines(run, at: "a.trace.jsonl", plan, TracedFiles(file.sources))
      for place in lines.late + lines.problems.map(\.place) {
        #expect(isInside(place, bytes), "\(place) \(String(decoding: bytes, as: UTF8.self))")
      }
      let judged = judge(
        plan, by: lines, inputs: RunInputs(seed: 1), sources: file.sources)
      let failures = judged.verdict.failures
      #expect(failures.isEmpty == (judged.verdict.outcome == .passed))
      #expect(failures.allSatisfy { !$0.labels.isEmpty || !$0.message.isEmpty })
    }
  }

  private func isInside(_ place: TracePlace, _ bytes: [UInt8]) -> Bool {
    place.line >= 1 && place.column >= 1 && (0...bytes.count).contains(place.offset)
  }

  private func mutate(_ bytes: inout [UInt8], _ chance: inout LinearChance) {
    let at = chance.below(bytes.count + 1)
    switch chance.below(5) {
    case 0: bytes.insert(contentsOf: Self.pieces[chance.below(Self.pieces.count)].utf8, at: at)
    case 1: bytes.insert(UInt8(chance.below(256)), at: at)
    case 2: bytes.removeSubrange(at..<min(bytes.count, at + chance.below(30)))
    case 3: swapLines(&bytes, chance.below(20), chance.below(20))
    default: bytes.removeSubrange(min(at, bytes.count)...)
    }
    if bytes.isEmpty { bytes = [UInt8(ascii: "{")] }
  }

  private func swapLines(_ bytes: inout [UInt8], _ first: Int, _ second: Int) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.indices.contains(first), lines.indices.contains(second) else { return }
    lines.swapAt(first, second)
    bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }
}

/// A linear congruential generator: the same mutations in every run.
private struct LinearChance {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
}
