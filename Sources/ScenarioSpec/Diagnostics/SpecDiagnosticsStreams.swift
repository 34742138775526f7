import Diagnostics
import YAMLSyntax

/// The diagnostics of streams, their operators and diagrams.
extension Diagnostic {
  static func unknownStreamOperator(_ name: String, help: String?, at range: SourceRange)
    -> Diagnostic
  {
    Diagnostic(
      "unknown-stream-operator", "there is no operator `\(name)`", labels: [.init(range)],
      help: help ?? "`rehearse explain unknown-stream-operator` lists them all")
  }

  static func noStreamOperator(found: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "wrong-type", "an operator is a word, or a map with one verb such as `debounce: 1s`",
      labels: [.init(range, "this is \(found)")])
  }

  static func twoStreamOperators(_ first: KeyPlace, _ second: KeyPlace) -> Diagnostic {
    Diagnostic(
      "two-operators",
      "each operator is an element of `through`, and `\(first.name)` and `\(second.name)` are two",
      labels: [.init(second.range), .init(first.range, "the first operator")],
      help: "begin an element of its own: `- \(second.name): …`")
  }

  static func unreachableCall(at range: SourceRange, behind first: SourceRange) -> Diagnostic {
    Diagnostic(
      "unreachable-call", "no value leads to this call",
      labels: [
        .init(range), .init(first, "has no `when`, so it is for all other values"),
      ],
      help: "give the entry before it a `when`, or move it to the end")
  }

  static func badMarble(
    _ problem: MarbleProblem, in text: ExpressionText?, whole: SourceRange
  ) -> Diagnostic {
    func range(_ place: Range<Int>) -> SourceRange {
      guard let text, !place.isEmpty else { return whole }
      return text.range(offset: place.lowerBound, length: place.count)
    }
    let other = problem.other.map { Label(range($0), problem.kind.otherText) }
    return Diagnostic(
      "bad-marble", problem.kind.message,
      labels: [Label(range(problem.place))] + (other.map { [$0] } ?? []), help: problem.kind.help)
  }

  static func badMarbleSymbol(_ key: String, at range: SourceRange) -> Diagnostic {
    let isDrawing = key.count == 1 && !key.contains { $0.isMarbleSymbol }
    return Diagnostic(
      "bad-marble",
      isDrawing
        ? "`\(key)` is a part of the drawing and stands for no value"
        : "each key of `values` is one character of the diagram",
      labels: [.init(range)],
      help: key == "#" ? "what `#` fails with is written under `error`" : nil)
  }

  static func unknownMarbleSymbol(_ symbol: String, known: [String], at range: SourceRange)
    -> Diagnostic
  {
    let twin = known.first { $0.lowercased() == symbol.lowercased() }
    let all = known.isEmpty ? "" : "; it has " + known.map { "`\($0)`" }.joined(separator: ", ")
    return Diagnostic(
      "unknown-marble-value", "`values` has nothing for `\(symbol)`", labels: [.init(range)],
      help: twin.map { "write `\($0)`" } ?? "add `\(symbol): …` to `values`\(all)")
  }

  static func unusedMarbleValue(
    _ symbol: String, at range: SourceRange, _ diagram: SourceRange
  ) -> Diagnostic {
    Diagnostic(
      "unused-marble-value", severity: .warning, "the diagram never shows `\(symbol)`",
      labels: [.init(range), .init(diagram, "the diagram")])
  }

  static func unusedMarbleError(at range: SourceRange, _ diagram: SourceRange) -> Diagnostic {
    Diagnostic(
      "unused-marble-value", severity: .warning,
      "`error` is what `#` fails with, and the diagram never shows `#`",
      labels: [.init(range), .init(diagram, "the diagram")])
  }

  static func misplacedMarble(
    _ key: String, _ source: String, in place: String, at range: SourceRange
  ) -> Diagnostic {
    Diagnostic(
      "misplaced-marble", "a diagram stands in the map form of `expect`, not in \(place)",
      labels: [.init(range)],
      help: "write `- expect: { \(source): { \(key): … } }`, "
        + "or `$match: { \(key): … }` for a field of this name")
  }

  static func diagramAsText(_ source: String, _ node: YAMLNode) -> Diagnostic {
    Diagnostic(
      "diagram-as-text", severity: .warning, "this text is expected as one value",
      labels: [.init(node.range, "it reads like a diagram")],
      help: "write `\(source): { marble: \"\(node.text ?? "")\" }` for the events over time")
  }

  static func streamWord(_ word: String, _ name: String, at range: SourceRange) -> Diagnostic {
    let isSubject = nearestName(to: word, among: [Key.subject.rawValue]) != nil
    return Diagnostic(
      "unknown-word", "`\(name)` takes `subject`, or a map that says where its events come from",
      labels: [.init(range)],
      help: isSubject || word.hasSuffix("Subject")
        ? "write `subject`"
        : ForeignOperators.origin(word).map { "write `\($0)`" }
          ?? "to follow a source write `{ from: \(word) }`")
  }

  static func missingParameter(of rule: StreamOperatorRule, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "wrong-type", "`\(rule.verb.name)` takes \(rule.verb.shape.phrase)",
      labels: [.init(range, "this is nothing")],
      help: "write `\(rule.verb.name): \(rule.verb.example)`")
  }

  static func unwantedParameter(of verb: Key, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "wrong-type", "`\(verb.rawValue)` takes no parameter", labels: [.init(range)],
      help: "write `- \(verb.rawValue)`")
  }

  /// Makes the diagnostic of a share that is not from 0 to 1. It may be a percentage.
  static func badFraction(_ subject: String, _ text: String, at range: SourceRange) -> Diagnostic {
    var diagnostic = outOfRange(subject, takes: Shape.fraction.phrase, at: range)
    let number = text.hasSuffix("%") ? String(text.dropLast()) : text
    if let percentage = Double(number), (0...100).contains(percentage) {
      diagnostic.help = "write `\(percentage / 100)` for \(number) in a hundred"
    }
    return diagnostic
  }
}

