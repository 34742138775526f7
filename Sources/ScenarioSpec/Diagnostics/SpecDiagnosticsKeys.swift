import Diagnostics

/// The diagnostics of keys and of the kinds of their values.
extension Diagnostic {
  static func unknownKey(
    _ key: String, in rule: MappingRule, nearest: String?, at range: SourceRange
  ) -> Diagnostic {
    let known = rule.keys.map { "`\($0.name)`" }
    return Diagnostic(
      "unknown-key",
      rule.owner.map { "\($0) takes no key `\(key)`" }
        ?? "`\(key)` is no key of \(rule.name.shortPhrase)",
      labels: [.init(range)],
      help: nearest.map { "write `\($0)`" }
        ?? (known.count == 1
          ? "its only key is \(known[0])" : "its keys are " + known.joined(separator: ", "))
    ).fixed(by: nearest)
  }

  /// Makes the diagnostic of a key beside a verb that is itself nearly a verb.
  static func unknownKeyNearVerb(
    _ key: String, verb: String, in rule: MappingRule, at range: SourceRange
  ) -> Diagnostic {
    var diagnostic = unknownKey(key, in: rule, nearest: nil, at: range)
    diagnostic.help = "begin a step of its own: `- \(verb): …`"
    return diagnostic
  }

  static func missingKey(_ keys: [Key], in rule: MappingRule, at range: SourceRange) -> Diagnostic {
    let names = keys.map { "`\($0.rawValue)`" }
    let what = rule.owner ?? rule.name.shortPhrase
    return Diagnostic(
      "missing-key",
      keys.count == 1
        ? "\(what) needs the key \(names[0])"
        : "\(what) needs one of the keys " + names.joined(separator: ", "),
      labels: [.init(range)],
      help: keys.first.flatMap(rule.rule).map { "add `\($0.name): \($0.example)`" })
  }

  /// Makes the diagnostic of a key that needs another key beside it.
  static func missingCompanion(
    of key: KeyPlace, _ keys: [Key], rival: Key?, in rule: MappingRule
  ) -> Diagnostic {
    let names = keys.map { "`\($0.rawValue)`" }.joined(separator: " or ")
    return Diagnostic(
      "missing-key", "`\(key.name)` goes with \(names)", labels: [.init(key.range)],
      help: rival.map { "take it away, since \(rule.name.shortPhrase) has `\($0.rawValue)`" }
        ?? keys.first.flatMap(rule.rule).map { "add `\($0.name): \($0.example)`" })
  }

  static func conflictingKeys(
    _ first: KeyPlace, _ second: KeyPlace, in rule: MappingRule
  ) -> Diagnostic {
    Diagnostic(
      "conflicting-keys",
      "`\(first.name)` and `\(second.name)` exclude each other in \(rule.name.shortPhrase)",
      labels: [.init(second.range), .init(first.range, "the other key")],
      help: "keep one of them")
  }

  /// Makes the diagnostic of a value of another kind than its key takes.
  static func wrongType(
    _ subject: String, takes expected: String, found: String, at range: SourceRange,
    help: String? = nil
  ) -> Diagnostic {
    Diagnostic(
      "wrong-type", "\(subject) takes \(expected)", labels: [.init(range, "this is \(found)")],
      help: help)
  }

  static func unknownWord(
    _ word: String, for subject: String, takes expected: String, known: [String],
    at range: SourceRange
  ) -> Diagnostic {
    let isBeginning = word.utf8.count > 1
    let nearest =
      nearestName(to: word, among: known)
      ?? known.first { isBeginning && $0.hasPrefix(word) }
    return Diagnostic(
      "unknown-word", "\(subject) takes \(expected)", labels: [.init(range)],
      help: nearest.map { "write `\($0)`" }
        ?? (subject == "`only`" && word == "true"
          ? "`rehearse run FILE:LINE` runs one scenario alone" : nil)
    ).fixed(by: nearest)
  }

  static func outOfRange(
    _ subject: String, takes expected: String, at range: SourceRange
  ) -> Diagnostic {
    Diagnostic("out-of-range", "\(subject) takes \(expected)", labels: [.init(range)])
  }

