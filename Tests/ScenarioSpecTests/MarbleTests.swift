import ScenarioSpec
import Testing
import Values

@Suite struct MarbleTests {
  @Test(arguments: [
    ("--a-(bc)|", "a2 b4 c4 |5 end5"), ("a b", "a0 b1 end1"), ("(a|)", "a0 |0 end0"),
    ("-----", "end4"), ("a 9ms b", "a0 b10 end10"), ("a 1s |", "a0 |1001 end1001"),
    ("5ms a", "a5 end5"), ("-#", "#1 end1"), ("1d2", "10 d1 22 end2"), ("é☂", "é0 ☂1 end1"),
    ("a-\n  -b", "a0 b3 end3"), ("-(a b)-c", "a1 b1 c3 end3"),
  ])
  func `each character is a tick, a group costs one, blanks none`(text: String, shown: String)
    throws
  {
    #expect(try moments(of: "marble: \(quoted(text))") == shown)
  }

  @Test func `a tick is as long as it is said to be`() throws {
    #expect(try moments(of: "marble: -a-b\n    tick: 10ms") == "a10 b30 end30")
  }

  @Test func `in a hot diagram time begins at the caret`() throws {
    #expect(try moments(of: "marble: 'ab-^-c|'\n    hot: true") == "c2 |3 end3")
  }

  @Test func `characters stand for values, or for themselves`() throws {
    let own = try marble("marble: -ab")
    #expect(own.moments.map(\.payload) == ["a", "b"])
    let given = try marble(
      "marble: \"-1yn#\"\n    values: { 1: one, y: { b: 2 }, n: }\n    error: late")
    #expect(given.moments.map(\.payload) == ["one", ["b": 2], .null, "late"])
    #expect(try marble("marble: \"#\"").moments.map(\.payload) == [nil])
  }

  @Test(arguments: [
    ("--(ab", "bad-marble", "("), ("a(b(c))", "bad-marble", "("), ("a)", "bad-marble", ")"),
    ("-()-", "bad-marble", "()"), ("(a-b)", "bad-marble", "-"), ("a|-", "bad-marble", "-"),
    ("a#|", "bad-marble", "|"), ("a^b", "bad-marble", "^"), ("a!", "bad-marble", "!"),
    ("a| 5ms", "bad-marble", "5ms"), ("(a 5ms b)", "bad-marble", "5ms"),
    ("a 9000000000000s b 9000000000000s", "bad-marble", "9000000000000s"),
  ])
  func `a diagram that cannot be read is reported at its column`(
    text: String, id: String, excerpt: String
  ) throws {
    let reading = Reading(document("marble: \(quoted(text))"))
    #expect(reading.ids == [id])
    let label = try #require(reading.diagnostics.first?.labels.first)
    #expect(reading.excerpt(label.range) == excerpt)
  }

  @Test(arguments: [
    ("marble: \"a\\x62(c\"", "6:19"), ("marble: 'a''(c'", "6:17"), ("marble: --a(b", "6:16"),
    ("marble: >-\n      --a\n      -(b", "8:8"),
  ])
  func `places are found through quotes, escapes and folded lines`(lines: String, place: String)
    throws
  {
    let reading = Reading("\n\n" + document(lines))
    #expect(reading.complaints.map { String($0.prefix { $0 != " " }) } == [place])
  }

  @Test(arguments: [
    ("marble: ''", "bad-marble"), ("marble: '  '", "bad-marble"), ("marble:", "wrong-type"),
    ("marble: [a]", "wrong-type"), ("marble: a\n    tick: 0ms", "out-of-range"),
    ("marble: \"a\\x01\"", "bad-marble"),
    ("marble: ab\n    values: { a: 1 }", "unknown-marble-value"),
    ("marble: a\n    values: { a: 1, b: 2 }", "unused-marble-value"),
    ("marble: a\n    error: x", "unused-marble-value"),
    ("marble: a\n    values: { aa: 1, a: 2 }", "bad-marble"),
    ("marble: a\n    values: { '-': 1, a: 2 }", "bad-marble"),
    ("from: a\n    tick: 1ms", "missing-key"), ("from: a\n    marble: a", "conflicting-keys"),
  ])
  func `mistakes around a diagram are named once`(lines: String, id: String) {
    #expect(Reading(document(lines)).ids == [id])
  }

