import TestKit
import Testing

/// What scenarios and servers say must command neither a terminal nor a build server.
@Suite struct HostileOutputTests {
  private static let controls = #"\e[31m\e]0;w\a\u202e\u009b31m\r\u200b\x7f"#
  private static let body =
    #"one\n  ::error::body\n##vso[task.x]y\n\u00a0::add-mask::a"#
  private static let scenario = """
    scenario: "title BAD\\n::error::title ##vso[task.complete]"
    tags: ["t\\e[2JBAD"]
    cases:
      - { id: "row BAD\\n::warning::row", a: 1 }
      - { id: two, a: 2 }
    endpoints:
      api:
        http:
          - get: /
            respond:
              status: 500
              text: "BODY BAD ##teamcity[x] ##[e]z"
    reactors: { r: { actions: { go: [{ log: "two\\n::set-output name=a::BAD" }] } } }
    steps:
      - log: "::stop-commands::BAD\\n::stop-commands::x"
      - send: r.go
      - request: { endpoint: api, get: "/", expect: { status: 200, text: "x\\n::error::BAD" } }
    ---
    scenario: "skipped BAD"
    skip: "why BAD\\n::error::skip"
    steps: []
    """.replacing("BODY", with: body).replacing("BAD", with: controls)

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try #require(folder.write("a\u{1B}[31m\u{202E}\u{9B}\r.scenario.yaml", Self.scenario + "\n"))
    let broken = "scenario: \"broken \(Self.controls)\"\nstepz: []\n"
    try #require(folder.write("broken.scenario.yaml", broken))
    let command = try said("run . --record=traces")
    try #require(command.contains("2 failed"))
  }

  /// Returns what a command line says, as a build server runs it.
  private func said(_ line: String, _ server: String = "TF_BUILD=True") throws -> String {
    let command = try #require(SpawnedCommand(shell: "\(server) \"$R\" \(line)", in: folder))
    _ = command.exitCode()
    try #require(!command.said.isEmpty)
    return command.said
  }

  private static let commands = [
    "run .", "run . -v", "run . --format json", "run . --format junit", "run . --format ndjson",
    "run . --format tap", "run . --format ctrf", "run . --format codequality",
    "run . --format html", "run . --log -", "run . --coverage -v", "run . --slowest 3",
    "run . --against sockets", "run . --color always", "run a*::nope", "run nope$(echo a*)",
    "list .", "list . --format json", "validate .", "validate broken*", "validate . --format json",
    "sweep .", "sweep . --list", "fmt --check .", "fmt --diff .", "config a*",
    "explain \"$(echo a*)\"",
    "trace show traces/*two*", "trace show --json traces/*two*", "trace stats traces/*two*",
    "trace export --to har traces/*two*", "trace export --to marbles traces/*two*",
    "trace export --to otlp traces/*two*", "trace requests traces/*two*", "trace audit traces",
    "check traces/*two*", "replay traces/*two*", "judge traces/*two*", "serve a*",
    "import traces/*two* --write made.yaml", "eval '\"a\\u202e\\u009b##vso[x]\"'",
  ]

  @Test(arguments: commands)
  func `no output has a control character or a command`(_ line: String) throws {
    let text = try said(line)
    let withoutColours = text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    for scalar in (line.contains("--color") ? withoutColours : text).unicodeScalars {
      #expect(!obeyed(scalar), "U+\(String(scalar.value, radix: 16)) in \(line)")
    }
    for words in text.split(separator: "\n") {
      let line = words.drop { $0.isWhitespace }
      #expect(!line.hasPrefix("::"), "\(words)")
      for command in ["##vso[", "##teamcity[", "##["] {
        #expect(!line.contains(command), "\(words)")
      }
    }
  }

  private func obeyed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0..<0x20, 0x7F..<0xA0, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0xFEFF: true
    default: false
    }
  }

  @Test(arguments: ["GITHUB_ACTIONS=true", "TF_BUILD=True", "TEAMCITY_VERSION=2026.1"])
  func `a command is broken in a way that a reader sees`(_ server: String) throws {
    let text = try said("run a* --no-wall-times", server)
    for line in [
      ":\\:error::body", "#\\#vso[task.x]y", ":\\:add-mask::a", "#\\#teamcity[x] #\\#[e]z",
    ] {
      #expect(text.contains(line), "\(line)")
    }
  }

  @Test func `elsewhere what a server says is shown as it is`() throws {
    let text = try said("run a* --no-wall-times", "")
    for line in ["  ::error::body\n", "##vso[task.x]y", "##teamcity[x] ##[e]z"] {
      #expect(text.contains(line), "\(line)")
    }
  }

  @Test func `a report for programs has the same values on a build server`() throws {
    for format in ["json", "ndjson", "ctrf", "codequality"] {
      #expect(try said("run . --no-wall-times --format \(format) 2>&-").contains("#\\u0023vso["))
    }
    let same = """
      run . --no-wall-times --format json 2>&- > server.json; \
      "$R" run . --no-wall-times --format json 2>&- > desk.json; \
      python3 -c 'import json; a, b = [json.load(open(n)) for n in ("server.json", "desk.json")]; \
      print("same" if a == b and open("server.json").read() != open("desk.json").read() else "no")'
      """
    #expect(try said(same) == "same\n")
  }

  @Test func `the program's own commands pass, and have no control characters`() throws {
    let marks = try said("run a* --format github 2>&-", "GITHUB_ACTIONS=true")
    let lines = marks.split(separator: "\n")
    #expect(lines.count == 2)
    for line in lines {
      #expect(line.hasPrefix("::error file=a␛[31m<U+202E><U+009B>␍.scenario.yaml,"))
    }
    #expect(!marks.unicodeScalars.contains(where: obeyed))
    let beside = try said("run a*", "GITHUB_ACTIONS=true")
    #expect(beside.split(separator: "\n").count { $0.hasPrefix("::error file=") } == 2)
  }

  @Test func `an imported scenario can be read, whatever its recording is named`() throws {
    #expect(
      try said("import traces/*two* --write made.yaml && \"$R\" validate made.yaml").contains(
        "1 valid"))
  }

  @Test func `the text of a file is written unchanged for the program that reads it`() throws {
    let script = "fmt - < a* > one; TF_BUILD=1 \"$R\" fmt - < a* > two; cmp one two && echo same"
    #expect(try said(script, "").hasSuffix("same\n"))
  }
}
