/// A mistake in a schema itself.
public struct SchemaProblem: Error, Sendable, Equatable {
  /// The URI of the document the mistake is in; empty for one that has none.
  public let document: String
  /// Where in the document, as a JSON Pointer: `/properties/id/type`.
  public let path: String
  /// The rule that was broken and what was found, in one sentence.
  public let message: String
  /// What could be meant, where there is something near.
  public let help: String?

  init(document: String, path: String, _ message: String, help: String? = nil) {
    self.document = document
    self.path = path
    self.message = message
    self.help = help
  }
}

/// All mistakes of a schema, in the order they were found; never empty.
public struct SchemaProblems: Error, Sendable, Equatable {
  public let all: [SchemaProblem]
}
