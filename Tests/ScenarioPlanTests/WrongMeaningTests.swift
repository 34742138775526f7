import TestKit
import Testing
import Values

@Suite struct WrongMeaningTests {
  @Test(arguments: writes + messages + expressions)
  func `what cannot be carried out is refused where it stands`(_ wrong: WrongScenario) {
    let loading = Loading(wrong.text)
    #expect(loading.complaints == wrong.complaints)
    #expect(loading.plan == nil)
  }

  private static let writes = [
    WrongScenario(
      "a computed node cannot be set, nor loaded",
      """
      scenario: s
      graph: { net: 1, gross: { computed: net * 2 } }
      providers: { prices: { items: [1] } }
      reactors:
        r: { actions: { go: [{ load: { gross: prices } }] } }
      steps:
        - set: { gross: 3 }
      """,
      says: "5:34 sets-computed: a computed node follows its rule and cannot be set "
        + "→ set the nodes that its rule reads",
      "7:12 sets-computed: a computed node follows its rule and cannot be set "
        + "→ set the nodes that its rule reads"),
    WrongScenario(
      "a field is its reactor's own, for steps and for other reactors",
      """
      scenario: s
      reactors:
        one: { state: { x: 0 }, actions: { go: [{ set: { two.y: 1 } }] } }
        two: { state: { y: 0 }, actions: { go: [{ set: { y: 1 } }, { set: { two.y: 2 } }] } }
      steps:
        - set: { one.x: 1 }
      """,
      says: "3:52 field-not-bound: only a reactor's own actions write its fields, unless a binding "
        + "is declared → send an action, or name under `bindings` the action that writing the "
        + "field sends",
      "6:12 field-not-bound: only a reactor's own actions write its fields, unless a binding "
        + "is declared → send an action, or name under `bindings` the action that writing the "
        + "field sends"),
    WrongScenario(
      "a value at the start reads nothing of the stage",
      """
      scenario: s
      vars: { five: 5 }
      graph: { count: "${five}", label: "${count} items" }
      reactors: { r: { state: { x: "${count}" } } }
      endpoints:
        e: { state: { y: "${count}" }, http: [{ get: /, respond: { status: 204 } }] }
      """,
      says:
        "3:38 initial-reads-stage: a value at the start cannot read the stage, which is not built "
        + "yet → write `{ computed: … }` for a node that follows others",
      "4:33 initial-reads-stage: a value at the start cannot read the stage, which is not built "
        + "yet → give it a plain value, and let an action set the field",
      "6:23 initial-reads-stage: a value at the start cannot read the stage, which is not built "
        + "yet → give it a plain value, and let a route's script set it"),
  ]

  private static let messages = [
    WrongScenario(
      "an action is sent a value for each of its parameters",
      """
      scenario: s
      reactors:
        r:
          actions:
            one: { params: [a], steps: [] }
            two: { params: [a, b], steps: [] }
      steps:
        - send: r.one
        - send: { r.one: 5 }
        - send: { r.two: { a: 1 } }
        - send: { r.two: 5 }
        - send: { r.two: "${{'a': 1, 'b': 2}}" }
      """,
      says: "8:11 missing-parameters: `r.one` needs a value for `a` → write `{ r.one: { a: … } }`",
      "10:13 missing-parameters: `r.two` needs a value for `b` "
        + "→ write `{ r.two: { a: …, b: … } }`",
      "11:13 missing-parameters: `r.two` needs a value for `a`, `b` "
        + "→ write `{ r.two: { a: …, b: … } }`"),
    WrongScenario(
      "a provider is given a value for each of its parameters",
      """
      scenario: s
      providers: { p: { params: [page, size], items: [1] } }
      reactors:
        r:
          state: { x: none }
          actions:
            bare: [{ load: { x: p } }]
            half: [{ load: { x: { provider: p, with: { page: 1 } } } }]
      """,
      says: "7:27 missing-parameters: `p` needs a value for `page`, `size` "
        + "→ write `{ provider: p, with: { page: …, size: … } }`",
      "8:39 missing-parameters: `p` needs a value for `size` "
        + "→ write `{ provider: p, with: { page: …, size: … } }`"),
  ]

  private static let expressions = [
    WrongScenario(
      "a condition is true or false, wherever one stands",
      """
      scenario: s
      graph: { count: 0, name1: Ann }
      endpoints:
        e: { http: [{ get: /, when: "1 + 1", respond: { status: 204 } }] }
      steps:
        - check: count
        - eventually: name1
        - expect: { count: { $where: "'yes'" } }
      """,
      says: "4:32 not-a-condition: a condition must be true or false, but this is of type int "
        + "→ compare it with something: `… == …`",
      "6:12 not-a-condition: a condition must be true or false, but this is of type int "
        + "→ compare it with something: `count == …`",
      "7:17 not-a-condition: a condition must be true or false, but this is of type string "
        + "→ compare it with something: `name1 == …`",
      "8:33 not-a-condition: a condition must be true or false, but this is of type string "
        + "→ compare it with something: `… == …`"),
    WrongScenario(
      "a constant that has no value is found before the run",
      """
      scenario: s
      vars: { half: "${1 / 0}" }
      """,
      says: "2:18 evaluation-failed: this expression gives no value: divide by zero"),
    WrongScenario(
      "a pattern is a regular expression",
      """
      scenario: s
      graph: { text: "" }
      steps:
        - expect: { text: { $regex: "(a" } }
      """,
      says: "4:31 invalid-pattern: `$regex` takes a regular expression, and this pattern is not "
        + "valid: missing closing parenthesis, at character 3 "
        + "→ put a backslash before a special character to match the character itself"),
  ]
}
