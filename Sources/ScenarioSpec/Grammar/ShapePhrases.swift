import TextSearch

extension Shape {
  /// The shape in words that follow "takes".
  package var phrase: String {
    switch self {
    case .text: "text"
    case .eventName: "the name of an event"
    case .name: "a name"
    case .address: "an address such as `counter.count`"
    case .path: "a path such as `/tasks/{id}`"
    case .words(let words): words.map { "`\($0)`" }.joined(separator: " or ")
    case .duration, .anyDuration: "a duration such as `300ms`"
    case .tick: "a duration longer than nothing, such as `10ms`"
    case .diagram: "a diagram such as `--a-(bc)|`"
    case .fraction: "a number from 0 to 1"
    case .number(let least): "a number from \(shortNumber(least)) on"
    case .streamOperators: "a list of operators"
    case .bool: "`true` or `false`"
    case .flag: "`true`"
    case .integer(let range), .count(let range): Shape.phrase(ofIntegersIn: range)
    case .clock: "a point in time such as `2026-03-01T09:00:00Z`, or `now`"
    case .expression: "an expression"
    case .value, .literal: "a value"
    case .noMap: "a value that is no map"
    case .valueWithout: "a value"
    case .scalar: "a single value"
    case .matcher: "a matcher"
    case .sequence: "a matcher or a list of matchers"
    case .step: "a step"
    case .script: "a list of steps"
    case .list(let element): "a list of \(element.pluralPhrase)"
    case .map(let keys, let value): "a map from \(keys.pluralPhrase) to \(value.pluralPhrase)"
    case .single(let keys, let value): "a map from one \(keys.phrase) to \(value.phrase)"
    case .mapping(let name): name.phrase
    case .anyOf(let shapes): Shape.phrase(ofAnyOf: shapes)
    }
  }

  private static func phrase(ofIntegersIn range: ClosedRange<Int>) -> String {
    switch (range.lowerBound, range.upperBound) {
    case (.min, .max): "an integer"
    case (let low, .max): "an integer from \(low) on"
    case (let low, let high): "an integer from \(low) to \(high)"
    }
  }

  private static func phrase(ofAnyOf shapes: [Shape]) -> String {
    var phrases: [String] = []
    for phrase in shapes.map(\.phrase) where !phrases.contains(phrase) { phrases.append(phrase) }
    guard let last = phrases.last, phrases.count > 1 else { return phrases.first ?? "" }
    return phrases.dropLast().joined(separator: ", ") + " or " + last
  }

  /// The shape in words that follow "a list of".
  private var pluralPhrase: String {
    switch self {
    case .text: "texts"
    case .name: "names"
    case .address: "addresses"
    case .value, .literal, .valueWithout, .noMap: "values"
    case .scalar: "single values"
    case .expression: "expressions"
    case .matcher, .sequence: "matchers"
    case .script: "lists of steps"
    case .mapping(let name): name.pluralPhrase
    case .anyOf(let shapes): shapes.map(\.pluralPhrase).joined(separator: " or ")
    case .map(let keys, let value): "maps from \(keys.pluralPhrase) to \(value.pluralPhrase)"
    case .eventName, .path, .words, .duration, .anyDuration, .tick, .diagram, .fraction,
      .number, .streamOperators, .bool, .flag, .integer, .count, .clock, .step, .list, .single:
      phrase
    }
  }
}

extension KeyKind {
  package var phrase: String {
    switch self {
    case .name, .stageName: "name"
    case .address: "address"
    case .place: "place"
    case .text: "text"
    case .symbol: "character"
    }
  }

  package var pluralPhrase: String { self == .address ? "addresses" : phrase + "s" }
}

