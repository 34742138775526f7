import Diagnostics
import Secrets
import Verdicts

/// Returns a run in the Common Test Report Format.
package func ctrfReport(_ run: RunReport) -> String {
  let text = JSONWriter.object(.lines) { writer in
    writer.member("reportFormat", "CTRF")
    writer.member("specVersion", "0.0.0")
    writer.member("results") { writer in
      writer.object(.lines) { writer in
        writer.member("tool") { $0.object { $0.member("name", "rehearse") } }
        writer.member("summary") { $0.summary(of: run) }
        let tests = run.files.flatMap { file in
          (file.couldNotRun ? [CTRFTest.file(file)] : [])
            + file.scenarios.map { CTRFTest.scenario($0, file) }
        }
        writer.member("tests", listOf: tests, .lines) {
          $0.test($1, withTimes: run.wall != nil)
        }
      }
    }
  }
  return text + "\n"
}

private enum CTRFTest {
  case file(FileReport)
  case scenario(ScenarioReport, FileReport)
}

extension JSONWriter {
  fileprivate mutating func summary(of run: RunReport) {
    let tally = Tally(run.files)
    let wall = Int((run.wall ?? 0).magnitude / 1000)
    let start = run.wall == nil ? 0 : run.began ?? 0
    object {
      $0.member("tests", tally.total)
      $0.member("passed", tally.passed + tally.flaky)
      $0.member("failed", tally.failed + tally.couldNotRun)
      $0.member("skipped", tally.skipped)
      $0.member("pending", 0)
      $0.member("other", 0)
      $0.member("flaky", tally.flaky)
      $0.member("suites", run.files.count)
      $0.member("start", start)
      $0.member("stop", start + wall)
      if !run.leftOut.entries.isEmpty {
        $0.member("extra") { $0.object { $0.addLeftOut(run.leftOut) } }
      }
    }
  }

  fileprivate mutating func test(_ test: CTRFTest, withTimes: Bool) {
    switch test {
    case .file(let file):
      object {
        $0.member("name", file.path)
        $0.member("status", "failed")
        $0.member("duration", 0)
        $0.member("filePath", file.path)
        $0.member("rawStatus", "could-not-run")
        $0.add(file.diagnostics.filter { $0.severity == .error }, in: file, file.mask)
      }
    case .scenario(let scenario, let file): self.test(scenario, in: file, withTimes: withTimes)
    }
  }

  private mutating func test(
    _ scenario: ScenarioReport, in file: FileReport, withTimes: Bool
  ) {
    let verdict = scenario.verdict
    let wall = withTimes ? scenario.wall ?? 0 : 0
    object {
      $0.member("name", scenario.name)
      $0.member("status", status(of: verdict.outcome))
      $0.member("duration", Int(wall.magnitude / 1000))
      $0.member("suite", listOf: [file.path]) { $0.text($1) }
      $0.member("filePath", file.path)
      $0.member("line", scenario.line)
      $0.member("tags", listOf: scenario.tags) { $0.text(scenario.mask.masked($1)) }
      switch verdict.outcome {
      case .passed: break
      case .flaky:
        $0.member("retries", verdict.tries.count)
        $0.member("flaky") { $0.raw("true") }
        $0.add(verdict.tries.first ?? [], in: file, scenario.mask)
      case .failed: $0.add(verdict.failures, in: file, scenario.mask)
      case .couldNotRun:
        $0.member("rawStatus", "could-not-run")
        $0.add(verdict.failures, in: file, scenario.mask)
      case .skipped(let reason): $0.member("message", scenario.mask.masked(reason))
      }
    }
  }

  private mutating func add(
    _ failures: [Diagnostic], in file: FileReport, _ mask: SecretMask
  ) {
    guard let first = failures.first else { return }
    member("message", mask.masked(page: first.message))
    member("trace", page(of: failures, in: file, mask))
  }
}

private func status(of outcome: Verdict.Outcome) -> String {
  switch outcome {
  case .passed, .flaky: "passed"
  case .failed, .couldNotRun: "failed"
  case .skipped: "skipped"
  }
}
