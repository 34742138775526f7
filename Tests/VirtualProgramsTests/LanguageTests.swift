import Glibc
import ScenarioRuns
import TestKit
import Testing

/// A client in each language, with each of the usual waits. The page of compatibility is made here.
@Suite struct LanguageTests {
  /// A language, with the command that runs its client; and the one that says its version.
  struct Language: CustomTestStringConvertible, Sendable {
    var name: String
    var program: String
    var run: String
    var version: String
    /// The second at which a client ends that was cut off twice, if it asks again by itself.
    var endOfCut = 10
    /// True if it wakes again and again while it waits, so that it never waits for ever.
    var wakesByItself = false

    var testDescription: String { name }
  }

  static let languages = [
    Language(
      name: "Python", program: "python3", run: "python3 client.py", version: "python3 --version"),
    Language(name: "Node", program: "node", run: "node client.js", version: "node --version"),
    Language(
      name: "Perl", program: "perl", run: "perl client.pl", version: "perl -e 'print $^V'"),
    Language(
      name: "bash", program: "bash", run: "bash client.sh", version: "echo bash $BASH_VERSION"),
    Language(
      name: "curl", program: "curl", run: "sh curl.sh",
      version: "echo $(curl --version | head -n1 | cut -d' ' -f1-2)",
      wakesByItself: true),
    Language(
      name: "Java", program: "javac", run: "java Client.java", version: "java --version",
      endOfCut: 5, wakesByItself: true),
    Language(name: "Ruby", program: "ruby", run: "ruby client.rb", version: "ruby --version"),
    Language(name: "PHP", program: "php", run: "php client.php", version: "php --version"),
    Language(
      name: "Go", program: "go", run: "go run client.go", version: "go version",
      wakesByItself: true),
  ]

  /// What a client does, with the requests that the mock gets, and the second at which it ends.
  struct Wait: Sendable {
    var name: String
    var path: String
    var routes: String
    var requests: Int
    var otherEvents: [String] = []
    var end: Int
  }

  static let waits = [
    Wait(
      name: "sleep", path: "/sleep", routes: "respond: { text: ok }", requests: 1, end: 10),
    Wait(
      name: "time-out", path: "/silent", routes: "respond: stall", requests: 1,
      otherEvents: ["{ cancelled: {} }"], end: 20),
    Wait(
      name: "back-off", path: "/busy",
      routes: """
        turns: [{ respond: { status: 503 } }, { respond: { status: 503 } }, \
        { respond: { status: 503 } }, { respond: { text: ok } }]
        """, requests: 4, end: 7),
    Wait(
      name: "cut", path: "/cut",
      routes: "turns: [{ respond: drop }, { respond: drop }, { respond: { text: ok } }]",
      requests: 3, end: 10),
  ]

  @Test(arguments: languages.filter { isInstalled($0.program) })
  func `a client waits as long as in real time`(_ language: Language) throws {
    for wait in Self.waits { try check(language, wait) }
    let page = try #require(fileText(Self.page))
    #expect(page.contains("\n| \(language.name) "), "\(language.name) is no row of \(Self.page)")
  }

