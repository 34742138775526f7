import ScenarioSpec
import Testing
import Values

@Suite struct StepTests {
  @Test func `acting steps are read`() throws {
    let steps = try read(
      """
        - set: { a: 1, r.b: "${x}" }
        - transaction: [{ set: { a: 2 } }]
        - send: r.go
        - send: { r.go: { id: 1 }, r.stop: }
        - terminate: r
        - emit: validation:start
        - emit: { done: 5 }
      """)
    guard case .set(let writes) = steps[0], case .send(let bare, false) = steps[2],
      case .send(let sends, false) = steps[3], case .terminate(let reactor) = steps[4],
      case .emit(let event, nil) = steps[5], case .emit(_, let data?) = steps[6]
    else { throw Unexpected() }
    #expect(writes.map(\.address.value) == ["a", "r.b"])
    #expect(bare.first?.payload == nil)
    #expect(sends.map { $0.payload?.literal } == [["id": 1], .null])
    #expect(reactor.map(\.value) == ["r"])
    #expect(event.value == "validation:start")
    #expect(data.literal == 5)
  }

  @Test func `a request is read`() throws {
    let steps = try read(
      """
        - request:
            endpoint: api
            method: purge
            path: /cache
            query: { tag: [a, b] }
            auth: { bearer: t }
            cookies: none
            multipart: [{ name: a, text: b }, { name: c, file: d.json, filename: e }]
            redirects: 3
            timeout: 2s
            expect: { json: { id: 1 }, status: 2xx, within: 1s }
            as: whole
      """)
    guard case .request(let exchange) = steps[0], case .bearer? = exchange.request.authorization,
      case RequestSpec.Cookies.none? = exchange.request.cookies,
      case .multipart(let parts) = exchange.request.body
    else { throw Unexpected() }
    #expect(exchange.request.method.literal == "purge")
    #expect(exchange.request.query.map { $0.value.literal } == [["a", "b"]])
    #expect(parts.map { $0.filename?.literal } == [nil, "e"])
    #expect(exchange.request.redirects == 3)
    #expect(exchange.request.timeout?.value == 2_000_000)
    #expect(exchange.expected?.parts.map(\.key) == [.status, .json])
    #expect(exchange.expected?.within?.value == 1_000_000)
    #expect(exchange.capture?.value == "whole")
  }

  @Test func `steps that hold steps are read`() throws {
    let steps = try read(
      """
        - wait: forever
        - parallel: [[{ wait: 1s }], []]
        - repeat: "${n}"
          steps: [{ wait: 1s }, { wait: 2s }]
        - forEach: { item: [1, 2] }
          steps: [{ set: { a: "${item}" } }]
        - if: a > 1
          then: [{ wait: 1s }]
      """)
    guard case .wait(nil) = steps[0], case .parallel(let branches) = steps[1],
      case .repeat(let count, let body) = steps[2],
      case .forEach(let variable, let items, _) = steps[3],
      case .if(let condition, let then, else: nil) = steps[4]
    else { throw Unexpected() }
    #expect(branches.map(\.steps.count) == [1, 0])
    #expect(count.literal == nil)
    #expect(body.steps.count == 2)
    #expect(variable.value == "item")
    #expect(items.literal == [1, 2])
    #expect(condition.text == "a > 1")
    #expect(then.steps.count == 1)
  }

  @Test func `steps of actions are read`() throws {
    let reading = Reading(
      """
      scenario: A
      reactors:
        r:
          actions:
            go:
              - load: { f: p, g: { provider: q, with: { page: 2 } } }
              - try: [{ fail: { code: 3 } }, { fail: }]
                catch: [{ set: { f: "${error}" } }]
      """)
    let action = try #require(reading.first?.reactors.first?.actions.first)
    guard case .load(let loads) = action.steps.steps[0].kind,
      case .attempt(let tried, let rescue?, let variable?) = action.steps.steps[1].kind,
      case .fail(_?) = tried.steps[0].kind, case .fail(nil) = tried.steps[1].kind
    else { throw Unexpected() }
    #expect(loads.map(\.provider.value) == ["p", "q"])
    #expect(loads[1].with.map(\.name.value) == ["page"])
    #expect(rescue.steps.count == 1)
    #expect(variable.value == "error")
  }

  @Test func `a map expects a sequence of each source`() throws {
    let steps = try read("  - expect: { a: [1, [2]], b: { c: 1 }, d: [[]] }\n    within: 2s\n")
    guard case .expect(let spec) = steps[0], case .map(let sources) = spec.form else {
      throw Unexpected()
    }
    #expect(sources.map(\.sequence.events.count) == [2, 1, 1])
    #expect(spec.within?.value == 2_000_000)
    guard case .list(let inner) = sources[2].sequence.events[0].content else { throw Unexpected() }
    #expect(inner.isEmpty)
  }

