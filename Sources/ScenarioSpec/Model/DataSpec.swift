import Diagnostics
import Values

/// A value as written: literal, or with `${…}` expressions in it.
package struct DataSpec: Sendable {
  package enum Content: Sendable {
    /// A value without any expression in it, however deep.
    case literal(Value)
    /// A scalar that is one `${…}`. Its value keeps the type of the result.
    indirect case expression(ExpressionText)
    /// Text with expressions inside.
    case text([TextPart])
    case list([DataSpec])
    case map([(key: Located<Value>, value: DataSpec)])
    /// A map with expressions in its keys.
    case keyedMap([(key: DataSpec, value: DataSpec)])
    /// A value that a mock sends, and the matcher that a real endpoint is compared by.
    indirect case example(DataSpec, MatcherSpec)
  }

  /// The purpose of data.
  package enum Use: Sendable {
    case value
    /// A place of text: a scalar is sent, or compared, as it is written.
    case sent, compared
  }

  package var content: Content
  package var range: SourceRange
  /// The scalar as it is written, if its value would be written in another way: `1.10`.
  package var spelling: String?
  package var use: Use = .value
  /// True for a number that no value can hold. It is an error, but not in a place of text.
  package var isTooLarge = false

  package init(_ content: Content, _ range: SourceRange) {
    self.content = content
    self.range = range
  }
}

/// A part of a text, or an expression whose result becomes text.
package enum TextPart: Sendable {
  case literal(String)
  case expression(ExpressionText)
}

/// A matcher as written: a pattern for events and values.
package struct MatcherSpec: Sendable {
  package enum Content: Sendable {
    /// A scalar, perhaps with an expression.
    case scalar(DataSpec)
    case list([MatcherSpec])
    case map([(key: Located<Value>, value: MatcherSpec)])
    /// All of these must hold.
    case operators([OperatorSpec])
  }

  package var content: Content
  package var range: SourceRange

  package init(_ content: Content, _ range: SourceRange) {
    self.content = content
    self.range = range
  }
}

/// One `$` operator of a matcher.
package struct OperatorSpec: Sendable {
  package indirect enum Kind: Sendable {
    /// `$any: true` matches any value.
    case any
    case exactly(DataSpec)
    case regex(Located<String>)
    /// The text of a message before it is decoded.
    case text(MatcherSpec)
    case greaterThan(DataSpec)
    case atLeast(DataSpec)
    case lessThan(DataSpec)
    case atMost(DataSpec)
    case oneOf([MatcherSpec])
    case not(MatcherSpec)
    case size(MatcherSpec)
    case contains(MatcherSpec)
    /// A value of the same type.
    case like(DataSpec)
    case `where`(ExpressionText)
    case capture(Located<String>)
    /// Whether what `$as` beside it captures is secret.
    case secret(Bool)
    case match(MatcherSpec)
    /// A JSON Schema: written out, or the path of a file.
    case schema(DataSpec)
    /// An entry that a map does not have.
    case absent
    case type(TypeName)
    case each(MatcherSpec)
    case anyOrder([MatcherSpec])
    /// Text that is JSON.
    case json(MatcherSpec)
    case startsWith(DataSpec)
    case endsWith(DataSpec)
    /// A list of one or more values of the same type.
    case eachLike(DataSpec)
    /// A value that a mock would send. It does not restrict what matches.
    case example(DataSpec)
  }

  package var kind: Kind
  /// The operator's key, as written: `$regex`.
  package var name: Located<String>
}
