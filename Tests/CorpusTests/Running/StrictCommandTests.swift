import TestKit
import Testing

/// What `--strict` and `--fail-on` make of checks that were never reached, as a shell runs them.
@Suite struct StrictCommandTests {
  private func said(_ command: String, in folder: TemporaryFolder) throws -> (Int?, String) {
    let line = "cd '\(folder.path)' && '\(SpawnedCommand.built("rehearse"))' \(command)"
    let command = try #require(SpawnedCommand(["-c", line], program: "bash"))
    return (command.exitCode().map { Int($0) }, command.said)
  }

  private static let ways = """
    scenario: Each row takes one way
    graph: { a: 0 }
    cases: [{ id: alpha, way: 1 }, { id: b, way: 2 }, { id: gamma ray, way: 2 }]
    steps:
      - if: way == 1
        then: [{ check: a == 0 }]
        else: [{ check: a == 0 }]

    """

  private static let closed = ways.replacing("way == 1", with: "way == 3")

  @Test
  func `a branch that another row enters is exercised, in whatever part of the suite it runs`()
    throws
  {
    let folder = try TemporaryFolder()
    #expect(folder.write("a.scenario.yaml", Self.ways))
    for choice in ["", "::'Each row takes one way'::alpha", "::'Each row takes one way'::b"] {
      let (code, said) = try said("run --strict a.scenario.yaml\(choice)", in: folder)
      #expect(code == 0, "\(said)")
    }
    for part in 1...2 {
      _ = try said(
        "run --strict a.scenario.yaml --shard \(part)/2 --format ndjson=\(part).ndjson", in: folder)
    }
    let (code, merged) = try said("report merge --strict 1.ndjson 2.ndjson", in: folder)
    #expect(code == 0, "\(merged)")
  }

  @Test func `a branch that no row enters fails strict runs, and strict merges of their parts`()
    throws
  {
    let folder = try TemporaryFolder()
    #expect(folder.write("a.scenario.yaml", Self.closed))
    let (code, said) = try said("run --strict a.scenario.yaml", in: folder)
    #expect(code == 1 && said.contains("a.scenario.yaml:6:14"), "\(said)")
    for part in 1...2 {
      let (code, said) = try self.said(
        "run --strict a.scenario.yaml --shard \(part)/2 --format ndjson=\(part).ndjson", in: folder)
      #expect(code == 0, "\(said)")
    }
    #expect(try self.said("report merge 1.ndjson 2.ndjson", in: folder).0 == 0)
    let (mergedCode, merged) = try self.said("report merge --strict 1.ndjson 2.ndjson", in: folder)
    #expect(mergedCode == 1 && merged.contains("branch `then`   a.scenario.yaml:6"), "\(merged)")
  }

  @Test func `what one of several repetitions has exercised is exercised`() throws {
    let folder = try TemporaryFolder()
    let text = """
      scenario: A coin
      graph: { a: 0 }
      vars: { coin: "${random.int(0, 1)}" }
      steps:
        - if: coin == 0
          then: [{ check: a == 0 }]
          else: [{ check: a == 0 }]

      """
    #expect(folder.write("a.scenario.yaml", text))
    #expect(try said("run --strict a.scenario.yaml", in: folder).0 == 1)
    let (code, said) = try said("run --strict --repeat 20 a.scenario.yaml", in: folder)
    #expect(code == 0, "\(said)")
  }

  @Test func `a row that evaluates nothing is a warning of its own`() throws {
    let folder = try TemporaryFolder()
    let text = """
      scenario: So often
      graph: { a: 0 }
      cases: [{ id: never, n: 0 }, { id: once, n: 1 }]
      steps: [{ repeat: "${n}", steps: [{ check: a == 0 }] }]

      """
    #expect(folder.write("a.scenario.yaml", text))
    #expect(try said("run --strict a.scenario.yaml", in: folder).0 == 0)
    let (code, said) = try said("run --fail-on warnings a.scenario.yaml", in: folder)
    #expect(code == 1 && said.contains("`--fail-on warnings`: 1 warning"), "\(said)")
  }

  private static let judged = """
    scenario: Judged
    sources: { a: {}, b: {} }
    invariants:
      - leadsTo: { when: { a: { id: { $as: id } } }, then: { b: "${id}" }, within: 1m }

    """

