import Protocols

/// An answer that is not what a client asked for, with the beginning of its body.
struct RejectedAnswer {
  /// The longest time to wait for the body, in microseconds.
  static let longestBody: Int64 = 2_000_000

  private let limit: Int
  private var cancelTimer: (() -> Void)?
  private(set) var response: HTTPResponse?

  /// Makes the place of an answer. With no bytes, only the head is kept.
  init(limit: Int) { self.limit = limit }

  /// Stores the head, and returns whether the body should be read; then `onTimeout` is called if
  /// it takes too long.
  mutating func begin(
    _ head: HTTPResponse, _ schedule: (Int64, @escaping () -> Void) -> () -> Void,
    onTimeout: @escaping () -> Void
  ) -> Bool {
    response = head
    guard limit > 0 else { return false }
    cancelTimer = schedule(RejectedAnswer.longestBody, onTimeout)
    return true
  }

  /// Appends a piece of the body; false if no more is kept.
  mutating func append(_ bytes: [UInt8]) -> Bool {
    guard let count = response?.body.count, count < limit else { return false }
    response?.body.append(contentsOf: bytes.prefix(limit - count))
    return count + bytes.count < limit
  }

  mutating func stop() {
    cancelTimer?()
    cancelTimer = nil
  }
}
