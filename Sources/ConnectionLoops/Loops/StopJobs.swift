/// The jobs that run when a loop is stopped. Only jobs of the loop use them.
package struct StopJobs {
  private var jobs: [Int: () -> Void] = [:]
  private var lastNumber = 0

  package init() {}

  var count: Int { jobs.count }

  /// Adds a job, and returns the number under which it is forgotten.
  package mutating func add(_ job: @escaping () -> Void) -> Int {
    lastNumber += 1
    jobs[lastNumber] = job
    return lastNumber
  }

  package mutating func forget(_ number: Int) { jobs[number] = nil }

  /// Returns all jobs, in the order in which they were added, and forgets them.
  package mutating func takeAll() -> [() -> Void] {
    defer { jobs = [:] }
    return jobs.sorted { $0.key < $1.key }.map(\.value)
  }
}
