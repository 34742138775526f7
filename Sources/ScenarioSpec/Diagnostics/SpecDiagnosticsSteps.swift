import Diagnostics

/// The diagnostics of steps, expectations and matchers.
extension Diagnostic {
  static func unknownStep(_ verb: String, nearest: String?, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "unknown-step", "there is no step `\(verb)`", labels: [.init(range)],
      help: strangeSpaceHelp(verb) ?? ForeignSteps.help(for: verb)
        ?? nearest.map { "write `\($0)`" }
    ).fixed(by: nearest)
  }

  /// Returns the help for a name with a space that is not the ASCII one.
  private static func strangeSpaceHelp(_ name: String) -> String? {
    let spaces = name.unicodeScalars.filter { !$0.isASCII && $0.properties.isWhitespace }
    return spaces.first.map { scalar in
      let code = String(scalar.value, radix: 16, uppercase: true)
      let kind = spaceNames[scalar.value].map { " " + $0 } ?? ""
      return "it has a U+\(String(repeating: "0", count: max(0, 4 - code.count)))\(code)\(kind); "
        + "write a plain space after `:`"
    }
  }

  /// Makes the diagnostic of an option of entries in the map form of `expect`.
  static func misplacedOption(_ option: KeyPlace, source: String?) -> Diagnostic {
    let entry = "`- expect: [{ \(source ?? "count"): …, \(option.name): … }]`"
    return Diagnostic(
      "misplaced-option",
      "`\(option.name)` is an option of an entry, and only the list form of `expect` has entries",
      labels: [.init(option.range)],
      help: option.name == Key.within.rawValue
        ? "write `within` beside `expect`, or \(entry)" : "write \(entry)")
  }

  /// Makes the diagnostic of a group in the map form of `expect`.
  static func groupInMap(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "misplaced-option",
      "`anyOrder` is a group of entries, and only the list form of `expect` has entries",
      labels: [.init(range)],
      help: "write `- expect: [{ anyOrder: [{ count: 1 }, { total: 2 }] }]`")
  }

  /// Makes the diagnostic of keys that stand beside a verb and belong below it.
  static func notIndented(_ verb: KeyPlace, _ keys: [KeyPlace], takes expected: String)
    -> Diagnostic
  {
    Diagnostic(
      "wrong-type", "`\(verb.name)` takes \(expected)",
      labels: [.init(verb.range, "nothing stands below it")]
        + keys.prefix(1).map { .init($0.range, "not indented further than the verb") },
      help: "indent \(keys.map { "`\($0.name)`" }.joined(separator: ", ")) below `\(verb.name)`")
  }

  static func noStep(found: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "wrong-type", "a step is a map with one verb, such as `set: { count: 1 }`",
      labels: [.init(range, "this is \(found)")])
  }

  /// Makes the diagnostic of a step that a `retry` without `until` cannot repeat.
  static func notTriedAgain(_ verb: Located<String>) -> Diagnostic {
    Diagnostic(
      "not-tried-again",
      "without `until`, `retry` repeats acting steps, `request` and `check`, and no other steps",
      labels: [.init(verb.range, "`\(verb.value)` cannot be repeated")],
      help: "add `until: …` to `retry`, or move the step behind it")
  }

  static func nameOfNoFile(_ name: Located<String>) -> Diagnostic {
    Diagnostic(
      "name-of-no-file",
      "a snapshot has a name with letters or digits, which its file is called by",
      labels: [.init(name.range)])
  }

  /// Makes the diagnostic of a step with keys, but without a verb.
  static func noVerb(
    _ keys: [String], belongsTo verbs: [String], meant: String?, at range: SourceRange
  ) -> Diagnostic {
    let owners = verbs.map { "`\($0)`" }.joined(separator: ", ")
    let belongs = verbs.isEmpty ? nil : "`\(keys[0])` goes with \(owners)"
    return Diagnostic(
      "no-verb", "a step has one verb, a key that says what it does",
      labels: [.init(range, keys.isEmpty ? "this is empty" : "`\(keys[0])` stands beside a verb")],
      help: meant.map { "write `\($0)`" } ?? belongs)
  }

  /// - Parameter isInside: True if the second verb is a key of the first one as well.
  static func twoVerbs(
    _ first: KeyPlace, _ second: KeyPlace, inside isInside: Bool
  ) -> Diagnostic {
    let own = "begin a step of its own: `- \(second.name): …`"
    let inside =
      "write it inside if it belongs to `\(first.name)`: "
      + "`\(first.name): { …, \(second.name): … }`; or \(own)"
    return Diagnostic(
      "two-verbs", "a step has one verb, and `\(first.name)` and `\(second.name)` are two",
      labels: [.init(second.range), .init(first.range, "the first verb")],
      help: isInside ? inside : own)
  }

  static func missingValue(
    _ verb: String, takes shape: Shape, _ example: String, at range: SourceRange
  )
    -> Diagnostic
  {
    Diagnostic(
      "wrong-type", "`\(verb)` takes \(shape.phrase)", labels: [.init(range, "this is nothing")],
      help: "write `\(verb): \(example)`")
  }

  static func misplacedStep(_ rule: StepRule, in place: Place, at range: SourceRange) -> Diagnostic
  {
    let places = rule.places.map(\.text)
    let first = places.dropLast().joined(separator: ", ")
    let belongs = (places.count > 1 ? [first] : []) + places.suffix(1)
    return Diagnostic(
      "misplaced-step", "\(rule.mapping.title) does not belong in \(place.text)",
      labels: [.init(range)],
      help: sendingVerb(in: place, insteadOf: rule).map { "write `\($0.name): \($0.example)`" }
        ?? "it belongs in \(belongs.joined(separator: " or "))")
  }

  /// Returns what sends something in a script, if a step is the one that sends in another.
  private static func sendingVerb(in place: Place, insteadOf rule: StepRule) -> KeyRule? {
    let sending: [Key] = [.event, .line, .send]
    guard sending.contains(rule.verb.key) else { return nil }
    return LanguageTable.steps.first { step in
      sending.contains(step.verb.key) && step.places == [place]
    }?.verb
  }

  static func timeInTransaction(_ rule: StepRule, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "misplaced-step",
      "a transaction is one change in one instant, and \(rule.mapping.title) may take time",
      labels: [.init(range)], help: "it belongs before or after the transaction")
  }

  static func misplacedAwait(in place: Place, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "misplaced-step", "`await` does not belong in \(place.text)", labels: [.init(range)],
      help: "it belongs in the action of a reactor; here, `expect` what the action changes")
  }

  static func awaitInTransaction(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "misplaced-step", "a transaction is one change in one instant, and `await` may take time",
      labels: [.init(range)], help: "it belongs before or after the transaction")
  }

  static func assertionInFails(_ rule: StepRule, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "misplaced-step",
      "`fails` takes a step that does something, and \(rule.mapping.title) asserts",
      labels: [.init(range)],
      help: rule.verb.key == .check ? "write `- check: \"!(count == 3)\"`" : nil)
  }

  static func expectationInFails(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "misplaced-step", "a request under `fails` gets no answer, and here one is expected",
      labels: [.init(range)],
      help: "leave out `expect`; `error` beside `fails` says what the failure is like")
  }

  static func emptySequence(_ source: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "empty-sequence", "a sequence of events has at least one",
      labels: [.init(range, "nothing is awaited here")],
      help: "write `never: [\(source)]` for silence, or `[[]]` for an empty list as value")
  }

  static func emptyExpect(_ verb: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "empty-sequence", "`\(verb)` names at least one source",
      labels: [.init(range, "nothing is named here")])
  }

  static func entryWithoutSource(_ keys: [String], at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "entry-without-source", "an entry of `expect` has one source key",
      labels: [
        .init(
          range,
          keys.isEmpty
            ? "this is empty"
            : keys.map { "`\($0)`" }.joined(separator: ", ")
              + (keys.count == 1 ? " is an option" : " are options"))
      ])
  }

  static func entryWithTwoSources(
    _ first: KeyPlace, _ second: KeyPlace, option: String?
  ) -> Diagnostic {
    Diagnostic(
      "entry-with-two-sources",
      "an entry of `expect` has one source key, and `\(first.name)` and `\(second.name)` are two",
      labels: [.init(second.range), .init(first.range, "the first source")],
      help: option.map { "write `\($0)`, or begin an entry of its own: `- \(second.name): …`" }
        ?? "begin an entry of its own: `- \(second.name): …`")
  }

  static func afterBeyondWithin(_ after: SourceRange, within: SourceRange) -> Diagnostic {
    Diagnostic(
      "after-beyond-within", "the `after` of an event is not longer than its `within`",
      labels: [.init(after), .init(within, "the longest time")],
      help: "`after` is exact, so that `within` can be left out")
  }

  static func mixedOperators(_ operator: KeyPlace, _ plain: KeyPlace) -> Diagnostic {
    Diagnostic(
      "mixed-operators", "the keys of a matcher all begin with `$`, or none does",
      labels: [.init(plain.range), .init(`operator`.range, "an operator")],
      help: `operator`.name == Key.matchOperator.rawValue
        ? "write `\(plain.name)` inside `$match`"
        : "write `$match: { \(plain.name): … }` beside `\(`operator`.name)`")
  }

  /// Makes the diagnostic of a marker of Karate, such as `#number`.
  static func markerAsText(_ marker: String, meant: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "operator-as-text", severity: .warning, "`\(marker)` is matched as text here",
      labels: [.init(range)], help: "write `\(meant)` for the operator, or `{ $exactly: … }`")
  }

  static func operatorAsText(_ name: String, takesFlag: Bool, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "operator-as-text", severity: .warning, "`\(name)` is matched as text here",
      labels: [.init(range)],
      help: "write `{ \(name): \(takesFlag ? "true" : "…") }` for the operator, "
        + "or put the text in quotes")
  }

  /// Makes the diagnostic of a matcher of another tool, or of one without its `$`.
  static func matcherAsField(_ name: String, meant: String, value: String, at range: SourceRange)
    -> Diagnostic
  {
    Diagnostic(
      "matcher-as-field", severity: .warning, "`\(name)` is matched as a field here",
      labels: [.init(range, "a matcher begins with `$`")],
      help: "write `\(meant)` for the matcher, or `{ $exactly: { \(name): \(value) } }`")
  }

  static func unknownOperator(_ name: String, nearest: String?, at range: SourceRange)
    -> Diagnostic
  {
    Diagnostic(
      "unknown-operator", "there is no operator `\(name)`", labels: [.init(range)],
      help: ForeignMatchers.help(for: name) ?? nearest.map { "write `\($0)`" }
        ?? "for a field of this name write it inside `$exactly`"
    ).fixed(by: ForeignMatchers.help(for: name) == nil ? nearest : nil)
  }
}
