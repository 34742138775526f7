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

/// A test that compares a value with data.
package enum DataTest: Sendable {
  /// Equal, with nothing more in maps.
  case exactly
  case compare(Comparison)
  /// Text that begins or ends with other text.
  case affix(Affix)
  /// A value of the same type.
  case like
  /// A list of one or more values of the same type.
  case eachLike
  /// A status, or with `2xx` all that begin with 2.
  case status

  package enum Comparison: Sendable { case greaterThan, atLeast, lessThan, atMost }

  /// The end of a text that is looked at.
  package enum Affix: Sendable { case start, end }

  /// True if data compares as a plain matcher of the same data does.
  package var isOfOneText: Bool {
    switch self {
    case .exactly, .affix: true
    case .compare, .like, .eachLike, .status: false
    }
  }
}

/// A test with a matcher inside.
package enum InnerTest: Sendable {
  case match, not, each, contains, size
  /// The text of a message before it is decoded.
  case text
  /// Text that is JSON.
  case json

  /// The thing that the matcher inside is held against: the value, its elements, or something else
  /// that follows from the value.
  package enum Object { case value, element, derived }

  package var object: Object {
    switch self {
    case .match, .not: .value
    case .each, .contains: .element
    case .text, .size, .json: .derived
    }
  }

  /// True if the matcher inside chooses, and does not demand.
  package var selects: Bool {
    switch self {
    case .not, .contains: true
    case .match, .each, .text, .size, .json: false
    }
  }
}

/// A test with a list of matchers.
package enum ListTest: Sendable {
  /// At least one of them matches the value.
  case oneOf
  /// Each of them matches another element.
  case anyOrder
}

/// One `$` operator of a matcher.
package struct OperatorSpec: Sendable {
  package indirect enum Kind: Sendable {
    /// `$any: true` matches any value.
    case any
    /// An entry that a map does not have.
    case absent
    case type(TypeName)
    case data(DataTest, DataSpec)
    case inner(InnerTest, MatcherSpec)
    case list(ListTest, [MatcherSpec])
    case regex(Located<String>)
    case `where`(ExpressionText)
    case capture(Located<String>)
    /// Whether what `$as` beside it captures is secret.
    case secret(Bool)
    /// A JSON Schema: written out, or the path of a file.
    case schema(DataSpec)
    /// A value that a mock would send. It does not restrict what matches.
    case example(DataSpec)
  }

  package var kind: Kind
  /// The operator's key, as written: `$regex`.
  package var name: Located<String>
}
