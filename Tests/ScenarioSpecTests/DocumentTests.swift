import ScenarioSpec
import Testing
import Values

@Suite struct DocumentTests {
  @Test func `settings of a scenario are read`() throws {
    let scenario = try #require(
      Reading(
        """
        scenario: A counter
        description: It counts
        tags: [quick, 2]
        skip: too slow
        only: [mock, sockets]
        timeout: 1m30s
        time: virtual
        clock: 2026-03-01T09:00:00Z
        seed: 7
        """
      ).first)
    #expect(scenario.title.value == "A counter")
    #expect(scenario.description == "It counts")
    #expect(scenario.tags.map(\.value) == ["quick", "2"])
    #expect(scenario.skip?.value == "too slow")
    #expect(scenario.only == [.mock, .sockets])
    #expect(scenario.timeout?.value == 90_000_000)
    let clock = try #require(Timestamp(text: "2026-03-01T09:00:00Z"))
    #expect(scenario.clock == .fixed(clock))
    #expect(scenario.seed?.value == 7)
  }

  @Test func `variables are plain values or maps that say more`() throws {
    let vars = try #require(
      Reading("scenario: A\nvars: { a: 1, b: { value: x, secret: true }, c: { d: 2 } }").first
    ).vars
    #expect(vars.map(\.name.value) == ["a", "b", "c"])
    #expect(vars.map(\.isSecret) == [false, true, false])
    #expect(vars.map(\.value.literal) == [1, "x", ["d": 2]])
  }

  @Test func `rows are known by their id or their place`() throws {
    let cases = try #require(
      Reading("scenario: A\ncases: [{ limit: 1, id: one }, { id: 2, limit: '$${x}' }]").first
    ).cases
    #expect(cases.map(\.id) == ["one", "2"])
    #expect(cases[1].columns.map(\.name.value) == ["id", "limit"])
    #expect(
      Reading("scenario: A\ncases: [{ a: 1 }, { a: 2 }]").first?.cases.map(\.id) == ["1", "2"])
  }

  @Test func `a map says what kind of node it is`() throws {
    let graph = try #require(
      Reading(
        "scenario: A\ngraph: { a: [1], b: { stored: { x: 1 } }, c: { computed: b.x }, d: }"
      ).first
    ).graph
    #expect(graph.map(\.name.value) == ["a", "b", "c", "d"])
    #expect(graph[0].stored == [1])
    #expect(graph[1].stored == ["x": 1])
    #expect(graph[2].computed == "b.x")
    #expect(graph[3].stored == .null)
  }

  @Test func `a reactor has state, bindings, actions and sources it follows`() throws {
    let reading = Reading(
      """
      scenario: A
      reactors:
        search:
          state: { query: "", result: none }
          bindings: { query: load }
          actions:
            plain: [{ set: { query: a } }]
            load:
              params: [text]
              steps: [{ wait: 300ms }]
              inFlight: typing
              lifecycle: true
            refresh: { steps: [], join: all }
          follows: { clock.tick: plain }
      """)
    let reactor = try #require(reading.first?.reactors.first)
    #expect(reactor.state.map(\.name.value) == ["query", "result"])
    #expect(reactor.bindings.map(\.action.value) == ["load"])
    #expect(reactor.follows.map(\.source.value) == ["clock.tick"])
    #expect(reactor.actions.map(\.name.value) == ["plain", "load", "refresh"])
    #expect(reactor.actions.map(\.endsWithLifecycle) == [false, true, false])
    #expect(reactor.actions[1].parameters.map(\.value) == ["text"])
    guard case .inFlight(let id) = reactor.actions[1].policy,
      case .literal(.string("typing")) = id.content
    else { throw Unexpected() }
    guard case .join = reactor.actions[2].policy else { throw Unexpected() }
  }

  @Test func `routes answer in turn or by a script`() throws {
    let reading = Reading(
      """
      scenario: A
      endpoints:
        api:
          url: "${env.URL}/v1"
          state: { calls: 0 }
          http:
            - get: /a/{id}
              when: request.query.x == '1'
              respond: [{ status: 503, after: 2s }, drop, { headers: { A: b }, text: c }]
            - any: /b
              script: [stall]
            - patch: /c
              respond: stall
      """)
    let endpoint = try #require(reading.first?.endpoints.first)
    #expect(endpoint.http.map(\.method) == ["GET", nil, "PATCH"])
    #expect(endpoint.http[0].path.value == "/a/{id}")
    #expect(endpoint.http[0].when?.text == "request.query.x == '1'")
    guard case .inTurn(let turns) = endpoint.http[0].answers else { throw Unexpected() }
    let answers = turns.compactMap { if case .answer(let answer) = $0 { answer } else { nil } }
    #expect(answers.map { $0.after?.literal } == [2_000_000, nil, nil])
    guard case .drop = answers[1].kind, case .response(let last) = answers[2].kind,
      case .text = last.body
    else { throw Unexpected() }
    guard case .script(let script) = endpoint.http[1].answers else { throw Unexpected() }
    #expect(script.steps.map(\.verb.value) == ["stall"])
  }

  @Test func `providers hold items or ask an endpoint`() throws {
    let reading = Reading(
      """
      scenario: A
      endpoints: { api: { http: [] } }
      providers:
        here: { items: [1, 2] }
        there:
          endpoint: api
          post: "/tasks/${id}"
          params: [id]
          query: { page: 1 }
          json: { a: "${id}" }
          value: "${response.json}"
      """)
    let providers = try #require(reading.first?.providers)
    guard case .items(let items) = providers[0].origin else { throw Unexpected() }
    #expect(items.literal == [1, 2])
    guard case .request(let request) = providers[1].origin else { throw Unexpected() }
    #expect(request.method.literal == "POST")
    #expect(request.endpoint.value == "api")
    #expect(providers[1].parameters.map(\.value) == ["id"])
    #expect(providers[1].value != nil)
  }
}

struct Unexpected: Error {}

extension DataSpec {
  var literal: Value? { if case .literal(let value) = content { value } else { nil } }
}

extension NodeSpec {
  var stored: Value? { if case .stored(let data) = rule { data.literal } else { nil } }
  var computed: String? { if case .computed(let text) = rule { text.text } else { nil } }
}
