/// A part of a schema that is right and checks nothing.
public struct SchemaRemark: Sendable, Equatable {
  /// The reason why it checks nothing.
  public enum Kind: Sendable, Equatable {
    /// No draft has the keyword; a known one may be meant.
    case unknownKeyword(String, nearest: String?)
    /// The format is not one of those that are checked.
    case uncheckedFormat(String)
  }

  /// The place of the schema in its document, as a JSON Pointer.
  public let path: String
  public let kind: Kind
}
