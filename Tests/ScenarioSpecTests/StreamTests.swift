import ScenarioSpec
import Testing
import Values

@Suite struct StreamTests {
  @Test func `streams come from sources, subjects, diagrams, intervals and items`() throws {
    let streams = try read(
      """
        typed: subject
        held: { subject: 1 }
        empty: { subject: }
        one: { from: typed }
        two: { from: [typed, { source: held, where: value > 1, map: value * 2 }] }
        latest: { combineLatest: { left: typed, right: { source: held, map: value } } }
        pairs: { zip: [typed, held] }
        ticks: { interval: 1s }
        some: { items: [1, { a: 2 }] }
      """)
    guard case .subject(nil) = streams[0].origin, case .subject(let held?) = streams[1].origin,
      case .subject(nil) = streams[2].origin, case .merge(let one) = streams[3].origin,
      case .merge(let two) = streams[4].origin, case .combineLatest(let latest) = streams[5].origin,
      case .zip(let pairs) = streams[6].origin, case .interval(let interval) = streams[7].origin,
      case .items(let items) = streams[8].origin
    else { throw Unexpected() }
    #expect(held.literal == 1)
    #expect(one.map(\.source.value) == ["typed"])
    #expect(two.map(\.where?.text) == [nil, "value > 1"])
    #expect(two.map(\.map?.text) == [nil, "value * 2"])
    #expect(latest.map(\.label?.value) == ["left", "right"])
    #expect(pairs.map(\.label?.value) == [nil, nil])
    #expect(interval.literal == 1_000_000)
    #expect(items.count == 2)
  }

  @Test(
    arguments: LanguageTable.streamOperators.flatMap { rule in
      rule.forms.map { (rule.verb.name, $0) }
    })
  func `an operator is read in every way the table writes it`(name: String, form: String) {
    let reading = Reading(operatorDocument(form))
    #expect(reading.complaints == [])
    #expect(reading.first?.streams.first?.operators.map(\.name.value) == [name])
    #expect(scenarioCheck?.refusal(of: value(of: operatorDocument(form))) == nil)
  }

  @Test func `what stands beside an operator is read with it`() throws {
    let operators = try through(
      """
      [{ debounce: 1s, flush: true }, { throttle: 2s, latest: false }, { throttle: 2s },
       { timeout: "${ms}ms", error: late }, { collect: 3, every: 1s }, { collect: 1s },
       { collect: 4 },
       { flatMap: { provider: p, with: { id: "${value}" }, replaceError: none }, max: 2 },
       { buffer: 5, whenFull: fail }, { prepend: 1 }, { append: [1, 2] }, { append: { stream: b } },
       { scan: result + value, initial: 0 }, dropFirst, max]
      """)
    guard case .debounce(_, true) = operators[0], case .throttle(_, .first) = operators[1],
      case .throttle(_, .latest) = operators[2], case .timeout(.data, .failure, _) = operators[3],
      case .collectBy(let three?, .some) = operators[4],
      case .collectBy(nil, .some) = operators[5], case .collectBy(let four?, nil) = operators[6],
      case .flatten(.merged(let most?), .one(let call)) = operators[7],
      case .buffer(let size, .fail) = operators[8], case .prepend(let one) = operators[9],
      case .append(let two) = operators[10], case .appendStream(let other) = operators[11],
      case .scan(_, .some) = operators[12], case .dropFirst(let dropped) = operators[13],
      case .plain(.max) = operators[14]
    else { throw Unexpected() }
    #expect([three, four, most, size, dropped] == [3, 4, 2, 5, 1])
    #expect([one.count, two.count] == [1, 2])
    #expect(other.value == "b")
    #expect(call.target.value == "p")
    #expect(call.with.map(\.name.value) == ["id"])
    #expect(call.replaceError?.literal == "none")
  }

  @Test(arguments: [
    ("tap", "leave it out: `expect` and the log see what a stream emits"),
    ("distinctUntilChanged", "write `removeDuplicates`"), ("switchMap: p", "write `switch: hits`"),
    ("{ take: 2 }", "write `prefix: 3`"), ("debouce: 1s", "write `debounce`"),
    ("{ every: 1s }", "`every` goes with `collect`"),
    ("distinct", "write `{ groupBy: value, through: [first] }`"),
    ("{ groupBy: value, through: [take: 3] }", "write `prefix: 3`"),
  ])
  func `an unknown operator is named as it is called here`(form: String, help: String) {
    let reading = Reading(operatorDocument(form))
    #expect(reading.ids == ["unknown-stream-operator"])
    #expect(reading.diagnostics.map(\.help) == [help])
  }

