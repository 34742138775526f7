import TextSearch

/// One operator of streams: its verb, the keys beside it, how it is read, and what is known of it.
package final class StreamOperatorRule: Sendable {
  package enum Kind: Sendable, Equatable, CaseIterable {
    case values, counting, time, failures, several, calls, sharing
  }

  /// The time at which a stream subscribes to the sources of an operator.
  package enum Following: Sendable {
    /// At the start, before what stands before the operator, or after it.
    case before, after
    /// At the start. What stands before the operator is subscribed to when they have ended.
    case instead
    /// When a value, a failure, the end or the time calls for it.
    case later
    /// The operator has none, but subscribes to those of its stream again.
    case again
  }

  /// The shape of what an operator emits.
  package enum Emits: Sendable {
    /// Values that it got.
    case same
    /// Results of its expression.
    case results
    case anything
  }

  typealias Reading = @Sendable (OperatorReading) -> StreamOperator<Written>?

  package let kind: Kind
  /// The mapping of the verb and its companions.
  package let mapping: MappingRule
  package let verb: KeyRule
  /// The forms of the operator, each as one element of `through`.
  package let forms: [String]
  /// The operator of a bare verb, as in `removeDuplicates`; nil if it needs a value.
  let word: StreamOperator<Written>?
  let read: Reading
  package let emits: Emits
  package let follows: Following

  /// True if the verb alone is enough.
  package var isWord: Bool { word != nil }

  init(
    _ kind: Kind, _ verb: KeyRule, with companions: [KeyRule] = [],
    atMostOneOf exclusive: [[Key]] = [], word: StreamOperator<Written>? = nil, forms: [String],
    emits: Emits = .anything, follows: Following = .later, read: @escaping Reading
  ) {
    self.kind = kind
    self.verb = verb
    self.word = word
    self.forms = forms
    self.emits = emits
    self.follows = follows
    self.read = read
    mapping = MappingRule(
      .streamOperator, title: "`\(verb.name)`", verb.text, atMostOneOf: exclusive,
      keys: [verb] + companions)
  }

  /// Makes an operator without parameters.
  static func word(
    _ kind: Kind, _ plain: PlainOperator, _ verb: Key, _ text: String, emits: Emits = .anything
  ) -> StreamOperatorRule {
    StreamOperatorRule(
      kind, KeyRule(verb, .flag, text, example: "true", required: true), word: .plain(plain),
      forms: [verb.rawValue], emits: emits, read: \.flag)
  }

  /// Makes an operator with one parameter.
  static func of(
    _ kind: Kind, _ verb: Key, _ shape: Shape, _ text: String, example: String,
    emits: Emits = .anything, follows: Following = .later, read: @escaping Reading
  ) -> StreamOperatorRule {
    StreamOperatorRule(
      kind, KeyRule(verb, shape, text, example: example, required: true),
      forms: ["\(verb.rawValue): \(example)"], emits: emits, follows: follows, read: read)
  }
}

extension LanguageTable {
  package static let streamOperators =
    valueOperators + countingOperators + timeOperators + failureOperators + severalOperators
    + callOperators + sharingOperators

  package static func streamOperator(named name: String) -> StreamOperatorRule? {
    streamOperators.first { $0.verb.name == name }
  }
}