extension MarbleProblem.Kind {
  fileprivate var message: String {
    switch self {
    case .empty: "a diagram has at least one tick"
    case .tooLong: "a diagram is no longer than the clock can count"
    case .unclosedGroup: "a group that begins with `(` ends with `)`"
    case .groupInGroup: "a group does not stand in another"
    case .noGroupToClose: "`)` ends a group, and none has begun"
    case .emptyGroup: "a group shows at least one thing"
    case .tickInGroup, .timeInGroup: "what stands in a group happens at once"
    case .afterEnd: "nothing comes after `|` or `#`"
    case .afterUnsubscription: "nothing comes after `!`"
    case .secondZero: "a diagram has one `^`"
    case .zeroInCold: "`^` is time zero in diagrams with `hot: true`, and in `expect`"
    case .zeroInGroup: "`^` takes a tick of its own"
    case .unsubscribesOutside: "`!` stands in `subscriptions` alone"
    case .unsubscribesFirst: "`!` comes after `^`"
    case .noSubscription: "a diagram of a subscription has `^`, `!` and ticks"
    case .noSymbol(let character): "a diagram shows no \(character.invisibleName)"
    }
  }

  fileprivate var help: String? {
    switch self {
    case .empty: "write `-` for a tick in which nothing happens"
    case .unclosedGroup: "write `)` behind its last value"
    case .emptyGroup: "write `-` for a tick in which nothing happens"
    case .tickInGroup: "close the group before it: a group takes one tick"
    case .timeInGroup: "close the group before the time"
    case .afterEnd: "take away what follows"
    case .zeroInCold: "leave it out: such a diagram begins when it is subscribed to"
    case .unsubscribesOutside, .noSubscription: nil
    case .tooLong, .groupInGroup, .noGroupToClose, .afterUnsubscription, .secondZero,
      .zeroInGroup, .unsubscribesFirst, .noSymbol:
      nil
    }
  }

  fileprivate var otherText: String {
    switch self {
    case .groupInGroup, .tickInGroup: "the group begins here"
    case .afterEnd, .afterUnsubscription: "the end"
    case .secondZero: "the first"
    case .empty, .tooLong, .unclosedGroup, .noGroupToClose, .emptyGroup, .timeInGroup,
      .zeroInCold, .zeroInGroup, .unsubscribesOutside, .unsubscribesFirst, .noSubscription,
      .noSymbol:
      ""
    }
  }
}

extension Character {
  fileprivate var invisibleName: String {
    let codes = unicodeScalars.map { "U+" + String($0.value, radix: 16, uppercase: true) }
    return "invisible character (\(codes.joined(separator: " ")))"
  }
}
