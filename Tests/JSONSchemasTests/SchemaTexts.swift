import JSONSchemas
import Testing
import Values

/// Returns the value of a JSON text.
func json(_ text: String) throws -> Value { try parseJSON(text).get() }

/// Returns the schema of a JSON text.
func schema(
  _ text: String, base: String? = nil, documents: [(String, String)] = [],
  draft: SchemaDraft = .draft2020
) throws -> JSONSchema {
  let documents = SchemaDocuments(try documents.map { ($0, try json($1)) })
  return try JSONSchema.compile(try json(text), base: base, documents: documents, draft: draft)
    .get()
}

/// Returns the problems of the schema of a JSON text.
func problems(
  _ text: String, documents: [(String, String)] = [], draft: SchemaDraft = .draft2020
) throws -> [SchemaProblem] {
  let documents = SchemaDocuments(try documents.map { ($0, try json($1)) })
  switch JSONSchema.compile(try json(text), documents: documents, draft: draft) {
  case .success: return []
  case .failure(let problems): return problems.all
  }
}

/// Returns the violations of a value, each as "path: message".
func violations(
  _ schemaText: String, _ text: String, draft: SchemaDraft = .draft2020
) throws -> [String] {
  try schema(schemaText, draft: draft).validate(try json(text)).map {
    "\($0.instancePath): \($0.message)"
  }
}

/// Returns whether a value is valid. Both ways of validating must agree.
func isValid(
  _ schemaText: String, _ text: String, draft: SchemaDraft = .draft2020
) throws -> Bool {
  let schema = try schema(schemaText, draft: draft)
  let value = try json(text)
  #expect(schema.isValid(value) == schema.validate(value).isEmpty)
  return schema.isValid(value)
}