  static func emptyMap(_ subject: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "empty-map", "\(subject) names at least one entry", labels: [.init(range, "this is empty")])
  }

  static func emptyList(_ subject: String, of element: String, at range: SourceRange) -> Diagnostic
  {
    Diagnostic(
      "empty-list", "\(subject) has at least one \(element)",
      labels: [.init(range, "this is empty")])
  }

  static func severalEntries(_ subject: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "several-entries", "\(subject) takes a map of exactly one entry", labels: [.init(range)])
  }

  /// Makes the diagnostic of a map that is no node. Under the name of a kind, it holds the nodes
  /// of this kind.
  static func nodeIsMap(
    _ name: String, isKind: Bool, first: String?, at range: SourceRange
  ) -> Diagnostic {
    Diagnostic(
      "node-is-map",
      "a map in `graph` says what kind of node it is: `stored`, `computed` or `latest`",
      labels: [.init(range)],
      help: helpForMap(name, isKind: isKind, first: first ?? "count"))
  }

  private static func helpForMap(_ name: String, isKind: Bool, first: String) -> String {
    if isKind {
      return "nodes stand in `graph` by their names: `graph: { \(first): { \(name): … } }`"
    }
    guard first.hasPrefix("$") else {
      return "if the value itself is a map, write `\(name): { stored: { … } }`"
    }
    return "write `\(name): { computed: a + b }` for an expression, or the value itself, "
      + "`\(name): 1`; `\(first)` is no kind of node"
  }

  static func fieldLikeNode(
    _ name: String, isComputed: Bool, at range: SourceRange
  ) -> Diagnostic {
    Diagnostic(
      "field-like-node",
      "the fields of `state` are plain values; computed nodes stand in `graph`",
      labels: [.init(range, "`\(name)` is a map with this entry")],
      help: isComputed
        ? "make it a node of `graph`: `\(name): { computed: … }`"
        : "write the value itself: `\(name): …`")
  }
}

/// A key and its place.
struct KeyPlace {
  var name: String
  var range: SourceRange
}

extension MappingRule {
  /// The owner of the keys, if the mapping is known by its verb.
  var owner: String? {
    if name == .step { return "a step with \(title)" }
    return name == .streamOperator ? "the operator \(title)" : nil
  }
}

extension MappingName {
  /// The mapping in the words of a diagnostic.
  var shortPhrase: String {
    switch self {
    case .crossOrigin: "`cors`"
    case .answerChange: "`change`"
    case .sweep: "`sweep`"
    case .traces: "`traces`"
    case .lineMapping: "`from`"
    case .requestMatch: "`match`"
    case .chunks: "`chunks`"
    case .scenario: "a scenario"
    case .component: "a component"
    case .stepsFile: "a file of steps"
    case .configuration: "a configuration"
    case .environment: "an environment"
    case .reports: "`reports`"
    case .limits: "`limits`"
    case .include: "`include`"
    case .parameter: "a parameter"
    case .use: "a use"
    case .database: "a database"
    case .declaredSource: "a declared source"
    case .program: "a program"
    case .readiness: "`ready`"
    case .programSource: "a source of a program"
    case .programStop: "`stop`"
    case .list: "a list"
    case .statement: "a statement"
    case .variable: "a variable"
    case .table: "a table in a file"
    case .node: "a node"
    case .reactor: "a reactor"
    case .action: "an action"
    case .endpoint: "an endpoint"
    case .route: "a route"
    case .turn: "a turn of a route"
    case .answer: "an answer"
    case .provider: "a provider"
    case .requestRetry: "a retry policy of requests"
    case .connection: "a connection"
    case .connectionRequest: "a request for a stream"
    case .socketRequest: "a request for a WebSocket"
    case .retryPolicy: "a retry policy"
    case .binding: "`bindings`"
    case .follow: "`follows`"
    case .comparer: "`removeDuplicates`"
    case .streamRetry: "`retry`"
    case .ping: "`ping`"
    case .conversation: "an entry of `sse`"
    case .lineConversation: "an entry of `ndjson`"
    case .socketConversation: "an entry of `websocket`"
    case .acceptance, .socketAcceptance: "`accept`"
    case .serverEvent: "`event`"
    case .closing: "`close`"
    case .hexadecimal: "bytes"
    case .served: "what is served"
    case .loadCall: "a load with parameters"
    case .stream: "a stream"
    case .input: "an input of a stream"
    case .call: "a call"
    case .callChoice: "an entry of the list"
    case .streamOperator: "an operator"
    case .invariant: "an invariant"
    case .completion: "`complete`"
    case .leadsTo: "`leadsTo`"
    case .precededBy: "`precededBy`"
    case .between: "`between`"
    case .unchanged: "`unchanged`"
    case .eventCount: "`count`"
    case .request: "`request`"
    case .authorization: "`auth`"
    case .credentials: "`basic`"
    case .part: "a part of `multipart`"
    case .expectedAnswer: "the `expect` of a request"
    case .retry: "`retry`"
    case .snapshot: "`snapshot`"
    case .network: "`network`"
    case .endpointNetwork: "an endpoint in `network`"
    case .faults: "`faults`"
    case .faultDelay: "`delay`"
    case .entry: "an entry of `expect`"
    case .marble: "a diagram"
    case .operators: "a matcher"
    case .step: "a step"
    }
  }
}
