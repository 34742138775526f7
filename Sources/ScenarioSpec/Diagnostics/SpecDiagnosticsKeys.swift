import Diagnostics

/// Complaints about keys and the kinds of values behind them.
extension Diagnostic {
  static func unknownKey(
    _ key: String, in rule: MappingRule, nearest: String?, at range: SourceRange
  ) -> Diagnostic {
    let known = rule.keys.filter { !$0.isPlanned }.map { "`\($0.name)`" }
    let isStep = rule.name == .step
    return Diagnostic(
      "unknown-key",
      isStep
        ? "a step with \(rule.title) takes no key `\(key)`"
        : "`\(key)` is no key of \(rule.name.shortPhrase)",
      labels: [.init(range)],
      help: nearest.map { "write `\($0)`" }
        ?? (known.count == 1
          ? "its only key is \(known[0])" : "its keys are " + known.joined(separator: ", ")))
  }

  /// A key beside a verb that is itself nearly a verb.
  static func unknownKeyNearVerb(
    _ key: String, verb: String, in rule: MappingRule, at range: SourceRange
  ) -> Diagnostic {
    var diagnostic = unknownKey(key, in: rule, nearest: nil, at: range)
    diagnostic.help = "begin a step of its own: `- \(verb): …`"
    return diagnostic
  }

  static func missingKey(_ keys: [Key], in rule: MappingRule, at range: SourceRange) -> Diagnostic {
    let names = keys.map { "`\($0.rawValue)`" }
    let what = rule.name == .step ? "a step with \(rule.title)" : rule.name.shortPhrase
    return Diagnostic(
      "missing-key",
      keys.count == 1
        ? "\(what) needs the key \(names[0])"
        : "\(what) needs one of the keys " + names.joined(separator: ", "),
      labels: [.init(range)],
      help: keys.first.flatMap(rule.rule).map { "add `\($0.name): \($0.example)`" })
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

  /// A value of another kind than its key takes.
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
    Diagnostic(
      "unknown-word", "\(subject) takes \(expected)", labels: [.init(range)],
      help: nearestName(to: word, among: known).map { "write `\($0)`" })
  }

  static func outOfRange(
    _ subject: String, takes expected: String, at range: SourceRange
  ) -> Diagnostic {
    Diagnostic("out-of-range", "\(subject) takes \(expected)", labels: [.init(range)])
  }

  static func notAvailableYet(_ what: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "not-available-yet", "\(what) belongs to the language, but is not available yet",
      labels: [.init(range)])
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

  static func nodeIsMap(_ name: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "node-is-map", "a map in `graph` says what kind of node it is: `stored` or `computed`",
      labels: [.init(range)],
      help: "where the value itself is a map, write `\(name): { stored: { … } }`")
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

/// A key as written, and where.
struct KeyPlace {
  var name: String
  var range: SourceRange
}

extension MappingName {
  /// The mapping as a complaint names it.
  var shortPhrase: String {
    switch self {
    case .scenario: "a scenario"
    case .component: "a component"
    case .parameter: "a parameter"
    case .use: "a use"
    case .variable: "a variable"
    case .node: "a node"
    case .reactor: "a reactor"
    case .action: "an action"
    case .endpoint: "an endpoint"
    case .route: "a route"
    case .answer: "an answer"
    case .provider: "a provider"
    case .loadCall: "a load with parameters"
    case .entry: "an entry of `expect`"
    case .operators: "a matcher"
    case .step: "a step"
    }
  }
}
