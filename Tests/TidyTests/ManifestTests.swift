import Testing

/// A room of the manifest: a target, and the targets it depends on.
struct ManifestRoom: Equatable {
  var name: String
  var dependencies: [String]
  var isTest: Bool
  var line: Int
}

/// The targets of a manifest in its order; it reads the few shapes our manifest has.
func manifestRooms(in manifest: String) -> [ManifestRoom] {
  let lines = splitLines(manifest)
  let start = (lines.firstIndex { $0.contains("  targets: [") }).map { $0 + 1 } ?? lines.count
  var rooms: [ManifestRoom] = []
  for (number, line) in lines.enumerated().dropFirst(start) {
    let code = line.drop { $0 == " " }
    guard !code.hasPrefix("//") else { continue }
    if code.hasPrefix(".") {
      rooms.append(ManifestRoom(name: "", dependencies: [], isTest: false, line: number + 1))
      rooms[rooms.count - 1].isTest = code.hasPrefix(".testTarget")
    }
    guard !rooms.isEmpty else { continue }
    read(quotedWords(in: relevantPart(of: line)), into: &rooms[rooms.count - 1])
  }
  return rooms
}

/// A target's name comes first; all other names are dependencies.
private func read(_ words: [String], into room: inout ManifestRoom) {
  for word in words {
    if room.name.isEmpty { room.name = word } else { room.dependencies.append(word) }
  }
}

/// A line without what follows the dependencies in the declaration of a system library.
private func relevantPart(of line: String) -> Substring {
  let ends = ["pkgConfig:", "providers:", "path:", "swiftSettings:", "linkerSettings:", ".apt("]
  let cuts = ends.compactMap { line.firstRange(of: $0)?.lowerBound }
  return line[..<(cuts.min() ?? line.endIndex)]
}

private func quotedWords(in line: Substring) -> [String] {
  let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
  return parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
}

@Suite struct ManifestTests {
  private let rooms = manifestRooms(in: fileText("Package.swift") ?? "")

  @Test func `the manifest is understood`() {
    let folders = Set(filePaths(below: "Sources").map { $0.split(separator: "/")[1] })
    let targets = rooms.filter { !$0.isTest }.map { Substring($0.name) }
    #expect(Set(targets) == folders.subtracting(["ARCHITECTURE.md"]))
  }

  @Test func `arrows only point down the page`() {
    let positions = Dictionary(rooms.enumerated().map { ($1.name, $0) }) { first, _ in first }
    for (position, room) in rooms.enumerated() where !room.isTest {
      let upward = room.dependencies.filter { (positions[$0] ?? -1) <= position }
      #expect(upward == [], "Package.swift:\(room.line): \(room.name)")
    }
  }

  @Test func `every room has a line in the architecture`() throws {
    let text = try #require(fileText("Sources/ARCHITECTURE.md"))
    let lines = splitLines(text)
    for room in rooms where !room.isTest {
      let has = lines.contains { $0.hasPrefix("| `\(room.name)` |") }
      #expect(has, "Package.swift:\(room.line): \(room.name)")
    }
  }

  @Test func `the architecture describes no room that is not there`() throws {
    let lines = splitLines(try #require(fileText("Sources/ARCHITECTURE.md")))
    let described = lines.filter { $0.hasPrefix("| `") }.map { $0.split(separator: "`")[1] }
    let names = Set(rooms.map { Substring($0.name) })
    #expect(described.filter { !names.contains($0) } == [])
  }
}
