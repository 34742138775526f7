import Testing

@Suite struct ComplaintTests {
  @Test(arguments: keyCases + stageCases + stepCases + expectationCases + valueCases)
  func `a mistake is named once, at its place`(mistake: Mistake) {
    #expect(Reading(mistake.text).complaints == mistake.complaints)
  }

  @Test(arguments: helpCases)
  func `help proposes what was probably meant`(mistake: Mistake) {
    #expect(Reading(mistake.text).diagnostics.map { $0.help ?? "" } == mistake.complaints)
  }

  @Test func `a document with a mistake is left out and the others are read`() {
    let reading = Reading("scenario: A\n---\nscenario: B\ntimout: 1s\n---\nscenario: C\n")
    #expect(reading.documents.map(\.title.value) == ["A", "C"])
    #expect(reading.complaints == ["4:1 unknown-key `timout` is no key of a scenario"])
  }

  @Test func `all mistakes are reported at once, in the order of the file`() {
    let reading = Reading(
      """
      scenario: A
      tags: quick
      steps:
        - wait: 5
        - sett: { a: 1 }
      graph:
        count: { computed: "${a}" }
      timeout: soon
      """)
    #expect(
      reading.ids == [
        "wrong-type", "bare-number-duration", "unknown-step", "wrapped-expression", "bad-duration",
      ])
  }

  @Test(arguments: [
    ("-2s", "a duration is not negative"), ("3 minutes", "there is no unit `minutes`"),
    ("3 m", "no space stands before a unit"),
  ])
  func `what is wrong with a duration is said beside it`(text: String, reason: String) {
    let reading = Reading("scenario: A\nsteps: [{ wait: \(text) }]")
    #expect(reading.diagnostics.flatMap(\.labels).map(\.text) == [reason])
  }

  @Test(arguments: [("name", true), ("events", false), ("env", false), ("value", false)])
  func `words that expressions use are no names on the stage, and others are`(
    word: String, isName: Bool
  ) {
    let reading = Reading("scenario: A\ngraph: { \(word): 1 }")
    #expect(reading.ids == (isName ? [] : ["reserved-name"]))
  }

  @Test func `a name that is taken shows both places`() throws {
    let reading = Reading("scenario: A\ngraph: { a: 1 }\nproviders: { a: { items: [] } }\n")
    let labels = try #require(reading.diagnostics.first?.labels)
    #expect(labels.map { reading.excerpt($0.range) } == ["a", "a"])
    #expect(labels.map(\.range.start) == [41, 21])
  }
}

/// A scenario with mistakes, and its diagnostics.
struct Mistake: CustomTestStringConvertible, Sendable {
  var text: String
  var complaints: [String]

  init(_ text: String, _ complaints: String...) {
    self.text = text
    self.complaints = complaints
  }

  var testDescription: String { complaints.first ?? text }
}

private let keyCases = [
  Mistake("scenaro: A", "1:1 unknown-key `scenaro` is no key of a scenario"),
  Mistake("description: A", "1:1 missing-key a scenario needs the key `scenario`"),
  Mistake("- a", "1:1 wrong-type a document takes a scenario, a map with the key `scenario`"),
  Mistake("scenario:", "1:10 wrong-type `scenario` takes text"),
  Mistake("scenario: [A]", "1:11 wrong-type `scenario` takes text"),
  Mistake("scenario: A\nskip: true", "2:7 wrong-type `skip` takes text"),
  Mistake("scenario: A\nonly: []", "2:7 empty-list `only` has at least one world"),
  Mistake(
    "scenario: A\nonly: [[mock]]",
    "2:8 wrong-type each element of `only` takes `mock` or `sockets` or `real` or `trace`"),
  Mistake(
    "scenario: A\nonly: sokcets",
    "2:7 unknown-word `only` takes `mock` or `sockets` or `real` or `trace` or a "
      + "list of `mock` or `sockets` or `real` or `trace`"),
  Mistake("scenario: A\nseed: 1.5", "2:7 wrong-type `seed` takes an integer"),
  Mistake("scenario: A\ntime: real", "2:7 unknown-word `time` takes `virtual` or `wall`"),
  Mistake(
    "scenario: A\nclock: noon",
    "2:8 bad-timestamp `clock` takes a point in time such as `2026-03-01T09:00:00Z`, or `now`"),
  Mistake(
    "scenario: A\nvars: { a: { secret: true } }",
    "2:14 missing-key a variable needs the key `value`"),
  Mistake("scenario: A\ncases: []", "2:8 empty-list `cases` has at least one row"),
  Mistake(
    "scenario: A\ncases: [{ id: 1, a: 1 }, { id: 1, a: 2 }]",
    "2:32 duplicate-case every row of `cases` has an id of its own, and `1` is taken"),
  Mistake(
    "scenario: A\ncases: [{ a: 1 }, { b: 2 }]",
    "2:19 ragged-cases every row of `cases` has the same columns"),
  Mistake(
    "scenario: A\ncases: [{ a: '${b}' }]",
    "2:14 literal-only `a` takes a value without expressions"),
]

