import Diagnostics

/// The courses of a sweep by their outcome.
package struct SweepCounts: Sendable, Equatable {
  package var held = 0
  package var failed = 0
  /// The number of courses whose scenario demands no value, so that hardly any could fail.
  package var notJudged = 0
  /// The number of courses in which the scenario itself could not go on.
  package var unclear = 0
  /// The number of courses that failed in one run of two.
  package var flaky = 0
  /// The number of courses to whose place no run came.
  package var notReached = 0
  /// The number of courses that were not tried, because they are like others or the time was over.
  package var leftOut = 0

  package init() {}

  /// The courses that were tried.
  package var tried: Int { held + failed + notJudged + unclear + flaky + notReached }

  package mutating func add(_ other: SweepCounts) {
    held += other.held
    failed += other.failed
    notJudged += other.notJudged
    unclear += other.unclear
    flaky += other.flaky
    notReached += other.notReached
    leftOut += other.leftOut
  }
}

/// Returns the last line of a sweep, which says what it covers: `27 courses: 20 held, 0 failed, …`.
package func humanSweep(_ counts: SweepCounts) -> String {
  var parts = ["\(counts.held) held", "\(counts.failed) failed"]
  if counts.flaky > 0 { parts.append("\(counts.flaky) flaky") }
  parts += [
    "\(counts.notJudged) not judged", "\(counts.unclear) unclear",
    "\(counts.notReached) not reached",
  ]
  let courses = counts.tried == 1 ? "1 course" : "\(counts.tried) courses"
  return "\(courses): \(parts.joined(separator: ", ")); \(counts.leftOut) left out\n"
}

extension JSONWriter {
  mutating func addSweep(_ counts: SweepCounts?) {
    guard let counts else { return }
    member("sweep") { writer in
      writer.object {
        $0.member("held", counts.held)
        $0.member("failed", counts.failed)
        $0.member("notJudged", counts.notJudged)
        $0.member("unclear", counts.unclear)
        $0.member("flaky", counts.flaky)
        $0.member("notReached", counts.notReached)
        $0.member("leftOut", counts.leftOut)
      }
    }
  }
}
