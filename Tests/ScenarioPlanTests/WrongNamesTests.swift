import TestKit
import Testing
import Values

/// A scenario and all its diagnostics.
struct WrongScenario: Sendable, CustomTestStringConvertible {
  var promise: String
  var text: String
  var complaints: [String]
  var testDescription: String { promise }

  init(_ promise: String, _ text: String, says complaints: String...) {
    self.promise = promise
    self.text = text
    self.complaints = complaints
  }
}

@Suite struct WrongNamesTests {
  @Test(arguments: stepNames + stageNames + expressionNames)
  func `a name that stands for nothing is refused where it stands`(_ wrong: WrongScenario) {
    let loading = Loading(wrong.text)
    #expect(loading.complaints == wrong.complaints)
    #expect(loading.plan == nil)
  }

  private static let stepNames = [
    WrongScenario(
      "a mistyped node, in a write and in a list of sources",
      """
      scenario: s
      graph: { count: 0, total: 0 }
      steps:
        - set: { coutn: 1 }
        - ignore: [totl]
      """,
      says: "4:12 unknown-name: `coutn` is not the name of a node or field → did you mean `count`?",
      "5:14 unknown-name: `totl` is not the name of a source → did you mean `total`?"),
    WrongScenario(
      "a name unlike all others, with those that there are",
      """
      scenario: s
      graph: { count: 0 }
      steps:
        - set: { nonsense: 1 }
        - expect: { nonsense: 1 }
      """,
      says:
        "4:12 unknown-name: `nonsense` is not the name of a node or field → known here: `count`",
      "5:15 unknown-name: `nonsense` is not the name of a source "
        + "→ known here: `count`, `network`, `events`"),
    WrongScenario(
      "names where there is nothing to name",
      """
      scenario: s
      steps:
        - set: { count: 1 }
        - send: counter.add
        - terminate: counter
      """,
      says: "3:12 unknown-name: `count` is not the name of a node or field → there are none here",
      "4:11 unknown-name: `counter.add` is not the name of an action → there are none here",
      "5:16 unknown-name: `counter` is not the name of a reactor "
        + "→ there are none here: add `reactors: { counter: { state: { count: 0 }, "
        + "actions: { reset: [{ set: { count: 0 } }] } } }`"),
    WrongScenario(
      "more names than anyone reads",
      """
      scenario: s
      graph: { a1: 1, a2: 1, a3: 1, a4: 1, a5: 1, a6: 1, a7: 1, a8: 1, a9: 1, b1: 1 }
      steps:
        - set: { nonsense: 1 }
      """,
      says: "4:12 unknown-name: `nonsense` is not the name of a node or field "
        + "→ known here: `a1`, `a2`, `a3`, `a4`, `a5`, `a6`, `a7`, `a8` and 2 more"),
    WrongScenario(
      "a mark that no entry sets",
      """
      scenario: s
      graph: { count: 0 }
      steps:
        - expect:
            - { count: 1, mark: start }
            - { count: 2, since: strat, after: 1s }
      """,
      says: "6:28 unknown-name: `strat` is not the name of a mark set by an earlier entry "
        + "→ did you mean `start`?"),
    WrongScenario(
      "a reactor in the place of its field, or of its events",
      """
      scenario: s
      reactors:
        counter: { state: { total: 0 }, actions: { add: [{ set: { total: 1 } }] } }
        log: { actions: { write: [{ emit: written }] } }
      steps:
        - expect: { counter: 1 }
        - never: [log]
      """,
      says: "6:15 reactor-is-no-source: a reactor does not emit events itself; its fields do "
        + "→ name a field such as `counter.total`, or its named events, `counter.events`",
      "7:13 reactor-is-no-source: a reactor does not emit events itself; its fields do "
        + "→ its named events are `log.events`"),
  ]

  private static let stageNames = [
    WrongScenario(
      "what an action loads, from where, and with what",
      """
      scenario: s
      providers: { facts: { items: [1], params: [page] } }
      reactors:
        r:
          state: { fact: none }
          actions:
            load:
              - load: { fcat: { provider: facts, with: { page: 1 } } }
              - load: { fact: fact }
              - load: { fact: { provider: facts, with: { page: 1, pag: 2 } } }
      """,
      says: "8:19 unknown-name: `fcat` is not the name of a node or field → did you mean `fact`?",
      "9:25 unknown-name: `fact` is not the name of a provider → did you mean `facts`?",
      "10:61 unknown-name: `pag` is not the name of a parameter of this provider "
        + "→ did you mean `page`?"),
    WrongScenario(
      "the endpoint of a provider",
      """
      scenario: s
      endpoints: { api: { http: [{ get: /, respond: { status: 204 } }] } }
      providers: { fact: { endpoint: apy, get: / } }
      """,
      says: "3:32 unknown-name: `apy` is not the name of an endpoint → did you mean `api`?"),
    WrongScenario(
      "what a reactor binds and follows",
      """
      scenario: s
      graph: { price: 0 }
      reactors:
        r:
          state: { field: 0 }
          bindings: { feild: take, field: tkae }
          follows: { prices: take, price: taek }
          actions: { take: [{ set: { field: "${payload}" } }] }
      """,
      says: "6:17 unknown-name: `feild` is not the name of a node or field → did you mean `field`?",
      "6:37 unknown-name: `tkae` is not the name of an action → did you mean `take`?",
      "7:16 unknown-name: `prices` is not the name of a source → did you mean `price`?",
      "7:37 unknown-name: `taek` is not the name of an action → did you mean `take`?"),
    WrongScenario(
      "a capture that would hide the events of the run",
      """
      scenario: s
      graph: { count: 0 }
      steps:
        - expect: { count: { $as: events } }
      """,
      says: "4:29 capture-hides-stage: a capture cannot have the name of something on the stage "
        + "→ choose another name"),
  ]

  private static let expressionNames = [
    WrongScenario(
      "in a rule, a check, a mock's answer and a text with expressions",
      """
      scenario: s
      graph: { count: 0, twice: { computed: cuont * 2 } }
      endpoints:
        api: { state: { calls: 0 }, http: [{ get: /, respond: { json: "${cals}" } }] }
      steps:
        - check: count == cout
        - set: { count: "${counnt} of ${count}" }
      """,
      says: "2:39 unknown-name: nothing here is named `cuont` → did you mean `count`?",
      "4:68 unknown-name: nothing here is named `cals` → did you mean `calls`?",
      "6:21 unknown-name: nothing here is named `cout` → did you mean `count`?",
      "7:22 unknown-name: nothing here is named `counnt` → did you mean `count`?"),
    WrongScenario(
      "the source whose events are counted",
      """
      scenario: s
      graph: { price: 0 }
      steps:
        - check: count(prices) == 0
      """,
      says: "4:18 unknown-name: nothing here is named `prices` → did you mean `price`?"),
    WrongScenario(
      "a node whose recomputations are counted, and that has no rule",
      """
      scenario: s
      graph: { price: 0, twice: { computed: price * 2 } }
      steps:
        - check: recomputes(price) == 0
      """,
      says: "4:23 not-an-address: `recomputes` takes the name of a computed node, which `price` is "
        + "not → known here: `twice`"),
  ]
}