  @Test(arguments: languages.filter { isInstalled($0.program) })
  func `a client without a time-out is named`(_ language: Language) throws {
    let silent = try #require(SilentServer())
    let run = try #require(
      TimedCommand(
        """
        cd '\(packageRoot)/Tests/TimePrograms' && \
        API_URL=http://127.0.0.1:\(silent.port) "$R" time -q --timeout 2m -- \(language.run) hang
        """))
    let id = language.wakesByItself ? "command-over-time" : "program-stuck"
    #expect(run.code == 1 && run.said.contains("error[\(id)]"), "\(run.said)")
  }

  @Test(arguments: languages.filter { isInstalled($0.program) && $0.name != "Java" })
  func `in a scenario, a client asks again at exact times`(_ language: Language) throws {
    let folder = try TemporaryFolder()
    let command = (language.run.split(separator: " ") + ["back-off"]).joined(separator: ", ")
    let scenario = """
      scenario: A client asks again after 1, 2 and 4 seconds
      time: virtual
      timeout: 1m
      endpoints: { api: { http: [{ get: /busy, \(Self.waits[2].routes) }] } }
      programs:
        client:
          run: [\(command)]
          env: { API_URL: "${api.url}" }
          folder: '\(packageRoot)/Tests/TimePrograms'
      steps:
        - expect:
            - { api: { get: /busy }, skip: true }
            - { api: { get: /busy }, after: 1s, skip: true }
            - { api: { get: /busy }, after: 2s, skip: true }
            - { api: { get: /busy }, after: 4s, skip: true }
            - { client.exit: 0, within: 1s, skip: true }
      """
    try #require(folder.write("back-off.scenario.yaml", scenario))
    let run = try #require(
      TimedCommand("\"$R\" run --fail-on doubts '\(folder.file("back-off.scenario.yaml"))'"))
    #expect(run.code == 0, "\(run.said)")
  }

  static let page = "docs/guides/programs-in-virtual-time.md"

  @Test func `the page of languages has those that were tried here`() throws {
    let version = try #require(TimedCommand("uname -sr"))
    let rows = try Self.languages.map { language in
      guard isInstalled(language.program) else { return "| \(language.name) | not run here |" }
      let said = try #require(TimedCommand(language.version)).said.prefix { $0 != "\n" }
      return "| \(language.name) | \(said) |"
    }
    let text = try #require(fileText(Self.page))
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let first = try #require(lines.firstIndex { $0.hasPrefix("| language |") })
    let end = lines[first...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
    let system = version.said.split(separator: "\n").first ?? ""
    let table = ["| language | tried on \(system) |", "|---|---|"] + rows
    if updatesGoldenTexts {
      let new = lines[..<first] + table + lines[end...]
      #expect(writeFile(packageRoot + "/" + Self.page, new.joined(separator: "\n")) == nil)
    }
    // Versions differ from machine to machine, and the languages do not.
    let names = lines[(first + 2)..<end].map { $0.split(separator: "|").first ?? "" }
    #expect(names == rows.map { $0.split(separator: "|").first ?? "" })
  }

  private func check(_ language: Language, _ wait: Wait) throws {
    let folder = try TemporaryFolder()
    let expected =
      Array(repeating: "{ get: \(wait.path) }", count: wait.requests) + wait.otherEvents
    let scenario = """
      scenario: A server for a client that waits
      timeout: 10h
      endpoints: { api: { http: [{ get: \(wait.path), \(wait.routes) }] } }
      steps: [{ expect: { api: [\(expected.joined(separator: ", "))] } }]
      """
    try #require(folder.write("api.scenario.yaml", scenario))
    let log = folder.file("log.json")
    let run = try #require(
      TimedCommand(
        """
        cd '\(packageRoot)/Tests/TimePrograms' && "$R" time -q --log '\(log)' \
        --serve '\(folder.file("api.scenario.yaml"))' -- \(language.run) \(wait.name)
        """))
    #expect(run.code == 0, "\(language.name) \(wait.name): \(run.said)")
    let end = try #require(fileText(log).flatMap(endOfCommand), "\(run.said)")
    let lastSecond = Double(wait.name == "cut" ? language.endOfCut : wait.end)
    // The threads of a JVM wait for each other with time-outs while it compiles.
    let tolerance = language.name == "Java" ? 0.6 : 0.001
    #expect(abs(end - lastSecond) <= tolerance, "\(language.name) \(wait.name) ended at \(end) s")
  }

  /// Returns the virtual seconds at which the command ended.
  private func endOfCommand(_ log: String) -> Double? {
    let line = log.split(separator: "\n").first {
      $0.contains("\"event\":\"exit\"") && $0.contains("\"program\":1")
    }
    return line.flatMap { line in
      Double(line.drop { $0 != ":" }.dropFirst().prefix { $0 != "," && $0 != "}" })
    }
  }
}