private let stageCases = [
  Mistake(
    "scenario: A\nreactors: { r: { state: { a: 1, b: { computed: a + 1 } } } }",
    "2:38 field-like-node the fields of `state` are plain values; computed nodes stand in `graph`"),
  Mistake(
    "scenario: A\nendpoints: { e: { state: { a: { stored: 1 } } } }",
    "2:33 field-like-node the fields of `state` are plain values; computed nodes stand in `graph`"),
  Mistake(
    "scenario: A\ngraph: { in: 1 }",
    "2:10 reserved-name `in` is a word of the expression language and cannot be used as a name"),
  Mistake(
    "scenario: A\nvars: { payload: 1 }",
    "2:9 reserved-name `payload` is a word that expressions use and cannot be used as a name"),
  Mistake(
    "scenario: A\nendpoints: { within: { http: [] } }",
    "2:14 reserved-name `within` is an option of the entries of `expect` and cannot be used as a "
      + "name"),
  Mistake(
    "scenario: A\ngraph: { a-b: 1 }",
    "2:10 bad-name a name is letters from a to z, digits and `_`, and does not begin with a digit"),
  Mistake(
    "scenario: A\nvars: { a: 1 }\ngraph: { a: 1 }",
    "3:10 duplicate-name everything on the stage has a name of its own, and `a` is taken"),
  Mistake(
    "scenario: A\ngraph: { a: {} }",
    "2:13 node-is-map a map in `graph` says what kind of node it is: "
      + "`stored`, `computed` or `latest`"),
  Mistake(
    "scenario: A\ngraph: { a: { stored: 1, computed: b } }",
    "2:26 conflicting-keys `stored` and `computed` exclude each other in a node"),
  Mistake(
    "scenario: A\ngraph: [a]", "2:8 wrong-type `graph` takes a map from names to values or nodes"),
  Mistake(
    "scenario: A\nreactors: { r: { actions: { a: { inFlight: x, join: x, steps: [] } } } }",
    "2:47 conflicting-keys `inFlight` and `join` exclude each other in an action"),
  Mistake(
    "scenario: A\nreactors: { r: { actions: { a: go } } }",
    "2:32 wrong-type `a` takes a list of steps or a map with `steps`"),
  Mistake(
    "scenario: A\nendpoints: { e: { http: [{ get: fact, respond: drop }] } }",
    "2:33 path-without-slash a path begins with `/`"),
  Mistake(
    "scenario: A\nendpoints: { e: { http: [{ get: /a, put: /a, respond: drop }] } }",
    "2:37 conflicting-keys `get` and `put` exclude each other in a route"),
  Mistake(
    "scenario: A\nendpoints: { e: { http: [{ get: /a }] } }",
    "2:28 missing-key a route needs one of the keys `respond`, `script`, `sse`, `ndjson`, "
      + "`websocket`, `turns`, `proxy`"),
  Mistake(
    "scenario: A\nendpoints: { e: { http: [{ post: /a, websocket: [] }] } }",
    "2:28 websocket-method a WebSocket is opened by a GET"),
  Mistake(
    "scenario: A\nendpoints: { e: { http: [{ get: /a, turns: [] }] } }",
    "2:44 empty-list `turns` has at least one turn"),
  Mistake(
    "scenario: A\nendpoints: { e: { http: [{ get: /a, respond: { json: 1, text: b } }] } }",
    "2:57 conflicting-keys `json` and `text` exclude each other in an answer"),
  Mistake(
    "scenario: A\nproviders: { p: { endpoint: e } }",
    "2:19 missing-key a provider needs one of the keys `get`, `post`, `put`, `patch`, `delete`, "
      + "`head`, `options`"),
  Mistake(
    "scenario: A\nproviders: { p: { items: [], query: { a: 1 } } }",
    "2:30 conflicting-keys `items` and `query` exclude each other in a provider"),
  Mistake(
    "scenario: A\nproviders: { p: { database: d, query: { a: 1 } } }",
    "2:39 wrong-type `query` takes text"),
  Mistake(
    "scenario: A\nproviders: { p: { file: a.json, get: /a } }",
    "2:33 conflicting-keys `file` and `get` exclude each other in a provider"),
  Mistake(
    "scenario: A\nsteps: [{ sql: { d: \"DELETE FROM a WHERE b = '${c}'\" } }]",
    "2:21 spliced-statement values are bound to a statement, never written into it"),
]

