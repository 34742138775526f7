import Foundation
import Synchronization

// Threads that count under a lock that is often contended, and without one; a read within an array
// and one after its end. A sanitizer must report the second of each.

final class Count: @unchecked Sendable {
  let locked = Mutex(0)
  var bare = 0
}

func countTogether(_ step: @escaping @Sendable (Count) -> Void) {
  let count = Count()
  let threads = DispatchGroup()
  for _ in 0..<4 {
    threads.enter()
    Thread.detachNewThread {
      for _ in 0..<20_000 { step(count) }
      threads.leave()
    }
  }
  threads.wait()
}

func readArray(_ index: Int) -> Int {
  let numbers = UnsafeMutablePointer<Int>.allocate(capacity: 4)
  numbers.initialize(repeating: 1, count: 4)
  defer { numbers.deallocate() }
  return numbers[index]
}

let isBad = CommandLine.arguments[2] == "bad"
if CommandLine.arguments[1] == "address" {
  print(readArray(isBad ? 4 : 3))
} else if isBad {
  countTogether { $0.bare += 1 }
} else {
  countTogether { $0.locked.withLock { $0 += 1 } }
}
