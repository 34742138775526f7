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

  /// Makes the draft of which this is the meta-schema, with or without an empty fragment at its
  /// end.
  init?(metaSchema uri: String) {
    let name = SchemaURI(uri).document
    guard let draft = SchemaDraft.allCases.first(where: { $0.metaSchema == name }) else {
      return nil
    }
    self = draft
  }
}

/// The documents that a schema may refer to, by their URIs. Nothing else is ever opened: any other
/// reference is a problem.
///
/// The schemas that describe draft 7 and draft 2020-12 are always included.
public struct SchemaDocuments: Sendable {
  private var documents: [String: Value] = [:]

  public init() {}

  public init(_ documents: some Sequence<(String, Value)>) {
    for (uri, value) in documents { self[uri] = value }
  }

  /// Returns the document of a URI; its fragment is ignored.
  public subscript(uri: String) -> Value? {
    get {
      let name = SchemaURI(uri).document
      return documents[name] ?? SchemaDraft(metaSchema: name).map { Self.metaSchema(of: $0) }
    }
    set { documents[SchemaURI(uri).document] = newValue }
  }
}
