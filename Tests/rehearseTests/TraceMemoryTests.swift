import TestKit
import Testing

/// Traces may be larger than memory: what a command keeps of a line is its place.
@Suite struct TraceMemoryTests {
  /// Bytes that a command may keep of each line: its index, and who caused whom.
  private static let mostBytesOfLine = 100
  /// Bytes by which the memory of two equal runs may differ, since the system gives it in pieces.
  private static let noise = 1 << 20

  private static let measure = """
    import resource, subprocess, sys
    with open(sys.argv[1], 'w') as output:
      code = subprocess.run(sys.argv[2:], stdout=output, stderr=subprocess.STDOUT).returncode
    print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
    """

  @Test(
    .enabled(
      if: SpawnedCommand(["--version"], program: "python3")?.exitCode() == 0,
      "python3 is not installed"),
    arguments: [
      "trace show --all", "trace show --json", "trace stats", "trace diff OTHER",
      "trace export --to chrome", "trace export --to otlp", "trace export --to har",
      "trace requests --all", "trace export --to marbles --all", "check", "judge SCENARIO",
      "judge MAPPING", "trace export --to har STREAM",
    ])
  func `a trace of fifteen times as many lines takes no more memory`(command: String) throws {
    let folder = try TemporaryFolder()
    let (few, many) = (2_000, 30_000)
    let used = try [few, many].map { try kilobytes(of: command, lines: $0, in: folder) }
    #expect((used[1] - used[0]) * 1024 < Self.mostBytesOfLine * (many - few) + Self.noise)
  }

  private static let scenario = """
    scenario: A cart
    sources:
      cart: { initial: null }
    invariants:
      - always: cart == null || cart.total >= 0
      - leadsTo: { when: { cart: { total: 3 } }, then: { cart: { total: 6 } } }
    steps: [{ wait: 1s }]
    """

  /// The same for a log that another program wrote.
  private static let mapping = """
    scenario: A cart
    sources:
      cart:
        from: { where: has(line.source) && line.source == "cart", value: line.value }
        initial: null
    invariants:
      - always: cart == null || cart.total >= 0
    steps: [{ wait: 1s }]
    """

  /// Returns the most memory that a command had for a trace with so many lines.
  private func kilobytes(
    of command: String, lines: Int, in folder: TemporaryFolder
  ) throws -> Int {
    let trace = folder.file("\(lines).trace.jsonl")
    let isStream = command.hasSuffix("STREAM")
    let text = isStream ? stream(lines: lines) : conversation(lines: lines)
    try #require(folder.write("\(lines).trace.jsonl", text))
    try #require(folder.write("cart.scenario.yaml", Self.scenario))
    try #require(folder.write("mapping.scenario.yaml", Self.mapping))
    let operands = [
      "OTHER": trace, "SCENARIO": folder.file("cart.scenario.yaml"),
      "MAPPING": folder.file("mapping.scenario.yaml"),
    ]
    let words = command.split(separator: " ").filter { $0 != "STREAM" }
      .map { operands[String($0)] ?? String($0) }
    let measured = try #require(
      SpawnedCommand(
        ["-c", Self.measure, folder.file("output"), SpawnedCommand.built("rehearse")] + words
          + [trace],
        program: "python3", patience: 120_000_000))
    #expect(measured.exitCode() == 0)
    let said = measured.said.split(separator: " ").map { $0.filter(\.isNumber) }
    try #require(said.count == 2 && said[0] == "0", "\(folder.text("output")?.prefix(500) ?? "")")
    return try #require(Int(said[1]))
  }

  /// A stream of events that stays open.
  private func stream(lines: Int) -> String {
    var text = #"{"trace":1,"time":"virtual","clock":"2000-01-01T00:00:00Z"}"# + "\n"
    text += #"{"n":1,"us":1,"kind":"request","source":"api","value":{"method":"GET","path":"/"},"#
    text += #""connection":1,"from":"client"}"# + "\n"
    text += #"{"n":2,"us":2,"kind":"stream","source":"api","cause":1,"value":{"status":200},"#
    text += #""connection":1,"from":"server"}"# + "\n"
    let data = String(repeating: "x", count: 200)
    for number in 3...lines {
      text += "{\"n\":\(number),\"us\":\(number),"
      text += #""kind":"event","source":"api","cause":1,"connection":1,"from":"server","#
      text += "\"value\":{\"data\":\"\(data)\"}}\n"
    }
    return text
  }

  /// A stream that stays open, while requests are answered and a source emits.
  private func conversation(lines: Int) -> String {
    var text = #"{"trace":1,"time":"virtual","clock":"2000-01-01T00:00:00Z"}"# + "\n"
    let path = String(repeating: "x", count: 200)
    for number in 1...lines {
      let head = "{\"n\":\(number),\"us\":\(number)000,"
      switch number % 3 {
      case 1:
        text += head + #""kind":"request","source":"api","value":{"method":"GET","path":"/"#
        text += "\(path)\"},\"connection\":\(number),\"from\":\"client\"}\n"
      case 2 where number == 2:
        text += head + #""kind":"stream","source":"api","cause":1,"value":{"status":200},"#
        text += "\"connection\":1,\"from\":\"server\"}\n"
      case 2:
        text += head + "\"kind\":\"response\",\"source\":\"api\",\"cause\":\(number - 1),"
        text += "\"value\":{\"status\":200,\"body\":\"\(path)\"},\"connection\":\(number - 1),"
        text += "\"from\":\"server\"}\n"
      default:
        text += head + "\"source\":\"cart\",\"value\":{\"at\":\"\(path)\",\"total\":\(number)}}\n"
      }
    }
    return text
  }
}
