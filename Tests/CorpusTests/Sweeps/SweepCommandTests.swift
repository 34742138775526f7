import TestKit
import Testing

/// Sweeps as a build server starts them.
@Suite struct SweepCommandTests {
  @Test func `a configuration and its set-up hold for a sweep as for a run`() throws {
    let folder = try TemporaryFolder()
    let configuration = """
      paths: [shop]
      vars: { limit: 3 }
      endpoints:
        api:
          http:
            - { post: /login, respond: { json: { user: Ann } } }
            - { get: /item, respond: { json: { n: 3 } } }
      setup:
        - request: { endpoint: api, post: /login, expect: { json: { user: { $as: user } } } }
      """
    // The provider does not ask again, so that a lost answer is a failure.
    let scenario = """
      scenario: A shop
      providers: { items: { endpoint: api, get: /item } }
      reactors:
        shop:
          state: { item: null }
          actions: { open: { steps: [{ load: { item: items } }] } }
      steps:
        - check: user == 'Ann' && limit == 3
        - send: shop.open
        - eventually: kind(shop.item) == 'loaded'
        - check: shop.item.loaded.n == 3
      """
    let isWritten =
      folder.write("rehearse.yaml", configuration)
      && folder.write("shop.scenario.yaml", scenario)
    try #require(isWritten)
    let list = try #require(SpawnedCommand(["sweep", folder.path, "--list"]))
    #expect(list.exitCode() == 0, "\(list.said)")
    #expect(list.said.contains("lose answer 1 of api, connection 1"), "\(list.said)")
    let sweep = try #require(SpawnedCommand(["sweep", folder.path, "--pin"]))
    #expect(sweep.exitCode() == 1, "\(sweep.said)")
    #expect(sweep.said.contains("pinned: "), "\(sweep.said)")
  }

  @Test func `a set-up that fails ends a sweep with its reason`() throws {
    let folder = try TemporaryFolder()
    let isWritten =
      folder.write("rehearse.yaml", "setup: [{ check: 1 == 2 }]")
      && folder.write("a.scenario.yaml", "scenario: A\nsteps: [{ wait: 1s }]")
    try #require(isWritten)
    let sweep = try #require(SpawnedCommand(["sweep", folder.path]))
    #expect(sweep.exitCode() == 1, "\(sweep.said)")
    #expect(sweep.said.contains("rehearse.yaml:1:"), "\(sweep.said)")
  }

  private static let empty = "scenario: S\nsteps: [{ check: 1 + 1 == 2 }]\n"

  private func sweep(_ folder: TemporaryFolder, _ words: String...) throws -> (Int32?, String) {
    let command = try #require(SpawnedCommand(["sweep"] + words))
    let code = command.exitCode()
    return (code, command.said.replacing(folder.file(""), with: ""))
  }

  @Test func `a sweep that tries nothing does not pass, unless another scenario is swept`() throws {
    let folder = try TemporaryFolder()
    #expect(folder.write("a.scenario.yaml", Self.empty))
    let (code, said) = try sweep(folder, folder.file("a.scenario.yaml"))
    #expect(code == 4)
    #expect(said.contains("warning[sweep-without-places]: nothing was tried"), "\(said)")
    #expect(said.contains("error[nothing-swept]"), "\(said)")
    let orders = try #require(fileText("scenarios/sweep/orders.scenario.yaml"))
    #expect(folder.write("b.scenario.yaml", orders))
    let (others, _) = try sweep(folder, folder.file(""))
    #expect(others == 1)
    #expect(try sweep(folder, folder.file("a.scenario.yaml"), "--list").0 == 4)
  }

  @Test func `a sweep whose time is over before its first course does not pass`() throws {
    let folder = try TemporaryFolder()
    let orders = try #require(fileText("scenarios/sweep/orders.scenario.yaml"))
    #expect(folder.write("a.scenario.yaml", orders))
    let (code, said) = try sweep(folder, folder.file("a.scenario.yaml"), "--max-time", "1us")
    #expect(code == 4, "\(said)")
    #expect(said.contains("the time of `--max-time` was over before the first"), "\(said)")
  }

  /// Two files with one title, of which each has the wrong client of orders.
  private func twoFiles() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let orders = try #require(fileText("scenarios/sweep/orders.scenario.yaml"))
    for name in ["a", "b"] { #expect(folder.write("\(name).scenario.yaml", orders)) }
    return folder
  }

  @Test func `a known failure of one file is new in another with the same title`() throws {
    let folder = try twoFiles()
    let (a, baseline) = (folder.file("a.scenario.yaml"), folder.file("known.txt"))
    #expect(try sweep(folder, a, "--baseline", baseline, "--update").0 == 0)
    let text = folder.text("known.txt") ?? ""
    #expect(text.hasPrefix("a.scenario.yaml::"), "\(text)")
    #expect(try sweep(folder, a, "--baseline", baseline).0 == 0)
    let (code, said) = try sweep(folder, folder.file(""), "--baseline", baseline)
    #expect(code == 1 && said.contains("FAIL b.scenario.yaml"), "\(said)")
  }

  @Test func `a baseline that names no files counts for each file with its title`() throws {
    let folder = try twoFiles()
    let (a, baseline) = (folder.file("a.scenario.yaml"), folder.file("known.txt"))
    #expect(try sweep(folder, a, "--baseline", baseline, "--update").0 == 0)
    let text = folder.text("known.txt") ?? ""
    #expect(folder.write("known.txt", text.replacing("a.scenario.yaml::", with: "")))
    #expect(try sweep(folder, folder.file(""), "--baseline", baseline).0 == 0)
  }

  @Test func `a course that was pinned before keeps its file`() throws {
    let folder = try TemporaryFolder()
    let orders = try #require(fileText("scenarios/sweep/orders.scenario.yaml"))
    #expect(folder.write("a.scenario.yaml", orders))
    let first = try sweep(folder, folder.file("a.scenario.yaml"), "--pin").1
    #expect(first.contains("pinned: a.pinned-1.scenario.yaml"), "\(first)")
    #expect(try sweep(folder, folder.file("a.scenario.yaml"), "--pin").1 == first)
    // A file that was changed is another one.
    #expect(folder.write("a.pinned-1.scenario.yaml", Self.empty))
    let third = try sweep(folder, folder.file("a.scenario.yaml"), "--pin").1
    #expect(!third.contains("a.pinned-1.scenario.yaml"), "\(third)")
    #expect(folder.text("a.pinned-1.scenario.yaml") == Self.empty)
  }
}
