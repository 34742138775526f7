import Values

/// A version of JSON Schema.
public enum SchemaDraft: Sendable, CaseIterable {
  case draft7
  case draft2020

  /// The URI of the schema that describes its schemas.
  public var metaSchema: String {
    switch self {
    case .draft7: "http://json-schema.org/draft-07/schema"
    case .draft2020: "https://json-schema.org/draft/2020-12/schema"
    }
  }

  /// The draft of which this is the meta-schema, an empty fragment at its end or not.
  init?(metaSchema uri: String) {
    let name = SchemaURI(uri).document
    guard let draft = SchemaDraft.allCases.first(where: { $0.metaSchema == name }) else {
      return nil
    }
    self = draft
  }
}

/// The documents a schema may refer to, by their URIs. Nothing else is ever opened: a reference to
/// what is not among them is a problem.
///
/// The schemas that describe draft 7 and draft 2020-12 are always there.
public struct SchemaDocuments: Sendable {
  private var documents: [String: Value] = [:]

  public init() {}

  public init(_ documents: some Sequence<(String, Value)>) {
    for (uri, value) in documents { self[uri] = value }
  }

  /// The document of a URI, whose fragment does not matter.
  public subscript(uri: String) -> Value? {
    get {
      let name = SchemaURI(uri).document
      return documents[name] ?? SchemaDraft(metaSchema: name).map { Self.metaSchema(of: $0) }
    }
    set { documents[SchemaURI(uri).document] = newValue }
  }
}
