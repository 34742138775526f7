import Glibc
import TestKit
import Testing

@Suite struct RepositoryTests {
  @Test(arguments: [
    "./setup && swift run -c release rehearse run scenarios", "./setup && swift test",
  ])
  func `the README gives this command on a line of its own`(_ command: String) throws {
    let lines = splitLines(try #require(fileText("README.md")))
    #expect(lines.filter { $0 == command }.count == 1)
  }

  @Test(arguments: ["setup", ".ci/run"])
  func `a script can be run and stops at its first mistake`(_ path: String) throws {
    #expect(access(packageRoot + "/" + path, X_OK) == 0)
    #expect(splitLines(try #require(fileText(path))).contains("set -euo pipefail"))
  }

  @Test func `the packages setup installs are those the README names`() throws {
    let line = splitLines(try #require(fileText("setup"))).first { $0.hasPrefix("packages=(") }
    let packages = try #require(line).dropFirst("packages=(".count).dropLast()
    #expect(try #require(fileText("README.md")).contains("`\(packages)`"))
  }
}
