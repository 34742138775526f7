import Diagnostics
import Explanations
import ScenarioRuns
import Testing

@testable import rehearse

/// The arguments of a `run` without options.
private let plainRun = RunArguments(
  scenarios: ScenarioChoice(
    selectors: [Selector(text: "scenarios", selection: .path("scenarios"))], tags: TagFilter()))

private func run(_ change: (inout RunArguments) -> Void) -> Command {
  var arguments = plainRun
  change(&arguments)
  return .run(arguments)
}

private func chosen(_ change: (inout WorldChoices) -> Void) -> WorldKind {
  var choices = WorldChoices()
  change(&choices)
  return .chosen(choices)
}

/// Returns the words of a line, split at spaces.
func words(_ line: String) -> [String] { line.split(separator: " ").map { String($0) } }

@Suite struct ArgumentsTests {
  @Test(arguments: [
    ("run", run { _ in }),
    ("run --seed 7", run { $0.seed = 7 }),
    (
      "run --strict --log-limit 1024",
      run { ($0.failsOn.isStrict, $0.options.logLimit) = (true, 1_024_000_000) }
    ),
    ("run --seed=0xfF", run { $0.seed = 255 }),
    ("run --seed 18446744073709551615", run { $0.seed = .max }),
    (
      "run --retries 2 --fail-on-flaky",
      run { ($0.retries, $0.failsOn.flaky) = (2, true) }
    ),
    ("run --jobs 4 --fail-fast", run { ($0.jobs, $0.failsFast) = (4, true) }),
    ("run -v", run { $0.output.detail = .verbose }),
    ("run --finally-time 1m", run { $0.finallyTime = 60_000_000 }),
    (
      "run --quiet --no-wall-times", run { ($0.output.detail, $0.showsWallTimes) = (.quiet, false) }
    ),
    (
      "run --color never --against mock",
      run {
        $0.output.color = .never
        $0.world = chosen { $0.others = .mock }
      }
    ),
    ("run --against sockets", run { $0.world = .sockets }),
    (
      "run --against real,webhook=sockets --against api=mock --no-drift",
      run {
        $0.world = chosen {
          $0.others = .real
          $0.choices = [.init("webhook", .sockets), .init("api", .mock)]
          $0.settings.ignoresDrift = true
        }
      }
    ),
    (
      "run --against api=trace:a.trace.jsonl",
      run {
        $0.world = chosen {
          $0.choices = [.init("api", .trace)]
          $0.trace = TraceWorld("a.trace.jsonl")
        }
      }
    ),
    (
      "run --against trace:a.trace.jsonl",
      run { $0.world = .trace(TraceWorld("a.trace.jsonl")) }
    ),
    ("run --vars-file a --vars-file=b", run { $0.inputs.variableFiles = ["a", "b"] }),
    ("run --env-file a --env-file=b", run { $0.inputs.environmentFiles = ["a", "b"] }),
    (
      "run --tag a --tag !b --tag c",
      run { $0.scenarios.tags = .init(wanted: ["a", "c"], excluded: ["b"]) }
    ),
    (
      "run --var a=1 --var b=c=d --var e=",
      run {
        $0.inputs.variables = [
          .init(name: "a", value: "1"), .init(name: "b", value: "c=d"), .init(name: "e", value: ""),
        ]
      }
    ),
    ("run --log a.jsonl", run { $0.log = .file("a.jsonl") }),
    ("run --log -", run { $0.log = .output(json: false) }),
    ("run --log=json --record", run { ($0.log, $0.record) = (.output(json: true), .init()) }),
    (
      "run --log json=- --record=d",
      run {
        ($0.log, $0.record) = (.output(json: true), .init(folder: "d"))
      }
    ),
    ("run --record-failures=d", run { $0.record = .init(onlyFailures: true, folder: "d") }),
    ("run --format json", run { $0.output.requests = [.init(format: .json)] }),
    (
      "run --format junit=a.xml --format json=b",
      run {
        $0.output.requests = [
          .init(format: .human), .init(format: .junit, path: "a.xml"),
          .init(format: .json, path: "b"),
        ]
      }
    ),
    (
      "run --format human=a --format=junit",
      run {
        $0.output.requests = [.init(format: .human, path: "a"), .init(format: .junit)]
      }
    ),
    (
      "run a.yaml b",
      run {
        $0.scenarios.selectors = [
          .init(text: "a.yaml", selection: .path("a.yaml")),
          .init(text: "b", selection: .path("b")),
        ]
      }
    ),
    (
      "run -- --seed -v",
      run {
        $0.scenarios.selectors = [
          .init(text: "--seed", selection: .path("--seed")),
          .init(text: "-v", selection: .path("-v")),
        ]
      }
    ),
    ("run -", run { $0.scenarios.selectors = [.init(text: "-", selection: .path("-"))] }),
    (
      "validate --format json",
      .validate(.init(scenarios: plainRun.scenarios, format: .json, color: .auto))
    ),
    (
      "list --color always",
      .list(.init(scenarios: plainRun.scenarios, format: .human, color: .always))
    ),
    ("schema", .schema(.init(kind: nil, destination: .standardOutput(.scenario)))),
    (
      "schema component", .schema(.init(kind: .component, destination: .standardOutput(.component)))
    ),
    ("schema --write a", .schema(.init(kind: nil, destination: .write(directory: "a")))),
    (
      "schema --check a scenario",
      .schema(.init(kind: .scenario, destination: .check(directory: "a")))
    ),
    ("explain", .explain(.init(name: nil))),
    ("explain out-of-order", .explain(.init(name: "out-of-order"))),
    ("init", .initialize(.init(directory: "scenarios"))),
    ("init here", .initialize(.init(directory: "here"))),
    (
      "eval -1+x --var x=1",
      .eval(.init(expression: "-1+x", variables: [.init(name: "x", value: "1")], color: .auto))
    ),
    ("--version", .version),
    ("run --version", .version),
  ])
  func `a command line means this command`(_ line: String, _ expected: Command) throws {
    #expect(try parseArguments(words(line)).get().meaning == expected.meaning)
  }

