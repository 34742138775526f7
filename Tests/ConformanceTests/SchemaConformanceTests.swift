import JSONSchemas
import TestKit
import Testing
import Values

/// The cases of the public JSON-Schema-Test-Suite. `format` is an annotation, but in the cases of
/// the formats that scenarios check.
@Suite(
  .enabled(if: ConformanceData.isDemanded("json-schema"), ConformanceData.reason("json-schema")))
struct SchemaConformanceTests {
  /// A draft, its folder, and the numbers of its cases.
  private static let drafts: [(draft: SchemaDraft, folder: String, required: Int, optional: Int)] =
    [(.draft7, "draft7", 927, 118), (.draft2020, "draft2020-12", 1_299, 162)]

  @Test(arguments: drafts)
  func `every required case is as valid as the suite demands`(
    draft: SchemaDraft, folder: String, required: Int, optional: Int
  ) throws {
    let cases = try run(draft, folder: folder)
    #expect(cases.differing.map(\.text) == [])
    #expect(cases.count == required)
  }

  @Test(arguments: drafts)
  func `every optional case is as valid as the suite demands, except the cases that are listed`(
    draft: SchemaDraft, folder: String, required: Int, optional: Int
  ) throws {
    let cases = try run(draft, folder: folder + "/optional")
    let listed = schemaExceptions.filter { $0.folder == folder }.map(\.name)
    #expect(cases.differing.filter { !listed.contains($0.name) }.map(\.text) == [])
    let names = cases.differing.map(\.name)
    #expect(listed.filter { !names.contains($0) } == [], "these pass; take them off the list")
    #expect(cases.count == optional)
  }

  private static let checkedFormats = [
    "date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri",
    "uri-reference", "uuid", "regex", "json-pointer",
  ]

  @Test(arguments: drafts)
  func `every case of a format that scenarios check is as valid as the suite demands`(
    draft: SchemaDraft, folder: String, required: Int, optional: Int
  ) throws {
    var cases = SchemaCases(draft: draft, documents: SchemaDocuments(Self.remotes))
    cases.checksFormats = true
    for format in Self.checkedFormats {
      let path = "\(ConformanceData.folder)/json-schema/\(folder)/optional/format/\(format).json"
      guard let groups = ConformanceData.json(path) else { continue }
      cases.run(groups: groups.elements, file: format)
    }
    // What a label in Punycode stands for is not looked at.
    #expect(cases.differing.map(\.text).filter { !$0.contains("A-label") } == [])
    #expect(cases.count > 400)
  }

  /// Runs the cases in the files of a folder, without those of its sub-folders.
  private func run(_ draft: SchemaDraft, folder: String) throws -> SchemaCases {
    var cases = SchemaCases(draft: draft, documents: SchemaDocuments(Self.remotes))
    let path = "\(ConformanceData.folder)/json-schema/\(folder)/"
    for file in ConformanceData.files(in: "json-schema/\(folder)") {
      let name = file.dropFirst(path.count)
      if name.contains("/") { continue }
      try cases.run(groups: #require(ConformanceData.json(file)).elements, file: String(name))
    }
    return cases
  }

  /// All documents that the suite refers to, by their URIs. No socket is opened for them.
  private static let remotes: [(String, Value)] = {
    let folder = "\(ConformanceData.folder)/json-schema/remotes"
    return filePaths(below: folder).filter { $0.hasSuffix(".json") }.compactMap { path in
      ConformanceData.json(path).map {
        ("http://localhost:1234" + path.dropFirst(folder.count), $0)
      }
    }
  }()
}

/// Runs the cases of one draft and keeps those that differ.
private struct SchemaCases {
  /// A case whose result is not the demanded one, or a group whose schema does not compile.
  struct Differing {
    var name: String
    var details: [String]
    var text: String { "\(name): \(details)" }
  }

  let draft: SchemaDraft
  let documents: SchemaDocuments
  var checksFormats = false
  private(set) var count = 0
  private(set) var differing: [Differing] = []

  init(draft: SchemaDraft, documents: SchemaDocuments) {
    self.draft = draft
    self.documents = documents
  }

  mutating func run(groups: [Value], file: String) {
    for group in groups {
      let name = "\(file): \(group["description"]?.plainText ?? "")"
      let tests = group["tests"]?.elements ?? []
      count += tests.count
      let schema = group["schema"] ?? .null
      switch JSONSchema.compile(
        schema, documents: documents, draft: draft, checksFormats: checksFormats)
      {
      case .failure(let problems):
        differing.append(Differing(name: name, details: problems.all.map(\.message)))
      case .success(let schema): differing += tests.compactMap { difference($0, schema, name) }
      }
    }
  }

  private func difference(_ test: Value, _ schema: JSONSchema, _ group: String) -> Differing? {
    let violations = schema.validate(test["data"] ?? .null)
    guard .bool(violations.isEmpty) != test["valid"] else { return nil }
    return Differing(
      name: "\(group): \(test["description"]?.plainText ?? "")",
      details: violations.map {
        "\($0.instancePointer): \($0.message) (\($0.keywordLocation))"
      })
  }
}

extension Value {
  fileprivate var elements: [Value] { if case .list(let list) = self { list } else { [] } }
}
