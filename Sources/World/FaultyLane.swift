/// One direction of a connection over a faulty line: what waits in it, in order.
final class FaultyLane {
  /// What passes through.
  enum Passing {
    case piece(ArraySlice<UInt8>)
    case arrival(TransportEvent)
    case leaving(Leaving)
    /// A fault that lets nothing more through.
    case end(LineFault)
  }

  /// How the client leaves.
  enum Leaving {
    case shutDown, close, abort
  }

  struct Entry {
    var passing: Passing
    /// The fault that made it what it is.
    var fault: LineFault?
    var due: Int64

    /// Whether a client that holds bytes back is told all the same.
    var isUrgent: Bool {
      if case .arrival(.failed) = passing { true } else { false }
    }
  }

  let direction: LineDirection
  /// Nothing enters any more.
  private(set) var isCut = false
  /// A fault is on its way that will cut it.
  private(set) var isEnding = false
  var isScheduled = false
  /// How many bytes wait.
  private(set) var bytes = 0
  private var entries: ArraySlice<Entry> = []
  private var nextFragment = 0
  /// Nothing overtakes what entered before it.
  private var lastDue: Int64 = 0

  init(_ direction: LineDirection) { self.direction = direction }

  var isEmpty: Bool { entries.isEmpty }

  var next: Entry? { entries.first }

  func append(_ passing: Passing, _ fault: LineFault?, due: Int64) {
    lastDue = max(lastDue, due)
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

  /// What waits comes to nothing.
  func discard() {
    entries = []
    bytes = 0
  }

  /// Lets nothing through any more.
  func cut() {
    discard()
    isCut = true
  }

  /// The size of the next piece, where so many bytes are left.
  func nextSize(of fragments: [Int], atMost left: Int) -> Int {
    guard !fragments.isEmpty else { return left }
    let size = fragments[nextFragment % fragments.count]
    nextFragment = (nextFragment + 1) % fragments.count
    return min(size, left)
  }
}
