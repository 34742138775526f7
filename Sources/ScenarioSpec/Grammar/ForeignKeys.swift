import Diagnostics

/// The keys of other tools that no single key stands for, and keys that belong elsewhere, with what
/// to write here.
enum ForeignKeys {
  /// The text to write instead of a key, and the key that has its place.
  struct Help {
    let text: String
    let meant: Key
  }

  static func help(for name: String, in rule: MappingRule) -> Help? {
    let lowered = name.lowercased()
    if let help = helps[rule.name]?[lowered] { return help }
    if rule.name == .stream, let verb = LanguageTable.streamOperator(named: name)?.verb {
      return Help(
        text: "it is an operator: write `through: [{ \(name): \(verb.example) }]`", meant: .through)
    }
    // A step that stands beside the steps instead of among them.
    if rule.rule(for: .steps) != nil, let step = LanguageTable.step(named: name) {
      return help(for: step)
    }
    if rule.name == .serverEvent, nearestName(to: name, among: rule.keys.lazy.map(\.name)) == nil {
      return Help(
        text: "what it carries stands in `data`: `event: { data: { \(name): … } }`", meant: .data)
    }
    // `GET /tasks` as one key.
    guard rule.name == .route, let method = lowered.split(separator: " ").first,
      lowered.contains(" /"), LanguageTable.routeMethods.contains(where: { $0.rawValue == method })
    else { return nil }
    let path = name.split(separator: " ").last ?? "/tasks"
    return Help(text: "write `\(method): \(path)`, with `respond` beside it", meant: .get)
  }

  /// Returns the advice for a step that is outside of all scripts.
  private static func help(for step: StepRule) -> Help {
    let line = "`- \(step.verb.name): \(step.verb.example)`"
    if step.places.contains(.scenario) {
      return Help(text: "it is a step: write it in `steps`, as \(line)", meant: .steps)
    }
    let places = step.places.map(\.text).joined(separator: " or of ")
    return Help(
      text: "it is a step of \(places): write it there, as \(line)",
      meant: step.places.contains(.action) ? .reactors : .endpoints)
  }

  private static let helps: [MappingName: [String: Help]] = [
    .scenario: scenario, .request: request, .expectedAnswer: expectedAnswer, .endpoint: endpoint,
    .conversation: conversation, .lineConversation: conversation, .socketConversation: conversation,
    .route: route, .action: action, .node: node, .connection: connection, .retry: retry,
    .authorization: authorization,
  ]

  private static func table(_ rows: [(words: [String], meant: Key, text: String)])
    -> [String: Help]
  {
    var table: [String: Help] = [:]
    for row in rows {
      for word in row.words { table[word] = Help(text: row.text, meant: row.meant) }
    }
    return table
  }

  private static let scenario = table([
    (["feature", "rule", "scenario outline"], .scenario, ForeignNames.gherkinHelp),
    (["background", "given"], .graph, ForeignNames.gherkinHelp),
    (["when", "then", "and", "but"], .steps, ForeignNames.gherkinHelp),
    (
      ["examples"], .cases,
      "write the rows under `cases`, and their columns as names: `cases: [{ id: small, total: 1 }]`"
    ),
    (
      ["scenarios", "tests", "test", "describe", "it", "suite", "testcases"], .scenario,
      "a scenario is a document: begin each with `scenario: TITLE`, and separate them by `---`"
    ),
    (
      ["setup", "beforeeach", "beforeall", "before", "prepare"], .steps,
      "write these steps first in `steps`; `- include: login.steps.yaml` shares them"
    ),
    (
      ["env", "environment"], .vars,
      "write `vars: { token: \"${env.TOKEN}\" }` for a variable of the environment"
    ),
    (
      ["secret", "secrets", "mask", "masks"], .vars,
      "mark the variable: `vars: { key: { value: \"${env.KEY}\", secret: true } }`"
    ),
    (
      ["request", "requests", "get", "post"], .steps,
      "it is a step: write it in `steps`, as `- request: { endpoint: api, get: /tasks }`"
    ),
    (
      ["fixtures", "fixture"], .use,
      "constants stand in `vars`, state in `graph`, and what several scenarios share in a "
        + "component: `use: [shop.component.yaml]`"
    ),
    (
      ["retries", "flaky", "reruns"], .steps,
      "leave it out: a run has one verdict. `- retry: { until: count == 3 }` repeats steps"
    ),
    (
      ["vus", "iterations", "stages", "thresholds", "executor", "load"], .steps,
      "a scenario is no load test: `- repeat: 10` and `- parallel: […]` do something several times"
    ),
    (
      ["expect", "expectations", "assert", "asserts", "check", "checks"], .steps,
      "it is a step: write it in `steps`, as `- expect: { tasks.count: 1 }` or `- check: total > 0`"
    ),
  ])