  @Test func `a list expects one order, with options`() throws {
    let steps = try read(
      """
        - expect:
            - a: [1]
              after: 1s
              within: 2s
              skip: true
              since: begun
              mark: ended
              times: 3
            - anyOrder: [{ b: 1 }, { c: 2 }]
      """)
    guard case .expect(let spec) = steps[0], case .list(let entries) = spec.form,
      case .event(let entry) = entries[0], case .anyOrder(let group, _) = entries[1]
    else { throw Unexpected() }
    #expect(entry.source.value == "a")
    #expect([entry.after?.value, entry.within?.value] == [1_000_000, 2_000_000])
    #expect(entry.skips)
    #expect([entry.since?.value, entry.mark?.value] == ["begun", "ended"])
    #expect(entry.times?.value == 3)
    #expect(group.count == 2)
  }

  @Test func `tries are read with all that bounds them`() throws {
    let steps = try read(
      """
        - retry: { until: a == 1 }
          steps: [{ set: { a: 1 } }]
        - retry: { until: a == 1, failIf: a == 2, every: 500ms, timeout: 1m }
          steps: []
      """)
    guard case .retry(let bare, let body) = steps[0], case .retry(let full, _) = steps[1]
    else { throw Unexpected() }
    #expect(bare.until?.text == "a == 1")
    #expect(bare.failIf == nil && bare.every == nil && bare.timeout == nil)
    #expect(body.steps.count == 1)
    #expect(full.failIf?.text == "a == 2")
    #expect(full.every?.value == 500_000)
    #expect(full.timeout?.value == 60_000_000)
  }

  @Test func `other assertions are read`() throws {
    let steps = try read(
      """
        - never: a
        - never: [a, b]
          for: 5s
        - never: { a: 1 }
        - check: true
        - eventually: a > 1
          within: 1m
        - fails: { send: r.go }
          error: { $regex: x }
        - ignore: a
        - ignore: [a, b]
      """)
    guard case .never(let one) = steps[0], case .never(let two) = steps[1],
      case .never(let three) = steps[2], case .check(let check) = steps[3],
      case .eventually(_, let within?) = steps[4], case .fails(let step, error: .some) = steps[5],
      case .ignore(let ignored) = steps[7]
    else { throw Unexpected() }
    #expect([one, two, three].map(\.sources.count) == [1, 2, 1])
    #expect(two.duration?.value == 5_000_000)
    #expect(three.sources[0].matcher != nil)
    #expect(check.map(\.text) == ["true"])
    #expect(within.value == 60_000_000)
    #expect(step.verb.value == "send")
    #expect(ignored.map(\.value) == ["a", "b"])
  }

  @Test func `all operators of matchers are read`() throws {
    let steps = try read(
      """
        - expect:
            a:
              $any: true
              $exactly: { a: 1 }
              $regex: ^a
              $startsWith: a
              $endsWith: "${b}"
              $json: { a: 1 }
              $text: "{}"
              $gt: 1
              $gte: 1
              $lt: 1
              $lte: "${b}"
              $in: [1, { $not: 2 }]
              $not: 3
              $size: { $gt: 1 }
              $contains: 1
              $like: 1
              $eachLike: 1
              $example: 1
              $file: order.json
              $type: null
              $absent: true
              $each: { $gt: 1 }
              $anyOrder: [1, { $not: 2 }]
              $where: value > 1
              $as: seen
              $secret: true
              $match: { b: 1 }
              $schema: { type: object }
      """)
    guard case .expect(let spec) = steps[0], case .map(let sources) = spec.form,
      case .operators(let operators) = sources[0].sequence.events[0].content
    else { throw Unexpected() }
    let table = LanguageTable.operators.keys
    #expect(operators.map(\.name.value) == table.map(\.name))
  }

  @Test func `a step knows its verb and its whole range`() throws {
    let reading = Reading("scenario: A\nsteps:\n  - expect: { a: 1 }\n    within: 1s\n")
    let step = try #require(reading.first?.steps.steps.first)
    #expect(reading.excerpt(step.verb.range) == "expect")
    #expect(reading.excerpt(step.range).hasPrefix("expect: { a: 1 }\n    within: 1s"))
  }

  private func read(_ steps: String) throws -> [StepKind] {
    let reading = Reading("scenario: A\nsteps:\n" + steps)
    #expect(reading.complaints == [])
    return try #require(reading.first).steps.steps.map(\.kind)
  }
}
