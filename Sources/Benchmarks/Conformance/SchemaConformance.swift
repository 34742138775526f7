import Glibc
import JSONSchemas
import Values

/// Runs the cases of the public suite for JSON Schema in a folder with `draft7`, `draft2020-12` and
/// `remotes`, and prints what differs; 0 when no required case does.
func schemaConformance(folder: String) -> Int32 {
  let remotes = remoteDocuments(folder + "/remotes", uri: "http://localhost:1234")
  let documents = SchemaDocuments(remotes)
  var isGood = true
  for (name, draft) in [("draft7", SchemaDraft.draft7), ("draft2020-12", .draft2020)] {
    var required = SchemaCases(draft: draft, documents: documents)
    required.run(folder: "\(folder)/\(name)")
    var optional = SchemaCases(draft: draft, documents: documents)
    optional.run(folder: "\(folder)/\(name)/optional")
    print("\(name): required \(required.summary); optional \(optional.summary)")
    isGood = isGood && required.failed == 0 && required.passed > 0
  }
  return isGood ? 0 : 1
}

/// Counts the cases of one draft.
private struct SchemaCases {
  let draft: SchemaDraft
  let documents: SchemaDocuments
  var passed = 0
  var failed = 0

  init(draft: SchemaDraft, documents: SchemaDocuments) {
    self.draft = draft
    self.documents = documents
  }

  var summary: String { "passed \(passed) of \(passed + failed)" }

  mutating func run(folder: String) {
    for file in fileNames(in: folder, ending: ".json") {
      guard case .success(.list(let groups)) = parseJSON(readText(folder + "/" + file)) else {
        failed += 1
        print("unreadable: \(file)")
        continue
      }
      for group in groups { run(group, file: file) }
    }
  }

  private mutating func run(_ group: Value, file: String) {
    guard case .list(let tests)? = group["tests"], let schema = group["schema"] else { return }
    let title = "\(draft) \(file): \(group["description"]?.plainText ?? "")"
    switch JSONSchema.compile(schema, documents: documents, draft: draft) {
    case .failure(let problems):
      failed += tests.count
      print(title)
      for problem in problems.all { print("    \(problem.path): \(problem.message)") }
    case .success(let compiled):
      for test in tests { run(test, compiled, title) }
    }
  }

  private mutating func run(_ test: Value, _ schema: JSONSchema, _ title: String) {
    let violations = schema.validate(test["data"] ?? .null)
    if Value.bool(violations.isEmpty) == test["valid"] {
      passed += 1
      return
    }
    failed += 1
    print("\(title): \(test["description"]?.plainText ?? "")")
    for violation in violations {
      print("    \(violation.instancePointer): \(violation.message) (\(violation.keywordLocation))")
    }
  }
}

/// All JSON documents below a folder, by the URIs under which the suite refers to them.
private func remoteDocuments(_ folder: String, uri: String) -> [(String, Value)] {
  var documents: [(String, Value)] = []
  for name in fileNames(in: folder, ending: "") {
    if name.hasSuffix(".json") {
      guard case .success(let value) = parseJSON(readText(folder + "/" + name)) else { continue }
      documents.append((uri + "/" + name, value))
    } else {
      documents += remoteDocuments(folder + "/" + name, uri: uri + "/" + name)
    }
  }
  return documents
}
