import CLinux
import World

/// A reset comes after what was sent before it, as it does in memory: the system by itself would
/// throw away whatever has not arrived yet.
extension SocketTransport {
  /// How often it is looked whether all has arrived, at most; a receiver that takes nothing is
  /// reset all the same.
  static let longestFlush = 1_000
  /// Microseconds between two looks.
  private static let pause: Int64 = 1_000

  /// Whether the other side's system has all that was sent.
  var hasArrived: Bool { outgoing.isEmpty && clinux_unacknowledged(descriptor) <= 0 }

  func resetWhenArrived(looks: Int) {
    guard phase == .open else { return }
    guard looks > 0, !hasArrived else { return reset() }
    isResetting = true
    loop.scheduler.schedule(after: SocketTransport.pause, phase: .source) { [self] in
      resetWhenArrived(looks: looks - 1)
    }
  }
}
