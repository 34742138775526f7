import TestKit
import Testing
import Values

/// The cases of the public CEL conformance suite that need no protobuf message.
@Suite(.enabled(if: ConformanceData.isDemanded("cel"), ConformanceData.reason("cel")))
struct CELConformanceTests {
  /// The names of the suite's files, without `.jsonl`.
  private static let files = ConformanceData.files(in: "cel").compactMap { path in
    path.hasSuffix(".jsonl") ? path.split(separator: "/").last.map { String($0.dropLast(6)) } : nil
  }

  @Test(arguments: files)
  func `every case of a file gives the demanded result, except the cases that are listed`(
    file: String
  ) throws {
    let listed = celExceptions.filter { $0.file == file }.map(\.name)
    var differing: [String] = []
    for test in try cases(of: file) {
      guard let difference = test.difference() else { continue }
      differing.append(test.title)
      if !listed.contains(test.title) {
        Issue.record("\(file) \(test.title): `\(test.text)` \(difference)")
      }
    }
    #expect(listed.filter { !differing.contains($0) } == [], "these pass; take them off the list")
  }

  @Test func `at least 99 of 100 cases are no exceptions`() throws {
    let count = try Self.files.reduce(0) { try $0 + cases(of: $1).count }
    #expect(count >= 1_145)
    #expect(celExceptions.count * 100 <= count)
  }

  private func cases(of file: String) throws -> [CELCase] {
    let text = try #require(fileText("\(ConformanceData.folder)/cel/\(file).jsonl"))
    return try text.split(separator: "\n").map { CELCase(try parseJSON(Array($0.utf8)).get()) }
  }
}
