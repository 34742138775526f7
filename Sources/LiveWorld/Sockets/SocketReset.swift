import CLinux
import Glibc
import World

/// A reset follows what was sent before it, as in memory. The system by itself would drop whatever
/// has not arrived yet.
extension SocketTransport {
  /// The highest number of checks whether all has arrived. A receiver that takes nothing is reset
  /// all the same.
  static let longestFlush = 1_000
  /// Microseconds between two checks.
  private static let pause: Int64 = 1_000

  /// True if the other side's system has received all that was sent. Beside programs in virtual
  /// time it has what has left, and confirms it when the machine likes, for which no time passes.
  var hasArrived: Bool {
    let isOfMachine = loop.programClock == nil
    return outgoing.isEmpty
      && (isOfMachine ? clinux_unacknowledged(descriptor) : clinux_unsent(descriptor)) <= 0
  }

  func resetWhenArrived(checks: Int) {
    guard phase == .closing(.reset) else { return }
    guard checks > 0, !hasArrived else { return reset() }
    loop.scheduler.schedule(after: SocketTransport.pause, phase: .source) { [self] in
      resetWhenArrived(checks: checks - 1)
    }
  }

  /// Drops what was received: unread bytes would turn the end into a reset.
  func skipReceived() {
    for _ in 0..<ReceivedBytes.piecesSkipped {
      guard loop.received.read(descriptor) > 0 else { return }
    }
  }

  /// Closes the socket with a reset.
  func reset() {
    if descriptor >= 0 {
      // Closing with no time to linger sends a reset instead of an end.
      var noTime = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        descriptor, SOL_SOCKET, SO_LINGER, &noTime, socklen_t(MemoryLayout<linger>.size))
    }
    end()
  }
}
