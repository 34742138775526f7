/// One operator of streams: its verb, and the keys that may stand beside it.
package final class StreamOperatorRule: Sendable {
  package enum Kind: Sendable, Equatable, CaseIterable {
    case values, counting, time, failures, several, calls, sharing
  }

  package let kind: Kind
  /// The verb and its companions as the mapping they make.
  package let mapping: MappingRule
  package let verb: KeyRule
  /// Whether it may be written as its verb alone: `removeDuplicates`.
  package let isWord: Bool
  /// The ways to write it, each as one element of `through`.
  package let forms: [String]

  package init(
    _ kind: Kind, _ verb: KeyRule, with companions: [KeyRule] = [], isWord: Bool = false,
    forms: [String]
  ) {
    self.kind = kind
    self.verb = verb
    self.isWord = isWord
    self.forms = forms
    mapping = MappingRule(
      .streamOperator, title: "`\(verb.name)`", verb.text, keys: [verb] + companions)
  }

  /// An operator without parameters.
  static func word(_ kind: Kind, _ verb: Key, _ text: String) -> StreamOperatorRule {
    StreamOperatorRule(
      kind, KeyRule(verb, .flag, text, example: "true", required: true), isWord: true,
      forms: [verb.rawValue])
  }

  /// An operator with one parameter.
  static func of(
    _ kind: Kind, _ verb: Key, _ shape: Shape, _ text: String, example: String
  ) -> StreamOperatorRule {
    StreamOperatorRule(
      kind, KeyRule(verb, shape, text, example: example, required: true),
      forms: ["\(verb.rawValue): \(example)"])
  }

  /// How the operator is written, in all of its ways.
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