  @Test func `a judge fails for its warnings, and for invariants that the trace does not exercise`()
    throws
  {
    let folder = try TemporaryFolder()
    #expect(folder.write("a.scenario.yaml", Self.judged))
    #expect(folder.write("a.trace.jsonl", "{\"trace\":1}\n{\"kind\":\"emit\",\"source\":\"a\"}\n"))
    let judge = "judge a.scenario.yaml a.trace.jsonl"
    let (code, plain) = try said(judge, in: folder)
    #expect(code == 0)
    for id in ["unknown-kind", "no-invariant-exercised", "source-without-events"] {
      #expect(plain.contains("warning[\(id)]"), "\(plain)")
    }
    let (_, warned) = try said(judge + " --fail-on warnings", in: folder)
    #expect(warned.contains("`--fail-on warnings`: 3 warnings"), "\(warned)")
    #expect(try said(judge + " --fail-on warnings", in: folder).0 == 1)
    let (strict, said) = try self.said(judge + " --strict", in: folder)
    #expect(strict == 1 && said.contains("error[never-exercised]"), "\(said)")
  }

  @Test func `a judge of a log that goes on counts what may still be answered as open`() throws {
    let folder = try TemporaryFolder()
    #expect(folder.write("a.scenario.yaml", Self.judged))
    let lines = """
      {"trace":1}
      {"time":"2026-01-31T12:00:00Z","source":"a","value":{"id":1}}
      {"time":"2026-01-31T12:00:10Z","source":"b","value":1}
      {"time":"2026-01-31T12:04:30Z","source":"a","value":{"id":2}}
      {"time":"2026-01-31T12:04:40Z","source":"a","value":{"id":3}}
      {"time":"2026-01-31T12:05:00Z","source":"b","value":3}

      """
    #expect(folder.write("a.trace.jsonl", lines))
    let judge = "judge a.scenario.yaml a.trace.jsonl"
    let (code, short) = try said(judge, in: folder)
    #expect(code == 1 && short.contains("error[trace-too-short]"), "\(short)")
    #expect(short.contains("`--until=-1m`"), "\(short)")
    for until in ["-1m", "4m", "4m30s", "2026-01-31T12:04:00Z"] {
      let (code, said) = try said(judge + " --until \(until)", in: folder)
      #expect(code == 0 && said.contains("1 passed, 1 open"), "\(until): \(said)")
    }
    let (late, said) = try said(judge + " --until 4m31s", in: folder)
    #expect(late == 1 && said.contains("--until=4m31s"), "\(said)")
    #expect(try self.said(judge + " --until soon", in: folder).0 == 2)
    #expect(
      folder.write("a.trace.jsonl", "{\"trace\":1}\n{\"source\":\"a\",\"value\":{\"id\":1}}\n"))
    let undated = try self.said(judge + " --until 2026-01-31T12:04:00Z", in: folder)
    #expect(undated.0 == 2 && undated.1.contains("until-without-date"), "\(undated.1)")
  }

  @Test func `a replay and a check fail for their warnings`() throws {
    let folder = try TemporaryFolder()
    let text =
      "scenario: Sets\ngraph: { a: 0 }\nsteps:\n  - set: { a: 1 }\n  - check: a == 1\n"
      + "  - if: a == 2\n    then: [{ check: a == 3 }]\n"
    #expect(folder.write("a.scenario.yaml", text))
    #expect(try said("run a.scenario.yaml --record=traces", in: folder).0 == 0)
    #expect(try said("replay traces --fail-on warnings", in: folder).0 == 0)
    let (strict, replayed) = try said("replay traces --strict", in: folder)
    #expect(strict == 1 && replayed.contains("error[never-exercised]"), "\(replayed)")
    #expect(try said("check traces", in: folder).0 == 0)
    let (failed, checked) = try said("check traces --fail-on warnings", in: folder)
    #expect(failed == 1 && checked.contains("warning[no-rule-exercised]"), "\(checked)")
    let (code, said) = try said("check traces --strict", in: folder)
    #expect(code == 1 && said.contains("error[no-rule-exercised]"), "\(said)")
    let trace = try #require(folder.text("traces/a.sets.trace.jsonl"))
    #expect(
      folder.write(
        "traces/a.sets.trace.jsonl",
        trace.replacingFirst("\"kind\":\"phase\"", with: "\"kind\":\"phases\"")))
    let (warned, replayedAgain) = try self.said("replay traces --fail-on warnings", in: folder)
    #expect(warned == 1 && replayedAgain.contains("warning[unknown-kind]"), "\(replayedAgain)")
  }
}