  private static let authorization = table([
    (
      ["token", "accesstoken", "access_token", "type", "scheme", "jwt"], .bearer,
      "write the token: `auth: { bearer: \"${token}\" }`"
    ),
    (
      ["user", "username", "login", "password", "pass"], .basic,
      "write both inside: `auth: { basic: { user: ann, password: \"${password}\" } }`"
    ),
  ])

  private static let request = table([
    (
      ["url", "uri"], .get,
      "write the method and the path, such as `get: /tasks`; "
        + "the address is the `url` of the endpoint"
    ),
    (
      ["captures", "capture", "extract", "save", "register"], .expect,
      "capture it where it is expected: `expect: { json: { id: { $as: id } } }`"
    ),
    (
      ["status"], .expect, "it is a part of the answer: `expect: { status: 200 }`"
    ),
    (
      ["test", "tests", "check", "checks", "assert", "assertions", "validate", "then"], .expect,
      "write what the answer must be: `expect: { status: 200, json: { id: 7 } }`"
    ),
  ])

  private static let expectedAnswer = table([
    (["jsonpath"], .json, "write the fields as maps: `json: { id: 1 }`"),
    (["tobe", "toequal", "ok"], .status, "write `status: 200`, or `status: 2xx`"),
  ])

  private static let retry = table([
    (
      [
        "attempts", "times", "max", "count", "limit", "retries", "maxattempts", "maxretries",
        "tries",
      ], .timeout,
      "time bounds the tries, not their number: write `timeout: 10s`, and `every: 1s` for the pause"
    )
  ])

  private static let connection = table([
    (
      ["endpoint", "url", "get", "post", "path", "query", "headers", "json", "text", "body"], .sse,
      "write it inside the kind of the client: `sse: { endpoint: feed, path: /prices }`"
    )
  ])

  private static let endpoint = table([
    (
      ["get", "post", "put", "patch", "delete", "respond", "response", "responses"], .http,
      "write it as a route: `http: [{ get: /tasks, respond: { json: [] } }]`"
    ),
    (
      ["port"], .url,
      "leave it out: a free port is taken, and `rehearse serve --port` chooses another"
    ),
  ])

  private static let conversation = table([
    (
      ["path", "get", "url", "uri", "query", "match"], .accept,
      "write it in `accept`: `accept: { path: /prices }`"
    ),
    (
      ["events", "messages", "lines", "respond", "send", "steps"], .script,
      "write in `script` what the mock sends, with `accept` beside it"
    ),
  ])

  private static let route = table([
    (
      ["request"], .get,
      "write the method and the path: `get: /tasks`; "
        + "what else the request must have stands in `match`"
    ),
    (
      [
        "method", "path", "url", "urlpath", "urlpattern", "urlpathpattern", "urlpathtemplate",
        "uri", "route", "pattern",
      ], .get,
      "write the method and the path as one key: `get: /tasks`"
    ),
    (
      ["status", "json", "body", "text", "delay", "after", "file"], .respond,
      "it is a part of the answer: `respond: { status: 200, json: [], after: 1s }`"
    ),
    (["priority"], .match, "leave it out: the first route that fits answers"),
    (
      ["scenarioname", "requiredscenariostate", "newscenariostate", "state"], .when,
      "write `state: { started: false }` at the endpoint, and `when: !started` here"
    ),
  ])

  private static let action: [String: Help] = {
    let words = LanguageTable.steps.map { $0.verb.name.lowercased() }
    return table([(words, .steps, "the steps of an action are a list: `load: [{ wait: 1s }]`")])
  }()

  private static let node = table([
    (
      ["deps", "dependencies", "depends", "dependson", "inputs"], .computed,
      "leave it out: a computed node follows each node that its expression reads"
    )
  ])
}