private let stepCases = [
  Mistake("scenario: A\nsteps: [set]", "2:9 wrong-type `set` takes a map from places to values"),
  Mistake(
    "scenario: A\nsteps: [5]",
    "2:9 wrong-type a step is a map with one verb, such as `set: { count: 1 }`"),
  Mistake("scenario: A\nsteps: { set: { a: 1 } }", "2:8 wrong-type `steps` takes a list of steps"),
  Mistake(
    "scenario: A\nsteps: [{}]", "2:9 no-verb a step has one verb, a key that says what it does"),
  Mistake(
    "scenario: A\nsteps: [{ within: 1s }]",
    "2:11 no-verb a step has one verb, a key that says what it does"),
  Mistake("scenario: A\nsteps: [{ dance: 1 }]", "2:11 unknown-step there is no step `dance`"),
  Mistake(
    "scenario: A\nsteps: [{ set: { a: 1 }, check: a == 1 }]",
    "2:26 two-verbs a step has one verb, and `set` and `check` are two"),
  Mistake(
    "scenario: A\nsteps: [{ set: { a: 1 }, within: 1s }]",
    "2:26 unknown-key a step with `set` takes no key `within`"),
  Mistake(
    "scenario: A\nsteps: [{ drop: true }]",
    "2:11 misplaced-step `drop` does not belong in the steps of a scenario"),
  Mistake(
    "scenario: A\nsteps: [drop]",
    "2:9 misplaced-step `drop` does not belong in the steps of a scenario"),
  Mistake(
    "scenario: A\nsteps: [{ transaction: [{ repeat: 2, steps: [{ wait: 1s }] }] }]",
    "2:48 misplaced-step a transaction is one change in one instant, and `wait` may take time"),
  Mistake(
    "scenario: A\nsteps: [{ repeat: -1, steps: [] }]",
    "2:19 out-of-range `repeat` takes an integer from 0 on"),
  Mistake(
    "scenario: A\nsteps: [{ if: true }]",
    "2:11 missing-key a step with `if` needs the key `then`"),
  Mistake(
    "scenario: A\nsteps: [{ forEach: { a: [], b: [] }, steps: [] }]",
    "2:29 several-entries `forEach` takes a map of exactly one entry"),
  Mistake(
    "scenario: A\nsteps: [{ fails: { expect: { a: 1 } } }]",
    "2:20 misplaced-step `fails` takes a step that does something, and `expect` asserts"),
  Mistake(
    "scenario: A\nsteps: [{ wait: never }]",
    "2:17 bad-duration `wait` takes a duration such as `300ms`, `2s` or `1m30s`"),
]

