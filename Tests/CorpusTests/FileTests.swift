import Glibc
import ScenarioRuns
import TestKit
import Testing
import Verdicts

@Suite struct FileTests {
  @Test func `a pipe is refused instead of waited for`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pipe.scenario.yaml"
    #expect(mkfifo(path, 0o600) == 0)
    #expect(findFiles(at: path) == .unreadable(FileProblem.noFile.message))
    #expect(readFile(path) == .failure(.noFile))
  }

  @Test func `links in circles are searched once`() throws {
    let folder = try TemporaryFolder()
    for name in ["one", "two"] { #expect(symlink(".", folder.path + "/" + name) == 0) }
    let path = folder.path + "/three.scenario.yaml"
    #expect(writeFile(path, "scenario: A") == nil)
    #expect(findFiles(at: folder.path) == .files([path]))
  }

  @Test func `a link stays a link, and what it leads to is written`() throws {
    let folder = try TemporaryFolder()
    let (file, link) = (folder.path + "/file", folder.path + "/link")
    #expect(writeFile(file, "old") == nil)
    #expect(symlink("file", link) == 0)
    #expect(writeFile(link, "new") == nil)
    #expect(try readFile(file).get() == Array("new".utf8))
    var status = stat()
    #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
  }

  @Test func `what a link to an open file leads to is written behind what is there`() throws {
    let folder = try TemporaryFolder()
    let (file, link) = (folder.path + "/file", folder.path + "/link")
    #expect(writeFile(file, "said, ") == nil)
    let descriptor = open(file, O_RDONLY)
    defer { close(descriptor) }
    #expect(symlink("/proc/self/fd/\(descriptor)", link) == 0)
    #expect(writeFile(link, "reported") == nil)
    #expect(try readFile(file).get() == Array("said, reported".utf8))
  }

  @Test func `results are the same, in the same order, however many jobs there are`() {
    let files = Corpus.compared.map {
      // Real time is never the same twice.
      SuiteFile(path: packageRoot + "/" + $0, wants: { plan, _, _ in !plan.isInRealTime })
    }
    let alone = results(Suite(files: files, jobs: 1))
    #expect(alone.count > files.count)
    #expect(results(Suite(files: files, jobs: 4)) == alone)
  }

  @Test func `a reason why no row can run is reported once`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/rows.scenario.yaml"
    let text = """
      scenario: Rows
      cases: [{ id: one }, { id: two }, { id: three }]
      endpoints: { api: { http: [{ get: /t, respond: { json: 1 } }] } }
      steps: [{ request: { endpoint: api, get: /t, expect: { json: 1 } } }]
      """
    #expect(writeFile(path, text) == nil)
    let command = try #require(
      SpawnedCommand(["run", path, "--against", "real"], patience: 20_000_000))
    #expect(command.exitCode() == 2)
    #expect(command.said.split(separator: "error[endpoint-without-url]").count == 2)
    #expect(command.said.split(separator: ": could not run").count == 4)
  }

  private func results(_ suite: Suite) -> [String] {
    var results: [String] = []
    runSuite(suite) { file in
      results += file.scenarios.map { "\(file.path) \($0.plan.title) \($0.seed) \($0.verdict)" }
    }
    return results
  }
}
