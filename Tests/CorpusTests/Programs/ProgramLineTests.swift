import Diagnostics
import ScenarioEngine
import ScenarioRuns
import TestKit
import Testing
import Verdicts

/// Faults of the network strike the connections of programs. The client is a shell script over the
/// shell's own sockets, so that no interpreter is missing anywhere.
@Suite struct ProgramLineTests {
  private static let client = """
    programs:
      client:
        run:
          - bash
          - -c
          - |
            trap '' PIPE
            while read -r line; do
              answer=
              if exec 3<>/dev/tcp/127.0.0.1/$PORT; then
                printf 'GET / HTTP/1.1\\r\\nHost: api\\r\\nConnection: close\\r\\n\\r\\n' >&3
                answer=$(timeout 0.3 cat <&3 2>/dev/null | tail -n 1)
                exec 3<&-
              fi
              echo "answer: $answer"
            done
        env: { PORT: "${api.url.split(':')[2]}" }
    endpoints: { api: { http: [{ get: /, respond: { text: hello } }] } }

    """

  /// What the network does, and what the client then writes.
  static let conditions = [
    ("online", "answer: hello"), ("{ fragments: [1, 3] }", "answer: hello"),
    ("{ latency: 50ms }", "answer: hello"), ("{ faults: { reset: 1 } }", "answer: "),
    ("{ faults: { stall: 1 } }", "answer: "), ("{ loss: 1 }", "answer: "),
    ("offline", "answer: "),
  ]

  static func scenario(_ condition: String, _ line: String) -> String {
    """
    scenario: A line
    \(client)steps:
      - network: \(condition)
      - send: { client: go }
      - expect: { client: "\(line)" }
      - ignore: [api, client.errors]

    """
  }

  @Test(arguments: conditions)
  func `conditions of the network strike the lines between programs and mocks`(
    condition: String, line: String
  ) {
    let text = Self.scenario(condition, line)
    let file = loadScenarios(SourceFile(path: "line.scenario.yaml", bytes: Array(text.utf8)))
    #expect(render(file.diagnostics, in: file.sources) == "")
    for plan in file.plans {
      let verdict = runScenario(plan, inputs: RunInputs(seed: 1), sources: file.sources).verdict
      #expect(
        verdict.outcome == .passed, "\(render(verdict.failures, in: file.sources))")
    }
  }
}
