/// One direction of a connection over a faulty line, with what waits in it, in order.
final class FaultyLane {
  /// Something that passes through.
  enum Passing {
    case piece(ArraySlice<UInt8>)
    case arrival(TransportEvent)
    case leaving(Leaving)
    /// A fault that lets nothing more through.
    case end(LineFault)
  }

  /// The call by which the client ends sending or the connection.
  enum Leaving {
    case shutDown, close, abort
  }

  struct Entry {
    var passing: Passing
    /// The fault that changed it.
    var fault: LineFault?
    var due: Int64

    /// True if a client receives it even while it holds bytes back.
    var isUrgent: Bool {
      switch passing {
      case .arrival(.failed), .arrival(.connected), .arrival(.writable): true
      case .arrival, .piece, .leaving, .end: false
      }
    }
  }

  let direction: LineDirection
  /// True if nothing enters any more.
  private(set) var isCut = false
  /// True if a fault that will cut the lane waits in it.
  private(set) var isEnding = false
  var isScheduled = false
  /// The number of bytes that wait.
  private(set) var bytes = 0
  private var entries: ArraySlice<Entry> = []
  private var nextFragment = 0
  /// The time between two pieces, in microseconds.
  var gap: Int64 = 0
  /// Keeps later entries behind earlier ones.
  private var lastDue: Int64 = 0

  init(_ direction: LineDirection) { self.direction = direction }

  var isEmpty: Bool { entries.isEmpty }

  var next: Entry? { entries.first }

  func append(_ passing: Passing, _ fault: LineFault?, due: Int64) {
    lastDue = max(lastDue + (isEmpty ? 0 : gap), due)
    entries.append(Entry(passing: passing, fault: fault, due: lastDue))
    switch passing {
    case .piece(let piece): bytes += piece.count
    case .end: isEnding = true
    case .arrival, .leaving: break
    }
  }

  func removeFirst() {
    guard let entry = entries.popFirst() else { return }
    if case .piece(let piece) = entry.passing { bytes -= piece.count }
  }

  /// Drops everything that waits.
  func removeAll() {
    entries = []
    bytes = 0
  }

  /// Drops everything that waits, and lets nothing enter any more.
  func cut() {
    removeAll()
    isCut = true
  }

  /// Returns the size of the next piece, at most the number of bytes that are left.
  func nextSize(of fragments: [Int], atMost left: Int) -> Int {
    guard !fragments.isEmpty else { return left }
    let size = fragments[nextFragment % fragments.count]
    nextFragment = (nextFragment + 1) % fragments.count
    return min(size, left)
  }
}
