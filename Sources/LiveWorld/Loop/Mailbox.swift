import CLinux
import Glibc
import Synchronization

/// The letters that other threads leave for an event loop.
final class Mailbox: Sendable {
  let descriptor: Int32
  private let letters = Mutex<[Int]>([])

  init?() {
    descriptor = clinux_eventfd()
    if descriptor < 0 { return nil }
  }

  // A thread that still works for a loop that is gone holds the mailbox, so that no other file gets
  // its number meanwhile.
  deinit { if descriptor >= 0 { _ = Glibc.close(descriptor) } }

  func put(_ letter: Int) {
    letters.withLock { $0.append(letter) }
    var one: UInt64 = 1
    _ = Glibc.write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  func empty() -> [Int] {
    var count: UInt64 = 0
    _ = Glibc.read(descriptor, &count, MemoryLayout<UInt64>.size)
    return letters.withLock { letters in
      defer { letters = [] }
      return letters
    }
  }
}

/// The result of a thread's work, stored before its letter is left.
final class OutcomeSlot<Outcome: Sendable>: Sendable {
  private let held = Mutex<Outcome?>(nil)

  var outcome: Outcome? {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }
}
