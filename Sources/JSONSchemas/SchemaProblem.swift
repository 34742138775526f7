/// A mistake in a schema itself.
public struct SchemaProblem: Error, Sendable, Equatable {
  /// The URI of the document with the mistake; empty if it has no URI.
  public let document: String
  /// The place in the document, as a JSON Pointer: `/properties/id/type`.
  public let path: String
  /// The broken rule and the value found, in one sentence.
  public let message: String
  /// The keyword or value that could be meant, if there is a near one.
  public let help: String?

  init(document: String, path: String, _ message: String, help: String? = nil) {
    self.document = document
    self.path = path
    self.message = message
    self.help = help
  }
}

/// All mistakes of a schema, in the order in which they were found; never empty.
public struct SchemaProblems: Error, Sendable, Equatable {
  public let all: [SchemaProblem]
}
