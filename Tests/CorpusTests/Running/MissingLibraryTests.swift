import TestKit
import Testing

/// Runs on a machine that lacks a library which is only loaded when a body needs it.
@Suite struct MissingLibraryTests {
  private static let compressed = """
    scenario: Compressed
    endpoints:
      api:
        http:
          - get: /a
            respond: { headers: { Content-Encoding: br }, json: { id: 1 } }
    steps:
      - request: { endpoint: api, get: /a, expect: { json: { id: 1 } } }
    """
  private static let plain = "scenario: Plain\ngraph: { a: 1 }\nsteps: [{ check: a == 1 }]\n"

  @Test func `an answer that cannot be compressed fails its scenario, and no other`() throws {
    let folder = try self.folder(without: "libbrotlienc.so.1")
    let command = try run("run", folder, ["--format", "junit=\(folder.file("all.xml"))"])
    #expect(command.exitCode() == 1)
    #expect(command.said.contains("1 passed, 1 failed"), "\(command.said)")
    #expect(command.said.contains("this machine cannot compress with `br`"), "\(command.said)")
    #expect(command.said.contains("package `libbrotli1`"), "\(command.said)")
    let report = try #require(folder.text("all.xml"))
    #expect(report.contains("Plain"))
    #expect(report.contains("Compressed"))
  }

  @Test func `an answer that cannot be expanded fails its request`() throws {
    let folder = try self.folder(without: "libbrotlidec.so.1")
    let recording = try #require(SpawnedCommand(["run", folder.path, "--record"]))
    #expect(recording.exitCode() == 0, "\(recording.said)")
    let traces = "trace:\(folder.file("traces"))"
    let command = try run("run", folder, ["--against", traces])
    #expect(command.exitCode() == 1)
    #expect(command.said.contains("http-missing-coding-library"), "\(command.said)")
  }

  @Test func `a page with the events is written without zlib`() throws {
    let folder = try self.folder(without: "libz.so.1")
    let page = "html=\(folder.file("page.html"))"
    let command = try run("run", folder, ["--format", page, "--html-events", "all"])
    #expect(command.exitCode() == 0, "\(command.said)")
    #expect(folder.text("page.html")?.contains("</html>") == true)
  }

  /// A folder with two scenarios, and with a file that is no library under the name of one.
  private func folder(without library: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let isWritten =
      folder.write("br.scenario.yaml", Self.compressed)
      && folder.write("plain.scenario.yaml", Self.plain) && folder.write(library, "")
    try #require(isWritten)
    return folder
  }

  private func run(
    _ verb: String, _ folder: TemporaryFolder, _ options: [String]
  ) throws -> SpawnedCommand {
    try #require(
      SpawnedCommand(
        ["LD_LIBRARY_PATH=\(folder.path)", SpawnedCommand.built("rehearse"), verb, folder.path]
          + options, program: "env"))
  }
}