  @Test func `a value may begin with anything when it stands behind an equals sign`() throws {
    let command = try parseArguments(["run", "--tag=--odd", "--var=a= b"]).get()
    let expected = run {
      $0.scenarios.tags.wanted = ["--odd"]
      $0.inputs.variables = [VariableSetting(name: "a", value: " b")]
    }
    #expect(command.meaning == expected)
  }

  @Test(arguments: [
    ("rnu", "unknown-command", "rnu"),
    ("--seed 1", "option-before-command", "--seed"),
    ("run --sed 1", "unknown-option", "--sed"),
    ("run -x", "unknown-option", "-x"),
    ("run -vx", "unknown-option", "-vx"),
    ("list --seed 1", "unknown-option", "--seed"),
    ("run --=1", "unknown-option", "--=1"),
    ("run --seed", "option-needs-value", "--seed"),
    ("run --seed --jobs 1", "option-needs-value", "--seed"),
    ("run --tag -- a", "option-needs-value", "--tag"),
    ("run --fail-fast=yes", "option-takes-no-value", "--fail-fast=yes"),
    ("run --seed 1 --seed 2", "option-given-twice", "2"),
    ("run -vv", "option-given-twice", "-vv"),
    ("run --verbose -q", "options-contradict", "-q"),
    ("run -vq", "options-contradict", "-vq"),
    ("schema --check a --write b", "options-contradict", "b"),
    ("schema scenario component", "unexpected-argument", "component"),
    ("explain a b", "unexpected-argument", "b"),
    ("eval", "missing-argument", "eval"),
    ("run --seed -1", "bad-option-value", "-1"),
    ("run --seed +1", "bad-option-value", "+1"),
    ("run --seed 0x", "bad-option-value", "0x"),
    ("run --seed 18446744073709551616", "bad-option-value", "18446744073709551616"),
    ("run --jobs 0", "bad-option-value", "0"),
    ("run --jobs 1025", "bad-option-value", "1025"),
    ("run --var a", "bad-option-value", "a"),
    ("run --var =a", "bad-option-value", "=a"),
    ("run --tag= x", "bad-option-value", "--tag="),
    ("run --color red", "bad-option-value", "red"),
    ("run --format xml", "bad-option-value", "xml"),
    ("run --format json=", "bad-option-value", "json="),
    ("run --format json --format junit", "two-reports-shown", "junit"),
    ("run --format json --format junit=-", "two-reports-shown", "junit=-"),
    ("run --format json=a --format junit=a", "two-reports-in-one-file", "junit=a"),
    ("run --finally-time 5", "bad-option-value", "5"),
    ("run --against trace", "world-not-available", "trace"),
    ("run --against trace:", "world-not-available", "trace:"),
    ("run --against moon", "world-not-available", "moon"),
    ("run --against mock,real", "world-not-available", "mock,real"),
    ("run --against api=mock,api=real", "world-not-available", "api=mock,api=real"),
    ("run --against api=moon", "world-not-available", "api=moon"),
    ("run --against =real", "world-not-available", "=real"),
    ("run --against trace:a,b=trace:c", "world-not-available", "trace:a,b=trace:c"),
    ("run a.yaml:0", "bad-selector", "a.yaml:0"),
    ("run a::", "bad-selector", "a::"),
    ("schema sceneario", "bad-option-value", "sceneario"),
  ])
  func `a command line that means nothing is refused where it goes wrong`(
    _ line: String, _ id: String, _ pointedAt: String
  ) throws {
    let problem = try #require(parseArguments(words(line)).problem)
    #expect(problem.diagnostic.id.rawValue == id)
    #expect(diagnosticPages(on: .commandLine).contains { $0.id.rawValue == id })
    let range = try #require(problem.diagnostic.labels.first?.range)
    let bytes = Array(problem.line.text.utf8)[Int(range.start)..<Int(range.end)]
    #expect(String(decoding: bytes, as: UTF8.self) == pointedAt)
  }

