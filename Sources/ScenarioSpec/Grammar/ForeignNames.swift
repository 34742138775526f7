import TextSearch
import YAMLSyntax

/// Returns the help for a file that is no YAML: a trace, or the language of another tool.
package func helpForForeignText(_ bytes: [UInt8]) -> String? {
  let lines = String(decoding: bytes.prefix(foreignTextRead), as: UTF8.self)
    .split(whereSeparator: \.isNewline).lazy.map { $0.drop(while: \.isWhitespace) }
  let first = lines.first { !$0.isEmpty && !$0.hasPrefix("#") && !$0.hasPrefix("@") }
  if first?.hasPrefix("{\"\(ForeignNames.traceKey)\":") == true { return ForeignNames.traceHelp }
  return first?.hasPrefix("Feature:") == true ? ForeignNames.gherkinHelp : nil
}

/// The number of bytes in which the first line of such a file is looked for.
private let foreignTextRead = 10_000

/// The names of keys and verbs in other tools, with their names here.
enum ForeignNames {
  /// Returns the key that an entry of another tool means.
  static func key(for entry: YAMLEntry, in rule: MappingRule) -> String? {
    let meant = key(for: entry.key, in: rule)
    // One key holds any body there.
    let isText = meant == Key.json.rawValue && entry.value.scalar?.isText == true
    return isText && rule.rule(for: .text) != nil ? Key.text.rawValue : meant
  }

  /// Returns the key that a name of another tool means.
  static func key(for name: String, in rule: MappingRule) -> String? {
    if rule.isStep { return stepKeys[rule.title]?[name] }
    if rule.name == .invariant { return invariantKeys[name] }
    if rule.name == .leadsTo { return leadsToKeys[name] }
    if rule.name == .precededBy { return precededByKeys[name] }
    if rule.name == .between { return betweenKeys[name] }
    if rule.name == .unchanged { return unchangedKeys[name] }
    if rule.name == .eventCount { return eventCountKeys[name] }
    if [.request, .provider, .connectionRequest, .socketRequest].contains(rule.name),
      let key = requestKeys[name].flatMap(Key.init), rule.rule(for: key) != nil
    {
      return key.rawValue
    }
    if rule.name == .expectedAnswer { return expectedKeys[name] }
    return otherKeys[rule.name]?[name]
  }

  static func verb(for name: String) -> String? { verbs[name] }

  /// Returns what to write for a fault of WireMock.
  static func fault(for name: String) -> String? { faults[name] }

  private static let faults = [
    "EMPTY_RESPONSE": "write `respond: drop`", "CONNECTION_RESET_BY_PEER": "write `respond: reset`",
    "MALFORMED_RESPONSE_CHUNK": "write `malformedChunk`",
    "RANDOM_DATA_THEN_CLOSE": "write `garbage`",
  ]

  /// The key of the first line of a trace.
  static let traceKey = "trace"

  static let traceHelp =
    "this is a trace: `rehearse replay FILE` replays it, and `rehearse run SCENARIO --against "
    + "trace:FILE` gives its answers to a scenario"

  /// The help for text in Gherkin, the language of Cucumber.
  static let gherkinHelp =
    "scenarios are not written in Gherkin: `steps` say what happens (`- send: …`) and what must be "
    + "seen (`- expect: …`)"

  /// The keys beside a verb, by the title of its rule.
  private static let stepKeys: [String: [String: String]] = {
    let waits = ["timeout": "within", "for": "within", "during": "within"]
    let bodies = ["do": "steps", "body": "steps", "then": "steps"]
    let bounds = ["most": "atMost", "max": "atMost", "limit": "atMost", "times": "atMost"]
    let loops = bodies.merging(bounds) { $1 }
    return [
      "`never`": ["within": "for", "during": "for", "timeout": "for"], "`expect`": waits,
      "`eventually`": waits, "`repeat`": bodies, "`forEach`": bodies, "`while`": loops,
      "`retry`": bodies, "`if`": ["do": "then", "steps": "then", "otherwise": "else"],
    ]
  }()

