import Glibc
import TestKit
import Testing

@Suite struct RepositoryTests {
  @Test(arguments: [
    "./setup && swift run rehearse run scenarios", "./setup && swift test",
  ])
  func `the README gives this command on a line of its own`(_ command: String) throws {
    let lines = splitLines(try #require(fileText("README.md")))
    #expect(lines.filter { $0 == command }.count == 1)
  }

  @Test(arguments: scripts)
  func `a script can be run, and in bash stops at its first mistake`(_ path: String) throws {
    let lines = splitLines(try #require(fileText(path)))
    #expect(access(packageRoot + "/" + path, X_OK) == 0)
    #expect(lines[0] != "#!/usr/bin/env bash" || lines.contains("set -euo pipefail"))
  }

  @Test func `scripts are found in every folder that has some`() {
    let known = [".ci/run", "docs/site/build", "packaging/build", "packaging/check", "setup"]
    #expect(Set(known).isSubset(of: scripts))
  }

  /// What the compiler makes of it contains the length of the path of the file that calls it.
  @Test func `no source puts the folder it is built in into the program`() {
    let sources = filePaths(below: "Sources").filter { $0.hasSuffix(".swift") }
    #expect(sources.count > 500)
    #expect(sources.filter { fileText($0)?.contains("withoutActuallyEscaping(") == true } == [])
  }

  @Test func `the changelog begins with this version, in at most 60 lines`() throws {
    let lines = splitLines(try #require(fileText("CHANGELOG.md")))
    // What has come since this version stands before it.
    let start = try #require(lines.firstIndex { $0.hasPrefix("## ") && $0 != "## Unreleased" })
    #expect(start <= 60)
    let section = lines[(start + 1)...].prefix { !$0.hasPrefix("## ") }
    let version = try #require(
      fileText("Sources/ScenarioRuns/Running/ProgramVersion.swift")?.split(separator: "\"")[1])
    #expect(lines[start].hasPrefix("## \(version) ("))
    #expect(section.first { $0.hasPrefix("### ") } == "### What changes for your scenarios")
    #expect(section.count <= 60)
  }

  @Test func `the packages setup installs are those the README names`() throws {
    let line = splitLines(try #require(fileText("setup"))).first { $0.hasPrefix("packages=(") }
    let packages = try #require(line).dropFirst("packages=(".count).dropLast()
    #expect(try #require(fileText("README.md")).contains("`\(packages)`"))
  }
}

/// The files of the repository that begin with the name of the program that runs them.
private let scripts: [String] = {
  let folders = ["packaging", "docs/site", "Tests/OutsidePackage", "Tests/Sanitizers"]
  let paths = ["setup", ".ci/run", ".ci/quick", ".ci/web"] + folders.flatMap(filePaths(below:))
  return paths.filter { fileBytes($0)?.starts(with: Array("#!".utf8)) ?? false }
}()