  @Test func `a long diagram that runs out of step with its file is read soon`() throws {
    let text = String(repeating: "\\x61", count: 10_000)
    #expect(try marble("marble: \"\(text)\"").moments.count == 10_000)
    let reading = Reading(document("marble: \"\(text)(\""))
    #expect(reading.complaints.map { String($0.prefix { $0 != " " }) } == ["4:13"])
  }

  @Test func `an expectation may be a diagram, of events and of subscriptions`() throws {
    let reading = Reading(
      """
      scenario: A
      steps:
        - expect:
            a: { marble: "-a-b|", tick: 10ms, values: { a: { $gt: 1 }, b: 2 } }
            b: { subscriptions: "--^--!" }
            c: { marble: "^-a", subscriptions: ["^!", "---", "(^!)"] }
      """)
    #expect(reading.complaints == [])
    guard case .expect(let spec)? = reading.first?.steps.steps.first?.kind,
      case .map(let sources) = spec.form,
      case .marble(let a?, subscriptions: nil) = sources[0].sequence,
      case .marble(nil, subscriptions: let b?) = sources[1].sequence,
      case .marble(let c?, subscriptions: let d?) = sources[2].sequence
    else { throw Unexpected() }
    #expect(a.moments.map(\.time) == [10_000, 30_000, 40_000])
    #expect(b.map(\.subscribed) == [2000])
    #expect(b.map(\.unsubscribed) == [5000])
    #expect(c.moments.map(\.time) == [2000])
    #expect(d.map(\.subscribed) == [0, nil, 0])
    #expect(d.map(\.unsubscribed) == [1000, nil, 0])
  }

  @Test(arguments: [
    ("[{ s: { marble: a } }]", "misplaced-marble"), ("{ s: [{ marble: a }] }", "misplaced-marble"),
    ("{ s: { subscriptions: ab } }", "bad-marble"), ("{ s: { subscriptions: '!' } }", "bad-marble"),
    ("{ s: { subscriptions: '^!-' } }", "bad-marble"),
    ("{ s: { subscriptions: '^-^' } }", "bad-marble"),
    ("{ s: { subscriptions: '^', values: { a: 1 } } }", "missing-key"),
    ("{ s: { subscriptions: '^', marbel: a } }", "unknown-key"),
  ])
  func `diagrams that are expected have their mistakes too`(form: String, id: String) {
    #expect(Reading("scenario: A\nsteps:\n  - expect: \(form)").ids == [id])
  }

  @Test func `a field called marble is matched inside an operator`() {
    #expect(
      Reading("scenario: A\nsteps: [{ expect: { s: { $match: { marble: red } } } }]").ids == [])
  }

  private func quoted(_ text: String) -> String {
    "\"" + text.split(separator: "\n").joined(separator: "\\n") + "\""
  }

  private func document(_ lines: String) -> String {
    "scenario: A\nstreams:\n  s:\n    \(lines)\n"
  }

  private func marble(_ lines: String) throws -> Marble<DataSpec> {
    let reading = Reading(document(lines))
    #expect(reading.complaints == [])
    guard case .marble(let marble, _)? = reading.first?.streams.first?.origin else {
      throw Unexpected()
    }
    return marble
  }

  private func moments(of lines: String) throws -> String {
    let marble = try marble(lines)
    let moments = marble.moments.map { "\($0.symbol)\($0.time / 1000)" }
    return (moments + ["end\(marble.end / 1000)"]).joined(separator: " ")
  }
}

extension Marble<DataSpec>.Moment {
  /// The value it stands for, if that is written out.
  fileprivate var payload: Value? {
    switch kind {
    case .value(let data): data.literal
    case .failure(let data): data?.literal
    case .completion: nil
    }
  }
}
