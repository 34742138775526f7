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

  @Test func `a baseline of an older version counts, and a warning asks to write it again`() throws
  {
    let folder = try twoFiles()
    let baseline = folder.file("known.txt")
    let old = """
      An order without a key is placed once while no answer is lost: check-failed: \
      lose answer 1 of api, connection 1

      """
    #expect(folder.write("known.txt", old))
    let (code, said) = try sweep(folder, folder.file(""), "--baseline", baseline)
    #expect(code == 0 && said.contains("warning[old-baseline]"), "\(said)")
    #expect(try sweep(folder, folder.file(""), "--baseline", baseline, "--update").0 == 0)
    let (again, newer) = try sweep(folder, folder.file(""), "--baseline", baseline)
    #expect(again == 0 && !newer.contains("old-baseline"), "\(newer)")
  }

  private static let expecting = """
    scenario: A client
    endpoints: { api: { http: [{ get: /a, respond: { json: 1 } }] } }
    providers: { a: { endpoint: api, get: /a } }
    reactors: { ui: { state: { v: none }, actions: { go: [{ load: { v: a } }] } } }
    steps: [{ send: ui.go }, { expect: { ui.v: [loading, { loaded: 1 }] } }]

    """

  @Test func `courses that are not judged are counted in the last line, and strict fails them`()
    throws
  {
    let folder = try TemporaryFolder()
    let file = folder.file("a.scenario.yaml")
    #expect(folder.write("a.scenario.yaml", Self.expecting))
    let (code, said) = try sweep(folder, file)
    #expect(code == 0 && said.contains("warning[sweep-demands-nothing]"), "\(said)")
    let last = "14 courses: 0 held, 0 failed, 14 not judged, 0 unclear, 0 not reached; 0 left out\n"
    #expect(said.hasSuffix(last), "\(said)")
    let (strict, complaint) = try sweep(folder, file, "--strict")
    #expect(strict == 1 && complaint.contains("error[sweep-demands-nothing]"), "\(complaint)")
    let (same, tried) = try sweep(folder, file, "--same")
    #expect(same == 1 && tried.contains("error[swept-end-differs]"), "\(tried)")
    #expect(folder.text("a.scenario.yaml") == Self.expecting)
    let (_, json) = try sweep(folder, file, "--format", "json")
    #expect(json.contains("\"notJudged\":14") || json.contains("\"notJudged\": 14"), "\(json)")
  }

  @Test func `the report of a sweep does not depend on the number of jobs`() throws {
    let folder = try TemporaryFolder()
    let paths = ["scenarios/sweep/orders.scenario.yaml", "scenarios/sweep/feed.scenario.yaml"]
    let one = try sweep(folder, paths[0], paths[1], "--jobs", "1")
    let three = try sweep(folder, paths[0], paths[1], "--jobs", "3")
    #expect(one.0 == 1 && one.1 == three.1)
  }

  @Test func `a sweep of programs does not name virtual time, and ends rows in their order`()
    throws
  {
    let folder = try TemporaryFolder()
    let program = """
      scenario: A program
      cases: [{ id: a, w: 0.2 }, { id: b, w: 0 }]
      endpoints: { api: { http: [{ get: /a, respond: { text: hello } }] } }
      programs:
        p:
          run: [sh, -c, "sleep ${w}; curl -s $URL/a; echo"]
          env: { URL: "${api.url}" }
      sweep: { same: [p], settle: 100ms, disturb: { api: [late] } }
      steps: [{ expect: { p: hello } }]

      """
    #expect(folder.write("p.scenario.yaml", program))
    let (code, said) = try sweep(folder, folder.file("p.scenario.yaml"))
    #expect(code == 0 && !said.contains("virtual"), "\(said)")
    #expect(said.contains("courses of 2 scenarios in real time"), "\(said)")
    let rows = said.split(separator: "\n").filter { $0.contains(" place") }.map { $0.prefix(17) }
    #expect(rows == ["p.scenario.yaml:2", "p.scenario.yaml:2"], "\(said)")
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
