import Glibc
import TestKit
import Testing
import Verdicts

/// Traces that programs in other languages write.
@Suite struct ForeignTraceTests {
  private static let writers = packageRoot + "/scenarios/traces/writers/"

  /// Whether a program is on this machine. Where it is not, the test is reported as skipped.
  private static func has(_ program: String) -> Bool {
    SpawnedCommand(["--version"], program: program)?.exitCode() == 0
  }

  private func judge(_ trace: String) throws -> [String]? {
    let path = "scenarios/traces/cart.scenario.yaml"
    let verdict = Loading(try #require(fileText(path)), path: path).judge(trace)
    return verdict?.failures.map(\.message)
  }

  private func output(_ program: String, _ arguments: [String]) throws -> String {
    let command = try #require(SpawnedCommand(arguments, program: program, patience: 60_000_000))
    #expect(command.exitCode() == 0)
    return command.said
  }

  @Test(.enabled(if: has("python3"), "python3 is not installed"))
  func `a trace that a Python program writes is judged`() throws {
    let trace = try output("python3", [Self.writers + "trace.py"])
    #expect(try judge(trace) == [])
    let cut = trace.replacing(#""paid""#, with: #""failed""#)
    #expect(try judge(cut)?.isEmpty == false)
  }

  @Test(.enabled(if: has("node"), "node is not installed"))
  func `a trace that a JavaScript program writes is judged`() throws {
    #expect(try judge(try output("node", [Self.writers + "trace.js"])) == [])
  }

  @Test(.enabled(if: has("python3"), "python3 is not installed"))
  func `logs of OpenTelemetry become a trace`() throws {
    let folder = try TemporaryFolder()
    let records = """
      {"timeUnixNano":"1763798401000000000","eventName":"payments","attributes":[\
      {"key":"amount","value":{"intValue":"45"}},{"key":"key","value":{"stringValue":"k-81"}}]},\
      {"timeUnixNano":"1763798400000000000","eventName":"cart.total","body":{"intValue":"45"}}
      """
    let logs = #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[\#(records)]}]}]}"#
    let path = folder.file("logs.jsonl")
    #expect(folder.write("logs.jsonl", logs + "\n"))
    let trace = try output("sh", ["-c", "python3 \(Self.writers)otlp.py < '\(path)'"])
    #expect(
      trace == """
        {"trace": 1, "by": "otlp"}
        {"us": 0, "source": "cart.total", "value": 45}
        {"us": 1000000, "source": "payments", "value": {"amount": 45, "key": "k-81"}}

        """)
  }
}
