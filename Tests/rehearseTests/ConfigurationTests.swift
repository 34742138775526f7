import ScenarioRuns
import Testing
import Values

@testable import rehearse

@Suite struct ConfigurationTests {
  private func configuration(_ text: String) -> Configuration {
    let files = ComponentFiles.inMemory(["rehearse.yaml": text])
    return Configurations(of: ["."], inputs: .init(), files: files).configuration(of: ".")
  }

  private func run(_ line: String, _ text: String) throws -> RunArguments {
    var arguments = try #require(try parseArguments(["run"] + words(line)).get().run)
    #expect(arguments.complete(by: configuration(text)) == [])
    return arguments
  }

  @Test(arguments: ReportRequest.Format.allCases)
  func `a report of each format can be configured`(_ format: ReportRequest.Format) throws {
    let arguments = try run("", "reports: { \(format.rawValue): out/report }")
    #expect(arguments.output.requests.last == ReportRequest(format: format, path: "out/report"))
    #expect(arguments.output.requests.contains { $0.path == nil })
  }

  @Test func `every limit stands for its option`() throws {
    let text = "limits: { jobs: 3, retries: 2, maxTime: 1s, deadline: 2s, logLimit: 5 }"
    let configured = try run("", text)
    let given = try run(
      "--jobs 3 --retries 2 --max-time 1s --deadline 2s --log-limit 5", "limits: { jobs: 9 }")
    #expect(configured.jobs == given.jobs && configured.retries == given.retries)
    #expect(configured.maxTime == given.maxTime && configured.deadline == given.deadline)
    #expect(configured.options.logLimit == given.options.logLimit)
  }

  @Test func `two reports on standard output are refused`() throws {
    var arguments = try #require(try parseArguments(["run"]).get().run)
    let problems = arguments.complete(by: configuration("reports: { json: '-', tap: '-' }"))
    #expect(problems.map(\.id) == ["two-reports-shown"])
  }
}

extension Command {
  fileprivate var run: RunArguments? {
    if case .run(let arguments) = self { arguments } else { nil }
  }
}
