/// Returns the help for a file in the language of another tool that is no YAML.
package func helpForForeignText(_ bytes: [UInt8]) -> String? {
  let lines = String(decoding: bytes.prefix(foreignTextRead), as: UTF8.self)
    .split(whereSeparator: \.isNewline).lazy.map { $0.drop(while: \.isWhitespace) }
  let first = lines.first { !$0.isEmpty && !$0.hasPrefix("#") && !$0.hasPrefix("@") }
  return first?.hasPrefix("Feature:") == true ? ForeignNames.gherkinHelp : nil
}

/// The number of bytes in which the first line of such a file is looked for.
private let foreignTextRead = 10_000

/// The names of keys and verbs in other tools, with their names here.
enum ForeignNames {
  /// Returns the key that a name of another tool means.
  static func key(for name: String, in rule: MappingRule) -> String? {
    if rule.isStep { return rule.title == "`never`" ? neverKeys[name] : nil }
    if rule.name == .invariant { return invariantKeys[name] }
    if rule.name == .leadsTo { return leadsToKeys[name] }
    if rule.name == .precededBy { return precededByKeys[name] }
    if rule.name == .between { return betweenKeys[name] }
    if rule.name == .unchanged { return unchangedKeys[name] }
    if rule.name == .eventCount { return eventCountKeys[name] }
    if rule.name == .request { return requestKeys[name] }
    if rule.name == .expectedAnswer { return answerKeys[name] }
    return rule.name == .stream ? streamKeys[name] : nil
  }

  static func verb(for name: String) -> String? { verbs[name] }

  /// Returns the help line for a step of another tool that no single verb stands for.
  static func stepHelp(for name: String) -> String? { stepHelps[name.lowercased()] }

  private static let stepHelps: [String: String] = {
    var helps: [String: String] = [:]
    for method in ["get", "post", "put", "patch", "delete", "head"] {
      helps[method] = "write `- request: { endpoint: api, \(method): /tasks }`"
    }
    for client in ["http", "fetch", "call", "curl", "url"] {
      helps[client] = "write `- request: { endpoint: api, get: /tasks }`"
    }
    for loop in ["until", "poll"] {
      helps[loop] = "write `- retry: { until: count == 3 }`, with `steps` beside it"
    }
    for word in ["given", "when", "then", "and", "but"] { helps[word] = gherkinHelp }
    return helps
  }()

  /// Returns what to write instead of a key that no single key stands for, and the key that has
  /// its place.
  static func keyHelp(for name: String, in rule: MappingRule) -> (text: String, meant: Key)? {
    if rule.name == .scenario, let key = gherkinKeys[name.lowercased()] {
      return (gherkinHelp, key)
    }
    guard rule.name == .request, ["url", "uri"].contains(name.lowercased()) else { return nil }
    let text =
      "write the method and the path, such as `get: /tasks`; "
      + "the address is the `url` of the endpoint"
    return (text, .get)
  }

  /// The help for text in Gherkin, the language of Cucumber.
  static let gherkinHelp =
    "scenarios are not written in Gherkin: `steps` say what happens (`- send: …`) and what must be "
    + "seen (`- expect: …`)"

  /// The keywords of Gherkin beside `Scenario`, in lower case, with the key that has their place.
  private static let gherkinKeys: [String: Key] = [
    "feature": .scenario, "rule": .scenario, "scenario outline": .scenario, "background": .graph,
    "given": .graph, "when": .steps, "then": .steps, "and": .steps, "but": .steps,
    "examples": .cases,
  ]

  private static let neverKeys = ["within": "for", "during": "for"]

  private static let streamKeys = [
    "pipe": "through", "operators": "through", "merge": "from", "source": "from",
    "sources": "from", "of": "items", "just": "items", "timer": "interval",
  ]

  private static let requestKeys = [
    "body": "json", "data": "form", "params": "query", "url": "path", "uri": "path",
    "asserts": "expect", "response": "expect", "verb": "method", "authorization": "auth",
    "basicAuth": "auth", "followRedirects": "redirects", "location": "redirects",
  ]

  private static let answerKeys = [
    "body": "json", "code": "status", "header": "headers", "cookie": "cookies", "url": "path",
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
    "sleep": "wait", "delay": "wait", "advance": "wait", "pause": "wait", "update": "set",
    "assign": "set", "await": "eventually", "waitFor": "eventually", "waitUntil": "eventually",
    "for": "forEach", "loop": "repeat", "print": "log", "echo": "log", "debug": "log",
    "puts": "log", "console": "log",
  ]
}
