/// The jobs that run when a loop is stopped. Only jobs of the loop use them.
///
/// A job is forgotten without its loop: a weak reference to a loop would make each use of it
/// slower.
package final class StopJobs {
  private var jobs: [Int: () -> Void] = [:]
  private var lastNumber = 0

  package init() {}

  var count: Int { jobs.count }

  /// Adds a job, and returns a function that forgets it.
  package func add(_ job: @escaping () -> Void) -> () -> Void {
    lastNumber += 1
    let number = lastNumber
    jobs[number] = job
    return { [self] in jobs[number] = nil }
  }

  /// Returns all jobs, in the order in which they were added, and forgets them.
  package func takeAll() -> [() -> Void] {
    defer { jobs = [:] }
    return jobs.sorted { $0.key < $1.key }.map(\.value)
  }
}
