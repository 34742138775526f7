import CLinux

/// The processors that a thread, and the threads that it starts, may run on.
///
/// Two threads that answer each other take twice as long on two idle processors as on one: each
/// answer wakes the other processor up. Linux puts them now here, now there, and such a difference
/// would hide the one that is measured.
struct Processors {
  private let bits: UInt

  /// The processors of this thread.
  static var current: Processors { Processors(bits: clinux_processors()) }

  /// One processor alone.
  static func only(_ number: Int) -> Processors { Processors(bits: 1 << number) }

  /// The numbers of the processors, the lowest one first.
  var numbers: [Int] { (0..<UInt.bitWidth).filter { bits >> $0 & 1 == 1 } }

  /// Has this thread run on these processors from now on.
  func use() { clinux_use_processors(bits) }
}