  @Test(arguments: [
    "collect: 0", "buffer: 0", "output: -1", "prefix: -1", "dropFirst: -1", "retry: -1",
    "collect: 0s", "{ collect: 2, every: 0s }", "{ flatMap: p, max: 0 }",
  ])
  func `numbers that operators cannot do with are refused`(form: String) {
    #expect(Reading(operatorDocument(form)).ids == ["out-of-range"])
  }

  @Test(arguments: ["debounce", "debounce: 1", "{ debounce: 1s, latest: true }", "count: 3"])
  func `a mistake in an operator shows how it is written`(form: String) {
    let notes = Reading(operatorDocument(form)).diagnostics.flatMap(\.notes)
    #expect(notes.map(\.name) == ["signature"])
  }

  @Test(arguments: LanguageTable.streamOperators.map(\.verb.name))
  func `what other libraries call an operator is no operator here`(name: String) {
    #expect(ForeignOperators.help(for: name) == nil)
  }

  @Test func `nodes follow sources, and invariants are read`() throws {
    let reading = Reading(
      """
      scenario: A
      graph: { n: { latest: r.f, of: value.a, initial: 0 }, m: { latest: r.f } }
      invariants:
        - always: n >= 0
        - never: n > 5
        - leadsTo: { when: { a: 1, b: 2 }, then: { c: { $gt: 1 } }, within: 30s }
      """)
    #expect(reading.complaints == [])
    let document = try #require(reading.first)
    guard case .latest(let source, let rule?, .some) = document.graph[0].rule,
      case .latest(_, nil, nil) = document.graph[1].rule,
      case .leadsTo(let when, let then, let within?) = document.invariants[2].kind
    else { throw Unexpected() }
    #expect(source.value == "r.f")
    #expect(rule.text == "value.a")
    #expect(document.invariants.map(\.verb.value) == ["always", "never", "leadsTo"])
    #expect(when.map(\.source.value) == ["a", "b"])
    #expect(then.count == 1)
    #expect(within.value == 30_000_000)
  }

  @Test func `the network is changed for all, or endpoint by endpoint`() throws {
    let reading = Reading(
      """
      scenario: A
      steps:
        - network: offline
        - network: { latency: "${ms}ms", loss: 0.5, api: online, other: { loss: "${p}" } }
      """)
    #expect(reading.complaints == [])
    let steps = try #require(reading.first).steps.steps
    guard case .network(let all) = steps[0].kind, case .network(let each) = steps[1].kind else {
      throw Unexpected()
    }
    #expect(all.map(\.isOnline) == [false])
    #expect(each.map(\.endpoint?.value) == [nil, "api", "other"])
    #expect(each.map(\.isOnline) == [nil, true, nil])
    #expect(each.map { $0.loss != nil } == [true, false, true])
  }

  @Test func `waits and answers take durations that are worked out`() throws {
    let reading = Reading(
      """
      scenario: A
      endpoints:
        api: { http: [{ get: /x, respond: { status: 204, after: "${ms}ms" } }] }
      steps: [{ wait: "${pause}" }]
      """)
    #expect(reading.complaints == [])
    guard case .wait(.data)? = reading.first?.steps.steps.first?.kind else { throw Unexpected() }
  }

  private func operatorDocument(_ form: String) -> String {
    "scenario: A\nstreams:\n  s:\n    from: a\n    through:\n      - \(form)\n"
  }

  private func read(_ streams: String) throws -> [StreamSpec] {
    let reading = Reading("scenario: A\nstreams:\n" + streams)
    #expect(reading.complaints == [])
    return try #require(reading.first).streams
  }

  private func through(_ list: String) throws -> [StreamOperator<Written>] {
    let indented = list.split(separator: "\n").joined(separator: "\n      ")
    return try #require(read("  s:\n    from: a\n    through: " + indented).first)
      .operators.map(\.kind)
  }
}
