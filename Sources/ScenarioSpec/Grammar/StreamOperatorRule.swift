import TextSearch

/// One operator of streams: its verb, and the keys beside it.
package final class StreamOperatorRule: Sendable {
  package enum Kind: Sendable, Equatable, CaseIterable {
    case values, counting, time, failures, several, calls, sharing
  }

  package let kind: Kind
  /// The mapping of the verb and its companions.
  package let mapping: MappingRule
  package let verb: KeyRule
  /// True if the verb alone is enough: `removeDuplicates`.
  package let isWord: Bool
  /// The forms of the operator, each as one element of `through`.
  package let forms: [String]

  package init(
    _ kind: Kind, _ verb: KeyRule, with companions: [KeyRule] = [],
    atMostOneOf exclusive: [[Key]] = [], isWord: Bool = false, forms: [String]
  ) {
    self.kind = kind
    self.verb = verb
    self.isWord = isWord
    self.forms = forms
    mapping = MappingRule(
      .streamOperator, title: "`\(verb.name)`", verb.text, atMostOneOf: exclusive,
      keys: [verb] + companions)
  }

  /// Makes an operator without parameters.
  static func word(_ kind: Kind, _ verb: Key, _ text: String) -> StreamOperatorRule {
    StreamOperatorRule(
      kind, KeyRule(verb, .flag, text, example: "true", required: true), isWord: true,
      forms: [verb.rawValue])
  }

  /// Makes an operator with one parameter.
  static func of(
    _ kind: Kind, _ verb: Key, _ shape: Shape, _ text: String, example: String
  ) -> StreamOperatorRule {
    StreamOperatorRule(
      kind, KeyRule(verb, shape, text, example: example, required: true),
      forms: ["\(verb.rawValue): \(example)"])
  }

  /// All forms of the operator, in words.
  package var signature: String { forms.map { "`\($0)`" }.joined(separator: " or ") }
}

extension LanguageTable {
  package static let streamOperators =
    valueOperators + countingOperators + timeOperators + failureOperators + severalOperators
    + callOperators + sharingOperators

  package static func streamOperator(named name: String) -> StreamOperatorRule? {
    streamOperators.first { $0.verb.name == name }
  }
}