  private static let otherKeys: [MappingName: [String: String]] = [
    .scenario: [
      "name": "scenario", "title": "scenario", "afterEach": "finally", "afterAll": "finally",
      "after": "finally", "teardown": "finally", "cleanup": "finally", "variables": "vars",
      "define": "vars", "script": "steps", "mocks": "endpoints", "stubs": "endpoints",
      "mappings": "endpoints", "routes": "endpoints", "servers": "endpoints",
      "server": "endpoints", "handlers": "endpoints", "matrix": "cases", "rows": "cases",
      "state": "graph", "states": "graph", "store": "graph", "nodes": "graph", "signals": "graph",
      "atoms": "graph", "clients": "connections", "sockets": "connections",
      "properties": "invariants", "rules": "invariants", "observables": "streams",
      "publishers": "streams", "components": "use", "imports": "use", "db": "databases",
      "parametrize": "cases", "dataset": "cases", "skipif": "skip", "skipIf": "skip",
    ],
    .endpoint: [
      "routes": "http", "stubs": "http", "mappings": "http", "handlers": "http", "mocks": "http",
      "baseUrl": "url", "baseURL": "url", "base": "url", "address": "url", "host": "url",
      "ws": "websocket",
    ],
    .route: [
      "response": "respond", "return": "respond", "returns": "respond", "reply": "respond",
      "answer": "respond", "responses": "respond", "if": "when", "fulfill": "respond",
      "willReturn": "respond", "thenReturn": "respond", "andReturn": "respond",
    ],
    .answer: [
      "jsonBody": "json", "body": "json", "delay": "after", "fixedDelayMilliseconds": "after",
      "delayMs": "after", "wait": "after", "bodyFileName": "file", "base64Body": "bytes",
      "code": "status", "statusCode": "status",
    ],
    .requestMatch: [
      "queryParameters": "query", "params": "query", "bodyPatterns": "json", "body": "json",
      "header": "headers", "formParameters": "form",
    ],
    .retryPolicy: policyKeys, .requestRetry: policyKeys, .streamRetry: policyKeys,
    .retry: [
      "delay": "every", "interval": "every", "pause": "every", "wait": "every",
      "backoff": "every", "within": "timeout", "for": "timeout", "condition": "until",
      "while": "until", "error": "failIf", "abortIf": "failIf",
    ],
    .stream: [
      "pipe": "through", "operators": "through", "merge": "from", "source": "from",
      "sources": "from", "of": "items", "just": "items", "timer": "interval", "frame": "tick",
      "frameSize": "tick", "behaviorSubject": "subject", "BehaviorSubject": "subject",
    ],
  ]

  private static let policyKeys = [
    "delay": "initialDelay", "interval": "initialDelay", "pause": "initialDelay",
    "wait": "initialDelay", "every": "initialDelay", "initialInterval": "initialDelay",
    "minDelay": "initialDelay", "initial": "initialDelay", "minTimeout": "initialDelay",
    "attempts": "maxAttempts", "times": "maxAttempts", "max": "maxAttempts",
    "count": "maxAttempts", "limit": "maxAttempts", "retries": "maxAttempts",
    "maxRetries": "maxAttempts", "maxTries": "maxAttempts", "tries": "maxAttempts",
    "backoff": "multiplier", "factor": "multiplier", "exponent": "multiplier",
    "maxInterval": "maxDelay", "maxBackoff": "maxDelay", "cap": "maxDelay",
    "maxTimeout": "maxDelay", "randomize": "jitter",
  ]

  private static let requestKeys = [
    "body": "json", "data": "form", "params": "query", "url": "path", "uri": "path",
    "asserts": "expect", "response": "expect", "verb": "method", "authorization": "auth",
    "basicAuth": "auth", "followRedirects": "redirects", "location": "redirects",
  ]

  private static let expectedKeys = [
    "body": "json", "code": "status", "statusCode": "status", "HTTP": "status", "header": "headers",
    "cookie": "cookies", "url": "path",
    "duration": "within", "time": "within", "size": "bytes",
  ]

  private static let leadsToKeys = [
    "if": "when", "from": "when", "after": "when", "to": "then", "leadsTo": "then",
  ]

  /// The names of property patterns and of temporal logics.
  private static let invariantKeys = [
    "universality": "always", "globally": "always", "absence": "never", "response": "leadsTo",
    "eventually": "leadsTo", "precedence": "precededBy", "precedes": "precededBy",
    "before": "precededBy", "once": "precededBy", "until": "between", "after": "between",
    "since": "between", "while": "unchanged", "constant": "unchanged", "rate": "count",
    "atMost": "count", "atLeast": "count", "per": "count",
  ]

  private static let precededByKeys = [
    "if": "when", "then": "when", "before": "once", "by": "once", "first": "once", "after": "once",
  ]

  private static let betweenKeys = [
    "from": "when", "after": "when", "since": "when", "to": "until", "and": "until",
    "before": "until", "then": "until", "holds": "always", "check": "always",
  ]

  private static let unchangedKeys = [
    "value": "of", "expression": "of", "during": "while", "if": "while", "in": "when",
  ]

  private static let eventCountKeys = [
    "of": "when", "events": "when", "within": "per", "for": "per", "every": "per",
    "max": "atMost", "min": "atLeast", "limit": "atMost",
  ]

  private static let verbs = [
    "next": "send", "push": "send", "dispatch": "send", "publish": "send", "trigger": "send",
    "complete": "terminate", "finish": "terminate", "assert": "check", "verify": "check",
    "sleep": "wait", "delay": "wait", "advance": "wait", "pause": "wait", "hibernate": "suspend",
    "update": "set",
    "assign": "set", "await": "eventually", "def": "let", "const": "let", "var": "let",
    "for": "forEach", "loop": "repeat", "print": "log", "echo": "log", "debug": "log",
    "puts": "log", "console": "log", "raises": "fails", "throws": "fails", "rejects": "fails",
    "toThrow": "fails", "expectError": "fails", "shouldFail": "fails",
  ]
}