private let expectationCases = [
  Mistake(
    "scenario: A\nsteps: [{ expect: { a: [] } }]",
    "2:24 empty-sequence a sequence of events has at least one"),
  Mistake(
    "scenario: A\nsteps: [{ expect: {} }]", "2:19 empty-sequence `expect` names at least one source"
  ),
  Mistake(
    "scenario: A\nsteps: [{ expect: a }]",
    "2:19 wrong-type `expect` takes a map from addresses to matchers or a list of entries"),
  Mistake(
    "scenario: A\nsteps: [{ expect: [{ after: 1s }] }]",
    "2:22 entry-without-source an entry of `expect` has one source key"),
  Mistake(
    "scenario: A\nsteps: [{ expect: [{ a: 1, b: 2 }] }]",
    "2:28 entry-with-two-sources an entry of `expect` has one source key, and `a` and `b` are two"),
  Mistake(
    "scenario: A\nsteps: [{ expect: [{ anyOrder: [{ a: 1 }], mark: m }] }]",
    "2:44 conflicting-keys `anyOrder` and `mark` exclude each other in an entry of `expect`"),
  Mistake(
    "scenario: A\nsteps: [{ expect: [{ a: { marble: --a } }] }]",
    "2:27 misplaced-marble a diagram stands in the map form of `expect`, not in a list"),
  Mistake(
    "scenario: A\nsteps: [{ expect: { a: { $gt: 1, b: 2 } } }]",
    "2:34 mixed-operators the keys of a matcher all begin with `$`, or none does"),
  Mistake(
    "scenario: A\nsteps: [{ expect: { a: { $gtt: 1 } } }]",
    "2:26 unknown-operator there is no operator `$gtt`"),
  Mistake(
    "scenario: A\nsteps: [{ expect: { a: { b: $any } } }]",
    "2:29 operator-as-text `$any` is matched as text here"),
  Mistake(
    "scenario: A\nsteps: [{ expect: { a: { b: '#number' } } }]",
    "2:29 operator-as-text `#number` is matched as text here"),
  Mistake(
    "scenario: A\nsteps: [{ expect: { a: { b: { toBe: 1 } } } }]",
    "2:31 matcher-as-field `toBe` is matched as a field here"),
  Mistake(
    "scenario: A\nsteps: [{ expect: { a: --a-- } }]",
    "2:24 diagram-as-text this text is expected as one value"),
  Mistake(
    "scenario: A\nsteps: [{ expect: { a: { $in: 1 } } }]",
    "2:31 wrong-type `$in` takes a list of matchers"),
  Mistake(
    "scenario: A\nsteps: [{ expect: { a: { b: [{ $any: false }] } } }]",
    "2:38 wrong-type `$any` takes `true`"
  ),
  Mistake(
    "scenario: A\ngraph: { a: 1 }\nsteps: [{ expect: { a: { $as: a } } }]",
    "3:31 duplicate-name everything on the stage has a name of its own, and `a` is taken"),
  Mistake(
    "scenario: A\nsteps: [{ never: [] }]", "2:18 empty-sequence `never` names at least one source"),
  Mistake(
    "scenario: A\nsteps: [{ ignore: [1] }]",
    "2:20 wrong-type each element of `ignore` takes an address such as `counter.count`"),
  Mistake(
    "scenario: A\nsteps: [{ ignore: [a b] }]",
    "2:20 bad-name an address is names joined by dots, such as `counter.count`"),
]

private let valueCases = [
  Mistake(
    "scenario: A\ngraph: { a: \"é ${b\" }",
    "2:16 unterminated-expression an expression that begins with `${` ends with `}`"),
  Mistake(
    "scenario: A\ngraph: { a: \"${ }\" }", "2:14 empty-expression `${}` takes an expression"),
  Mistake(
    "scenario: A\nsteps: [{ check: '' }]", "2:18 empty-expression `check` takes an expression"),
  Mistake(
    "scenario: A\nsteps: [{ check: \"${a}\" }]",
    "2:18 wrapped-expression `check` takes an expression as it stands, without `${}`"),
  Mistake(
    "scenario: A\nsteps: [{ check: [[a]] }]",
    "2:19 wrong-type each element of `check` takes an expression"),
  Mistake(
    "scenario: A\nsteps: [{ wait: 5 }]",
    "2:17 bare-number-duration `wait` takes a duration, and a duration names its unit"),
  Mistake(
    "scenario: A\ntimeout: -5s",
    "2:10 bad-duration `timeout` takes a duration such as `300ms`, `2s` or `1m30s`"),
]

