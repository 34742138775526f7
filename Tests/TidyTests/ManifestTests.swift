import TestKit
import Testing

/// A target of the manifest, and the targets it depends on.
struct ManifestTarget: Equatable {
  enum Kind: Equatable {
    /// A target in `Sources`.
    case room
    case test
    /// A library that only tests depend on, in `Tests`.
    case testLibrary
  }

  var name: String
  var dependencies: [String]
  var kind: Kind
  var line: Int
}

/// Returns the targets of a manifest in its order. It reads the few shapes our manifest has.
func manifestTargets(in manifest: String) -> [ManifestTarget] {
  let lines = splitLines(manifest)
  let start = (lines.firstIndex { $0.contains("  targets: [") }).map { $0 + 1 } ?? lines.count
  var targets: [ManifestTarget] = []
  let end = lines[start...].firstIndex(of: "  ]") ?? lines.count
  for (number, line) in lines.enumerated().prefix(end).dropFirst(start) {
    let code = line.drop { $0 == " " }
    guard !code.hasPrefix("//") else { continue }
    if code.hasPrefix(".") {
      let kind: ManifestTarget.Kind = code.hasPrefix(".testTarget") ? .test : .room
      targets.append(ManifestTarget(name: "", dependencies: [], kind: kind, line: number + 1))
    }
    guard !targets.isEmpty else { continue }
    if code.contains("path: \"Tests/") { targets[targets.count - 1].kind = .testLibrary }
    read(quotedWords(in: relevantPart(of: line)), into: &targets[targets.count - 1])
  }
  return targets
}

/// Returns the libraries that others can add, by name, with their rooms.
private func manifestProducts(in manifest: String) -> [(name: String, rooms: [String])] {
  splitLines(manifest).filter { $0.contains(".library(name:") }.map { line in
    let words = quotedWords(in: line[...])
    return (name: words[0], rooms: Array(words.dropFirst()))
  }
}

/// Adds names to a target: the first is its own, all others are dependencies.
private func read(_ words: [String], into target: inout ManifestTarget) {
  for word in words {
    if target.name.isEmpty { target.name = word } else { target.dependencies.append(word) }
  }
}

/// Returns a line without the arguments that name no target.
private func relevantPart(of line: String) -> Substring {
  let ends = [
    "exclude:", "pkgConfig:", "providers:", "path:", "swiftSettings:", "linkerSettings:", ".apt(",
  ]
  let cuts = ends.compactMap { line.firstRange(of: $0)?.lowerBound }
  return line[..<(cuts.min() ?? line.endIndex)]
}

private func quotedWords(in line: Substring) -> [String] {
  let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
  return parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
}

@Suite struct ManifestTests {
  private let targets = manifestTargets(in: fileText("Package.swift") ?? "")
  private var rooms: [ManifestTarget] { targets.filter { $0.kind == .room } }

  @Test(arguments: [
    ("Sources", ["ARCHITECTURE.md"]),
    ("Tests", ["tidy-debts.txt", "OutsidePackage", "Sanitizers", "TimePrograms", "Clients"]),
  ])
  func `the manifest is understood`(_ tree: String, _ files: [String]) {
    let folders = Set(filePaths(below: tree).map { String($0.split(separator: "/")[1]) })
    let names = targets.filter { ($0.kind == .room) == (tree == "Sources") }.map(\.name)
    #expect(Set(names) == folders.subtracting(Set(files)))
  }

  @Test func `arrows only point down the page`() {
    let positions = Dictionary(targets.enumerated().map { ($1.name, $0) }) { first, _ in first }
    for (position, target) in targets.enumerated() where target.kind == .room {
      let upward = target.dependencies.filter { (positions[$0] ?? -1) <= position }
      #expect(upward == [], "Package.swift:\(target.line): \(target.name)")
    }
  }

  @Test func `no room depends on what is there for tests`() {
    let names = Set(targets.filter { $0.kind != .room }.map(\.name))
    for room in rooms {
      #expect(names.isDisjoint(with: room.dependencies), "Package.swift:\(room.line): \(room.name)")
    }
  }

  /// The rooms of C libraries, by the names that docs/swift.md has for them.
  private static let libraries = [
    "CSQLite": "SQLite", "COpenSSL": "OpenSSL", "CWslay": "wslay", "CCompression": "Zstandard",
    "CHTTPParser": "llhttp", "CLibYAML": "libyaml", "CPCRE2": "PCRE2",
  ]

  @Test func `the guide names the C libraries of each product`() throws {
    let guide = splitLines(try #require(fileText("docs/swift.md")))
    let byName = Dictionary(targets.map { ($0.name, $0.dependencies) }) { first, _ in first }
    func below(_ room: String) -> Set<String> {
      Set([room]).union((byName[room] ?? []).flatMap { below($0) })
    }
    for (product, rooms) in manifestProducts(in: fileText("Package.swift") ?? "") {
      let row = try #require(guide.first { $0.hasPrefix("| `\(product)` |") }, "\(product)")
      let needed = Set(rooms.flatMap { below($0) }.compactMap { Self.libraries[$0] })
      let all = Set(Self.libraries.values)
      let named = row.contains("all of these") ? all : all.filter { row.contains($0) }
      #expect(named == needed, "\(product)")
      #expect(row.hasSuffix("| none |") == needed.isEmpty, "\(product)")
    }
  }

  @Test func `the page on stability names each product`() throws {
    let page = try #require(fileText("docs/stability.md"))
    let products = manifestProducts(in: fileText("Package.swift") ?? "")
    #expect(products.count > 5)
    for product in products { #expect(page.contains("`\(product.name)`"), "\(product.name)") }
  }

  @Test func `every room has a line in the architecture`() throws {
    let text = try #require(fileText("Sources/ARCHITECTURE.md"))
    let lines = splitLines(text)
    for room in rooms {
      let has = lines.contains { $0.hasPrefix("| `\(room.name)` |") }
      #expect(has, "Package.swift:\(room.line): \(room.name)")
    }
  }

  @Test func `the architecture describes no room that is not there`() throws {
    let lines = splitLines(try #require(fileText("Sources/ARCHITECTURE.md")))
    let described = lines.filter { $0.hasPrefix("| `") }.map { $0.split(separator: "`")[1] }
    let names = Set(targets.map { Substring($0.name) })
    #expect(described.filter { !names.contains($0) } == [])
  }
}
