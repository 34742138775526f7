import ScenarioRuns
import Testing

@testable import rehearse

/// The arguments of sweeps in real time, and of courses that are served.
@Suite struct SweepArgumentsTests {
  private func parsed(_ verb: String, _ words: [String]) -> Command? {
    guard case .success(let command) = parseArguments([verb] + words) else { return nil }
    return command
  }

  @Test func `a sweep takes a world, and may list its courses`() throws {
    guard case .sweep(let arguments)? = parsed("sweep", ["a.yaml", "--against", "real", "--list"])
    else {
      Issue.record("the line was not taken")
      return
    }
    #expect(arguments.scope.listsOnly)
    #expect(arguments.world == .real(RealWorldSettings()))
  }

  @Test func `a line of a list of courses is taken by the option that repeats it`() throws {
    let line = "cut after event 1 of feed, connection 1; cut before event 1 of feed, connection 2"
    guard case .serve(let arguments)? = parsed("serve", ["a.yaml", "--disturb", line]) else {
      Issue.record("the line was not taken")
      return
    }
    #expect(arguments.disturbances.count == 2)
    #expect(SweepCourse(arguments.disturbances).commandLine == line)
    #expect(parsed("serve", ["a.yaml", "--disturb", line + ";"]) == nil)
    #expect(parsed("serve", ["a.yaml", "--disturb", line, "--courses", "c.txt"]) == nil)
  }

  @Test(arguments: [
    ("sweep a.yaml --update", "missing-argument"),
    ("sweep a.yaml --list --pin", "options-contradict"),
    ("sweep a.yaml --list --baseline b --update", "options-contradict"),
    ("replay a.trace.jsonl --until 4 --update", "options-contradict"),
    ("run a.yaml --log - --format json", "two-reports-shown"),
    ("run a.yaml --log=json --format junit=-", "two-reports-shown"),
  ])
  func `an option that would be ignored beside another is refused`(line: String, id: String) {
    guard case .failure(let problem) = parseArguments(line.split(separator: " ").map(String.init))
    else {
      Issue.record("the line was taken")
      return
    }
    #expect(problem.diagnostic.id.rawValue == id)
  }

  @Test(arguments: [
    "sweep a.yaml --list --baseline b", "run a.yaml --log - --format human",
    "run a.yaml --log - --format json=b", "run a.yaml --log b --format json",
  ])
  func `options that go together are taken`(line: String) {
    let words = line.split(separator: " ").map(String.init)
    #expect(parsed(words[0], Array(words.dropFirst())) != nil)
  }

  @Test func `the help for two reports is a line to write`() {
    guard
      case .failure(let problem) = parseArguments(
        ["run", "a.yaml", "--format", "tap", "--format", "junit=-"])
    else {
      Issue.record("the line was taken")
      return
    }
    #expect(problem.diagnostic.help == "write one of them to a file: `--format junit=FILE`")
  }

  @Test func `a sweep may try all places that are alike`() throws {
    guard case .sweep(let few)? = parsed("sweep", ["a.yaml"]),
      case .sweep(let all)? = parsed("sweep", ["a.yaml", "--all-places"])
    else {
      Issue.record("the lines were not taken")
      return
    }
    #expect(!few.scope.allPlaces && all.scope.allPlaces)
  }

  @Test(arguments: [
    ("refuse connection 1 of a; explode", "`explode` names no disturbance", "explode"),
    ("explode; refuse connection 1 of a", "`explode` names no disturbance", "explode"),
    (
      "refuse connection 1 of a;", "a disturbance is missing behind `;`",
      "'refuse connection 1 of a;'"
    ),
  ])
  func `the wrong one of several disturbances is marked`(
    line: String, message: String, marked: String
  ) throws {
    guard case .failure(let problem) = parseArguments(["run", "a.yaml", "--disturb", line]) else {
      Issue.record("the line was taken")
      return
    }
    #expect(problem.diagnostic.message == message)
    let range = try #require(problem.diagnostic.labels.first?.range)
    let text = CommandLineText(["run", "a.yaml", "--disturb", line]).text
    let bytes = Array(text.utf8)[Int(range.start)..<Int(range.end)]
    #expect(String(decoding: bytes, as: UTF8.self) == marked)
  }

  @Test func `a sweep says how long it will be, and how far it is`() {
    var forecast = SweepForecast(jobs: 4)
    forecast.add(23, .init(holding: 1_900_000, failing: 3_900_000))
    #expect(
      forecastText(forecast, rows: 1)
        == "23 courses in real time, 4 side by side: about 11s if all hold, 1m8s if all fail")
    forecast.add(1, .init(holding: 10, failing: 10))
    #expect(forecastText(forecast, rows: 2).hasPrefix("24 courses of 2 scenarios in real time, 4 "))
    var alone = SweepForecast(jobs: 1)
    alone.add(1, .init(holding: 10, failing: 10))
    #expect(
      forecastText(alone, rows: 1) == "1 course in real time: about 1s if all hold, 1s if all fail")
    let steps = (SweepSteps(done: 3, all: 23), SweepSteps(done: 1, all: 2))
    #expect(statusText(steps.0, rows: steps.1) == "3 of 23 courses, 1 of 2 scenarios")
  }
}