extension MappingName {
  package var phrase: String {
    switch self {
    case .scenario: "a scenario, a map with the key `scenario`"
    case .component: "a component"
    case .sweep: "a map such as `{ settle: 10s }`"
    case .traces: "a map such as `{ hide: [body.user.email] }`"
    case .lineMapping: "a map such as `{ where: line.logger == 'pay', value: line.msg }`"
    case .stepsFile: "a file of steps, a map with `steps`"
    case .configuration: "a configuration, a map such as `{ paths: [scenarios] }`"
    case .reports: "a map from formats to files, such as `{ junit: report.xml }`"
    case .limits: "a map of limits, such as `{ jobs: 4 }`"
    case .environment: "an environment, a map such as `{ vars: { user: ann } }`"
    case .include: "a map with `path` and `with`"
    case .parameter: "a map with `type` or `default`"
    case .use: "a map with `as` and `with`"
    case .variable: "a map with the key `value`"
    case .table: "a map with `file`"
    case .node: "a map with `stored`, `computed` or `latest`"
    case .reactor: "a reactor, a map of its `state` and `actions`"
    case .action: "a map with `steps`"
    case .endpoint: "an endpoint, a map with its routes under `http`"
    case .connection: "a connection, a map with `sse`, `websocket` or `ndjson`"
    case .connectionRequest: "a request, a map such as `{ endpoint: feed, path: /prices }`"
    case .socketRequest: "a request, a map such as `{ endpoint: chat, path: /room }`"
    case .retryPolicy: "a policy, a map such as `{ maxAttempts: 5, initialDelay: 1s }`"
    case .comparer: "a map with `when`"
    case .binding, .follow: "a map with `action`"
    case .streamRetry: "a map such as `{ maxAttempts: 5, initialDelay: 1s }`"
    case .ping: "a map with `interval` and `maxFailures`"
    case .conversation, .lineConversation, .socketConversation: "a map with `accept` or `refuse`"
    case .acceptance, .socketAcceptance: "a map such as `{ path: /prices }`"
    case .serverEvent: "an event, a map such as `{ id: 1, data: { price: 41 } }`"
    case .closing: "a map with `code` and `reason`"
    case .hexadecimal: "a map with `hex`"
    case .served: "a map with what the endpoint does, such as `{ event: { data: 1 } }`"
    case .route: "a route, a map such as `{ get: /fact, respond: { status: 204 } }`"
    case .crossOrigin: "a map such as `{ origins: ['https://shop.example'] }`"
    case .requestMatch: "a map such as `{ json: { stream: true } }`"
    case .chunks: "a map with `count` and `every`"
    case .turn: "a turn, a map such as `{ respond: { status: 503 } }`"
    case .answer: "an answer, a map such as `{ status: 204 }`"
    case .answerChange: "a map such as `{ json: { price: 0 } }`"
    case .provider: "a provider, a map with `items` or `endpoint`"
    case .requestRetry: "a retry policy, a map such as `{ maxAttempts: 3, initialDelay: 1s }`"
    case .loadCall: "a map with `provider` and `with`"
    case .database: "a database, a map with `sqlite`"
    case .declaredSource: "a map such as `{ initial: 0 }`"
    case .program: "a program, a map such as `{ run: [python3, client.py] }`"
    case .readiness: "a map such as `{ line: ready }`"
    case .programSource: "a map such as `{ initial: idle }`"
    case .programStop: "a map such as `{ signal: TERM, timeout: 5s }`"
    case .completion: "a map with `when` and `quiet`"
    case .list: "a list, a map with `from` or `items`"
    case .statement: "a map with `statement` and `with`"
    case .stream: "a stream, a map such as `{ from: prices, through: [removeDuplicates] }`"
    case .input: "a map with `source`"
    case .call: "a map with `provider` or `stream`"
    case .callChoice: "a map with `when`, and `provider` or `stream`"
    case .streamOperator: "an operator"
    case .invariant: "a map with `always`, `never`, `leadsTo` or another kind of invariant"
    case .leadsTo: "a map with `when` and `then`"
    case .precededBy: "a map with `when` and `once`"
    case .between: "a map with `when`, `until` and `never` or `always`"
    case .unchanged: "a map with `of` and `while`"
    case .eventCount: "a map with `when`, `per` and `atMost` or `atLeast`"
    case .network: "a map of settings"
    case .endpointNetwork: "a map with `latency` and `loss`"
    case .faults: "a map of faults and their shares"
    case .faultDelay: "a map with `share` and `upTo`"
    case .request: "a request, a map such as `{ endpoint: api, get: /tasks }`"
    case .authorization: "a map with `basic` or `bearer`"
    case .credentials: "a map with `user` and `password`"
    case .part: "a part, a map such as `{ name: title, text: Write }`"
    case .expectedAnswer: "a map such as `{ status: 200, json: { id: 1 } }`"
    case .retry: "a map with `until`"
    case .snapshot: "a map with `name`"
    case .entry: "an entry, a map with a source and its matcher"
    case .marble: "a map with `marble` or `subscriptions`"
    case .operators: "a map of operators"
    case .step: "a step, a map with one verb"
    }
  }

  package var pluralPhrase: String {
    switch self {
    case .entry: "entries"
    case .step: "steps"
    case .loadCall: "loads with parameters"
    case .operators: "operators"
    case .use: "uses"
    case .declaredSource, .programSource: "declared sources"
    case .input: "maps with `source`"
    case .call, .callChoice: "calls"
    case .streamOperator: "operators"
    case .requestRetry: "retry policies"
    case .stepsFile: "files of steps"
    case .completion, .leadsTo, .precededBy, .between, .unchanged, .eventCount, .network,
      .endpointNetwork,
      .faults, .faultDelay, .retry, .snapshot, .readiness, .programStop,
      .include, .retryPolicy, .streamRetry, .comparer, .binding, .follow,
      .ping, .reports, .limits,
      .acceptance, .socketAcceptance, .crossOrigin, .requestMatch, .chunks, .closing, .hexadecimal,
      .served, .authorization, .answerChange,
      .credentials, .expectedAnswer, .sweep, .traces, .lineMapping:
      phrase
    case .conversation, .lineConversation, .socketConversation: "maps with `accept` or `refuse`"
    case .connectionRequest, .socketRequest: "requests"
    case .serverEvent: "events"
    case .marble: "diagrams"
    case .scenario, .component, .configuration, .environment, .parameter, .variable, .table, .node,
      .reactor,
      .action, .endpoint,
      .route, .turn,
      .answer, .provider, .connection, .database, .list, .statement, .stream, .invariant,
      .request, .part, .program:
      rawValue + "s"
    }
  }
}

/// Returns a number as text, without a fraction of zero.
private func shortNumber(_ number: Double) -> String {
  Int(exactly: number).map(String.init) ?? "\(number)"
}
