import CLinux
import Glibc
import Synchronization

/// Where other threads leave word for an event loop.
final class Mailbox: Sendable {
  let descriptor: Int32
  private let letters = Mutex<[Int]>([])

  init?() {
    descriptor = clinux_eventfd()
    if descriptor < 0 { return nil }
  }

  // Whoever still works for a loop that is gone holds the mailbox, so that no other file gets the
  // number in the meantime.
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

/// What a thread found out, put down before word of it is left.
final class OutcomeSlot<Outcome: Sendable>: Sendable {
  private let held = Mutex<Outcome?>(nil)

  var outcome: Outcome? {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }
}

/// Starts a thread that nobody waits for; false when the system has none to give.
func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  let box = Unmanaged.passRetained(Box(body))
  let failed = pthread_create(
    &thread, nil,
    { argument in
      guard let argument else { return nil }
      Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
      return nil
    }, box.toOpaque())
  guard failed == 0 else {
    box.release()
    return false
  }
  pthread_detach(thread)
  return true
}