  @Test(arguments: [
    ("vaildate", "did you mean `validate`?"),
    ("run --tga x", "did you mean `--tag`?"),
    ("run --no-walltimes", "did you mean `--no-wall-times`?"),
    ("list --format jsno", "did you mean `json`?"),
    ("scenarios/a.yaml", "to run scenarios, write `rehearse run scenarios/a.yaml`"),
    ("run --no-color", "write `--color never`"), ("run --bail", "did you mean `--fail-fast`?"),
    ("run --workers 4", "did you mean `--jobs`?"), ("run -t title", "did you mean `--grep`?"),
    ("run --variable a=1", "did you mean `--var`?"), ("test a.yaml", "write `rehearse run`"),
    ("lint", "write `rehearse validate`"), ("format", "write `rehearse fmt`"),
    ("version", "write `rehearse --version`"),
    (
      "-v",
      "write `rehearse --version` for the version, `rehearse run -v` for a longer report"
    ),
    ("run --against moon", "worlds are `mock`, `sockets`, `real`, `trace:FILE`"),
    (
      "run --against trace",
      "write `--against trace:FILE`, with a trace or a folder of traces"
    ),
  ])
  func `a mistyped word is answered with the one that was meant`(
    _ line: String, _ help: String
  ) throws {
    #expect(try #require(parseArguments(words(line)).problem).diagnostic.help == help)
  }

  @Test func `a usage error is shown like every other complaint`() throws {
    let problem = try #require(parseArguments(["run", "a b", "--sed", "7"]).problem)
    let page = """
      error[unknown-option]: `run` has no option `--sed`
       --> <command line>:1:20
        |
      1 | rehearse run 'a b' --sed 7
        |                    ^^^^^
        = help  did you mean `--seed`?

      """
    #expect(problem.rendered() == page)
  }
}

extension Result where Success == Command, Failure == UsageProblem {
  var problem: UsageProblem? {
    if case .failure(let problem) = self { problem } else { nil }
  }
}

extension Command {
  /// The command without the note which of its arguments the line has.
  fileprivate var meaning: Command {
    if case .run(var arguments) = self {
      (arguments.given, arguments.scenarios.isDefault) = ([], false)
      return .run(arguments)
    }
    if case .list(var arguments) = self {
      arguments.scenarios.isDefault = false
      return .list(arguments)
    }
    if case .validate(var arguments) = self {
      arguments.scenarios.isDefault = false
      return .validate(arguments)
    }
    if case .serve(var arguments) = self {
      arguments.scenarios.isDefault = false
      return .serve(arguments)
    }
    return self
  }
}
