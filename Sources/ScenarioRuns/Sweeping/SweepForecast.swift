import Values

/// The expected work of sweeps in real time.
package struct SweepForecast: Sendable, Equatable {
  /// The times that one run takes.
  package struct Lengths: Sendable, Equatable {
    /// If it recovers like the good run.
    package var holding: Microseconds
    /// If it does not.
    package var failing: Microseconds

    package init(holding: Microseconds, failing: Microseconds) {
      self.holding = holding
      self.failing = failing
    }
  }

  /// The number of courses, each of which is a run.
  package private(set) var courses = 0
  /// The number of runs side by side.
  package var jobs: Int
  private var sum = Lengths(holding: 0, failing: 0)

  package init(jobs: Int) { self.jobs = max(1, jobs) }

  /// Adds the courses of a scenario.
  package mutating func add(_ count: Int, _ lengths: Lengths) {
    courses += count
    sum.holding = SweepForecast.sum(sum.holding, count, lengths.holding)
    sum.failing = SweepForecast.sum(sum.failing, count, lengths.failing)
  }

  /// The time that all courses take if each of them recovers like the good run.
  package var length: Microseconds { sum.holding / Microseconds(jobs) }

  /// The time that they take if each of them fails. It is run again then, with fewer beside it.
  package var lengthOfFailures: Microseconds {
    SweepForecast.sum(0, 3, sum.failing / Microseconds(jobs))
  }

  private static func sum(
    _ before: Microseconds, _ count: Int, _ length: Microseconds
  ) -> Microseconds {
    let (product, overflow) = length.multipliedReportingOverflow(by: Microseconds(count))
    let (sum, isTooLong) = before.addingReportingOverflow(product)
    return overflow || isTooLong ? .max : sum
  }
}
