import Glibc
import Synchronization

// Threads that count under a lock that is often contended, and without one; a read within an array
// and one after its end. A sanitizer must report the second of each.

final class Count: @unchecked Sendable {
  let locked = Mutex(0)
  var bare = 0
}

let count = Count()

func countTogether(_ body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?) {
  let threads = (0..<4).map { _ in
    var thread = pthread_t()
    pthread_create(&thread, nil, body, nil)
    return thread
  }
  for thread in threads { pthread_join(thread, nil) }
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
  countTogether { _ in
    for _ in 0..<20_000 { count.bare += 1 }
    return nil
  }
} else {
  countTogether { _ in
    for _ in 0..<20_000 { count.locked.withLock { $0 += 1 } }
    return nil
  }
}
