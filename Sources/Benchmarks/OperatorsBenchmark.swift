import Glibc
import Publishers

/// Nanoseconds per value through operators; a million values each.
func operatorsBenchmark() {
  let count = 1_000_000
  let chain = nanoseconds {
    let subject = PassthroughSubject<Int, Never>()
    var sum = 0
    let token = subject.map { $0 &* 3 }.filter { $0 & 1 == 0 }.removeDuplicates().sink {
      sum &+= $0
    }
    for value in 0..<count { subject.send(value) }
    token.cancel()
    keep(sum)
  }
  printFigure("operators", "map, filter, removeDuplicates", Double(count) * 1e3 / chain, "M/s")
}

private func nanoseconds(_ work: () -> Void) -> Double {
  var start = timespec()
  clock_gettime(CLOCK_MONOTONIC, &start)
  work()
  var end = timespec()
  clock_gettime(CLOCK_MONOTONIC, &end)
  return Double(end.tv_sec - start.tv_sec) * 1e9 + Double(end.tv_nsec - start.tv_nsec)
}

/// Keeps the optimiser from dropping what nobody looks at.
@inline(never)
private func keep<Value>(_ value: Value) {}
