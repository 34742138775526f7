import Diagnostics
import Testing
import Values

@testable import rehearse

/// The command line of a command in virtual time, and where its own options begin.
@Suite struct TimeArgumentsTests {
  private func parsed(_ line: String) throws -> TimeArguments {
    guard case .time(let arguments) = try parseArguments(words("time " + line)).get() else {
      throw NoTime()
    }
    return arguments
  }

  private struct NoTime: Error {}

  @Test(arguments: [
    ("-- pytest -q --seed 3", "pytest -q --seed 3"), ("pytest -q --twice", "pytest -q --twice"),
    ("-q sh -c true", "sh -c true"), ("-q -- -x --help", "-x --help"), ("-- a -- b", "a -- b"),
    ("a -- b --help", "a -- b --help"), ("--seed 3 a --seed 4", "a --seed 4"),
  ])
  func `the options behind the command are its own`(line: String, command: String) throws {
    let arguments = try parsed(line)
    #expect(arguments.command == words(command))
    #expect(!arguments.isTwice && [nil, 3].contains(arguments.seed))
  }

  @Test func `without options a command has thirty days, once, and no judge`() throws {
    var usual = TimeArguments()
    usual.command = ["true"]
    #expect(try parsed("true") == usual)
    #expect(usual.timeout == 30 * 86_400_000_000)
  }

  @Test func `each option is read`() throws {
    let one = try parsed(
      """
      --serve a.yaml --port 8080 --port b=81 --clock 2026-03-01T09:00:00Z --seed 0x10 \
      --timeout 2h --fail-on doubts --log l.json --color never --quiet -- x
      """)
    #expect(one.served == "a.yaml" && one.ports == ["8080", "b=81"])
    #expect(one.clock == Timestamp(text: "2026-03-01T09:00:00Z"))
    #expect(one.seed == 16 && one.timeout == 7_200_000_000)
    #expect(one.failsOnDoubts && one.isQuiet && !one.isTwice)
    #expect(one.log == "l.json" && one.color == .never)
    #expect(try parsed("--twice x").isTwice)
  }

  @Test(arguments: [
    ("", "missing-argument"), ("--", "missing-argument"), ("--twice", "missing-argument"),
    ("--clock yesterday x", "bad-option-value"), ("--fail-on flaky x", "bad-option-value"),
    ("--timeout long x", "bad-option-value"), ("--port 80 x", "bad-option-value"),
    ("--serve a --twice x", "options-contradict"), ("--jobs 2 x", "unknown-option"),
    ("--seed -- x", "option-needs-value"),
  ])
  func `a line that makes no sense is refused`(line: String, id: String) {
    #expect(parseArguments(words("time " + line)).problem?.diagnostic.id.rawValue == id)
  }
}
