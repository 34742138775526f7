import TestKit
import Testing

/// `Sources/ARCHITECTURE.md` says where things are, so each place that it names has to be there.
@Suite struct ArchitectureTests {
  private static let page = fileText("Sources/ARCHITECTURE.md") ?? ""
  private static let lines = splitLines(page)
  private static let files =
    ["Sources", "Tests", "docs", "scenarios", "schemas", ".ci"]
    .flatMap(filePaths(below:)) + ["CHANGELOG.md", "Package.swift"]

  @Test func `every file and folder that is named exists`() {
    let named = Set(Self.lines.flatMap(namedPaths))
    #expect(named.count > 80)
    for path in named.sorted() { #expect(exists(path), "\(path)") }
  }

  @Test func `every page of a decision has its link, and each link leads to a page`() {
    let linked = Self.lines.compactMap { line -> String? in
      guard line.hasPrefix("- ["), let start = line.firstRange(of: "](../")?.upperBound else {
        return nil
      }
      return String(line[start...].dropLast())
    }
    #expect(linked.sorted() == filePaths(below: "docs/decisions").sorted())
  }

  /// One name means one thing. Only the clients under the names of an older library may repeat
  /// names.
  @Test func `no two rooms have a type of the same name`() {
    var rooms: [String: Set<String>] = [:]
    for text in sourceTexts where !text.path.hasPrefix("Sources/LiveCommunication/") {
      let room = text.path.split(separator: "/")[1]
      for line in text.code {
        if let name = typeName(in: line) { rooms[name, default: []].insert(String(room)) }
      }
    }
    #expect(rooms.count > 1_000)
    let repeated = rooms.filter { $0.value.count > 1 }
    #expect(repeated.isEmpty, "\(repeated)")
  }

  /// Returns the name of the type that a line declares outside of any other.
  private func typeName(in line: String) -> String? {
    guard line.first?.isWhitespace == false else { return nil }
    let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "@" }
    let kinds = ["struct", "class", "enum", "protocol", "actor"]
    guard let kind = words.firstIndex(where: { kinds.contains(String($0)) }),
      !words[..<kind].contains("extension"), !words[..<kind].contains("func"),
      kind + 1 < words.count
    else { return nil }
    return String(words[kind + 1])
  }

  /// Names of things that have been added by each recipe.
  @Test(arguments: [
    (
      "An operator of streams",
      ["groupBy", "withLatest", "windowed", "measureInterval", "prefixUntil"]
    ),
    ("A step", ["transaction", "ignore"]), ("A matcher", ["eachLike", "eachLikeOperator"]),
    ("A disturbance", ["rewritten"]), ("A report format", ["ctrf", "tap"]),
  ])
  func `a recipe names every file with a case for what it adds`(_ title: String, names: [String])
    throws
  {
    let lines = try #require(recipe(title))
    for name in names {
      let found = files(withCase: name)
      #expect(found.count > 2, "\(name)")
      #expect(found.filter { !lines.names($0) } == [], "\(name)")
    }
  }

  /// Returns the lines of a recipe.
  private func recipe(_ title: String) -> [String]? {
    guard let start = Self.lines.firstIndex(of: "**\(title).**") else { return nil }
    return Self.lines[(start + 1)...].prefix { !$0.hasPrefix("**") && !$0.hasPrefix("#") }
      .map { $0 }
  }

  /// Returns the Swift files that declare a case of this name, or have it in a switch.
  private func files(withCase name: String) -> [String] {
    sourceTexts.filter { text in
      text.code.contains { line in
        let words = line.split { !$0.isLetter && !$0.isNumber }
        return words.first == "case" && words.contains { $0 == name }
      }
    }.map(\.path)
  }

  private func exists(_ path: String) -> Bool {
    Self.files.contains { file in
      path.hasSuffix("/") ? "/\(file)".contains("/" + path) : "/\(file)".hasSuffix("/" + path)
    }
  }
}

extension [String] {
  /// Whether one of these lines names a file, by the end of its path.
  fileprivate func names(_ file: String) -> Bool {
    flatMap(namedPaths).contains { "/\(file)".hasSuffix("/" + $0) }
  }
}

/// Returns the quoted words of a line that are paths: of a file, or of a folder with a slash at its
/// end.
private func namedPaths(in line: String) -> [String] {
  let words = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
    .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  let endings = [".swift", ".md", ".c", ".yaml", "/"]
  return words.filter { word in !word.contains(" ") && endings.contains(where: word.hasSuffix) }
}