private let helpCases = [
  Mistake(
    "scenario: A\nnetwork: offline",
    "it is a step: write it in `steps`, as `- network: offline`"),
  Mistake(
    "scenario: A\nevent: { data: { price: 41 } }",
    "it is a step of the script of an event stream: write it there, "
      + "as `- event: { id: '1', event: price, data: { price: 41 } }`"),
  Mistake(
    "scenario: A\ndrop: true",
    "it is a step of the script of an endpoint: write it there, as `- drop: true`"),
  Mistake(
    "scenario: A\nsteps: [{ request: { get: /a }, expect: { status: 200 } }]",
    "write it inside if it belongs to `request`: `request: { …, expect: … }`; or begin a step of "
      + "its own: `- expect: …`"),
  Mistake(
    "scenario: A\nsecrets: [KEY]",
    "mark the variable: `vars: { key: { value: \"${env.KEY}\", secret: true } }`"),
  Mistake(
    "scenario: A\ngraph: { a: { $: b + c } }",
    "write `a: { computed: a + b }` for an expression, or the value itself, `a: 1`; `$` is no kind "
      + "of node"),
  Mistake(
    "{\"trace\":1,\"by\":\"shop 4.2\",\"scenario\":{\"path\":\"a.yaml\"}}",
    "this is a trace: `rehearse replay FILE` replays it, and `rehearse run SCENARIO --against "
      + "trace:FILE` gives its answers to a scenario"),
  Mistake(
    "scenario: A\nsteps: [{ expect: { a: 1 }, within: '${pause}' }]",
    "write the duration out, such as `300ms`, `2s` or `1m30s`"),
  Mistake(
    "scenario: A\nsteps: [{ expect: { a: { items: 1, $match: {} } } }]",
    "write `items` inside `$match`"),
  Mistake(
    "scenario: A\nsteps: [{ expect: [{ a: 1, after: 2s, within: 1s }] }]",
    "`after` is exact, so that `within` can be left out"),
  Mistake("scenario: A\nsteps: [{ wait: 3 minutes }]", "write `3m`"),
  Mistake("scenario: A\nsteps: [{ wait: 1 h 30 min }]", "write `1h30m`"),
  Mistake("scenario: A\nsteps: [{ wait: 3 fortnights }]", ""),
  Mistake("scenario: A\nsteps: [{ wait: -2s }]", ""),
  Mistake("scenario: A\ntimout: 1s", "write `timeout`"),
  Mistake("scenario: A\ntags: quick", "write `[quick]`"),
  Mistake("scenario: A\nsteps: [{ sett: 1 }]", "write `set`"),
  Mistake(
    "scenario: A\nsteps: [{ set: { a: 1 }, expct: 1 }]", "begin a step of its own: `- expect: …`"),
  Mistake("scenario: A\nsteps: [{ wait: 5 }]", "write `5ms` or `5s`"),
  Mistake(
    "scenario: A\nsteps: [{ expect: { a: [] } }]",
    "write `never: [a]` for silence, or `[[]]` for an empty list as value"),
  Mistake(
    "scenario: A\ngraph: { a: {} }",
    "if the value itself is a map, write `a: { stored: { … } }`"),
  Mistake("scenario: A\nsteps: [{ check: \"${a > 1}\" }]", "write `a > 1`"),
  Mistake(
    "scenario: A\nsteps: [{ expect: [{ a: 1, afetr: 1s }] }]",
    "write `after`, or begin an entry of its own: `- afetr: …`"),
  Mistake(
    "scenario: A\nsteps: [{ respond: drop }]",
    "it belongs in the script of an endpoint, the script of an event stream or "
      + "the script of a stream of lines"),
]
